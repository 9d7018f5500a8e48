package claude

import (
	"strings"
	"testing"

	"panehook/transitions"
)

// TestOddPayloads: one odd member degrades the text, never the event.
func TestOddPayloads(t *testing.T) {
	for _, c := range []struct {
		event, payload string
		kind           transitions.Kind
		activity, tool string
	}{
		{"UserPromptSubmit", `{"prompt":"go"}`, transitions.Prompted, "You: go", ""},
		{"UserPromptSubmit", `{"prompt":["go"]}`, transitions.Prompted, "You", ""},
		{"UserPromptSubmit", `{"prompt":17}`, transitions.Prompted, "You: 17", ""},
		{"UserPromptSubmit", `{"prompt":null}`, transitions.Prompted, "You", ""},
		{"UserPromptSubmit", "{\"prompt\":\"a\xff\xfeb\xc3\"}", transitions.Prompted, "You: ab", ""},
		{"UserPromptSubmit", `{"prompt":"a\ud800b\udc00"}`, transitions.Prompted, "You: ab", ""},
		{"UserPromptSubmit", `{"prompt":"\u0000\u0007\u001b[31m\u202e"}`, transitions.Prompted, "You", ""},
		{"UserPromptSubmit", `{"prompt":" <task-notification> is the person's"}`, transitions.Prompted, "You: <task-notification> is the person's", ""},
		{"UserPromptSubmit", `{"prompt":"<task-notification>\n<task-id>"}`, transitions.Woken, "Background work finished", ""},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`, transitions.ToolStarted, "Bash: ls", "Bash"},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":"ls"}`, transitions.ToolStarted, "Bash: ls", "Bash"},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":"{\"command\":\"ls\"}"}`, transitions.ToolStarted, `Bash: {"command":"ls"}`, "Bash"},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":{"command":{"command":"ls"}}}`, transitions.ToolStarted, "Bash", "Bash"},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":{"command":true}}`, transitions.ToolStarted, "Bash: true", "Bash"},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":null}`, transitions.ToolStarted, "Bash", "Bash"},
		{"PreToolUse", `{"tool_name":"Bash"}`, transitions.ToolStarted, "Bash", "Bash"},
		{"PreToolUse", `{"tool_name":"Bash","tool_name":"Read","tool_input":{"file_path":"/a/b.go"}}`, transitions.ToolStarted, "Read: b.go", "Read"},
		{"PreToolUse", `{"tool_name":"Edit","tool_input":{"file_path":"C:\\src\\b.go"}}`, transitions.ToolStarted, "Edit: b.go", "Edit"},
		{"PreToolUse", `{"tool_name":"Edit","tool_input":{"file_path":"/"}}`, transitions.ToolStarted, "Edit: /", "Edit"},
		{"PreToolUse", `{"tool_name":"Edit","tool_input":{"file_path":"/a/b/"}}`, transitions.ToolStarted, "Edit: b", "Edit"},
		{"PreToolUse", `{"tool_name":"mcp__srv__do_it","tool_input":{"x":1}}`, transitions.ToolStarted, "srv: do_it", "mcp__srv__do_it"},
		{"PreToolUse", `{"tool_name":"mcp__srv"}`, transitions.ToolStarted, "mcp__srv", "mcp__srv"},
		{"PreToolUse", `{"tool_name":"mcp__\u001b[2J__\u202e"}`, transitions.ToolStarted, "", "mcp____"},
		{"PreToolUse", `{"tool_name":{"name":"Bash"},"tool_input":{"command":"ls"}}`, transitions.ToolStarted, "", ""},
		{"PreToolUse", `{"tool_name":"NewTool","tool_input":"text"}`, transitions.ToolStarted, "NewTool: text", "NewTool"},
		{"PreToolUse", `{"tool_name":"NewTool","tool_input":{"command":"ls"}}`, transitions.ToolStarted, "NewTool", "NewTool"},
		{"PreToolUse", `{"tool_name":"AskUserQuestion","tool_input":{"questions":[{"header":"x"},{"question":"Second?"}]}}`, transitions.ToolStarted, "Question: Second?", "AskUserQuestion"},
		{"PreToolUse", `{"tool_name":"AskUserQuestion","tool_input":{"questions":"Which?"}}`, transitions.ToolStarted, "Question", "AskUserQuestion"},
		{"PreToolUse", `{"tool_name":"ExitPlanMode","tool_input":{"plan":"\n## The plan\n1. x"}}`, transitions.ToolStarted, "Plan: The plan 1. x", "ExitPlanMode"},
		{"PermissionRequest", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`, transitions.Asked, "Permission: Bash: ls", "Bash"},
		{"PermissionRequest", `{"message":"needs you"}`, transitions.Asked, "Permission: needs you", ""},
		{"PermissionRequest", `{}`, transitions.Asked, "Permission", ""},
		{"Notification", `{"message":"Claude is waiting for your input"}`, transitions.Reminded, "", ""},
		{"Notification", `{"message":"Claude needs your permission","notification_type":"idle_prompt"}`, transitions.Reminded, "", ""},
		{"Notification", `{"message":"Claude needs your permission","notification_type":"a later type"}`, transitions.Noted, "", ""},
		{"Notification", `{"message":["Claude needs your permission"]}`, transitions.Noted, "", ""},
		{"Stop", `{"last_assistant_message":" \n Yes.\n\nMore."}`, transitions.TurnEnded, "Yes. More.", ""},
		{"Stop", `{"last_assistant_message":["Yes."]}`, transitions.TurnEnded, "", ""},
		{"Stop", `{"background_tasks":[{"type":"subagent","status":"running"},{"type":"shell","status":"running"}]}`, transitions.TurnEnded, "2 in background", ""},
		{"StopFailure", `{"error":"rate_limit","last_assistant_message":"Too many."}`, transitions.TurnEnded, "Error: rate_limit: Too many.", ""},
		{"StopFailure", `{"error":{"type":"x"}}`, transitions.TurnEnded, "Error", ""},
		{"SubagentStart", `{"agent_id":"a1","agent_type":["x"]}`, transitions.ChildStarted, "Subagent", ""},
		{"SubagentStart", `{"agent_type":"x"}`, transitions.Noted, "", ""},
		{"SubagentStop", `{"agent_id":"a1","agent_type":""}`, transitions.Noted, "", ""},
		{"SubagentStop", `{"agent_id":"a1","agent_type":null}`, transitions.ChildEnded, "Subagent", ""},
		{"SessionStart", `{"source":"startup "}`, transitions.Reloaded, "", ""},
		{"SessionStart", `{"source":17}`, transitions.Reloaded, "", ""},
		{"SessionStart", `{"source":{}}`, transitions.Opened, "", ""},
		{"SessionEnd", `{"reason":"clear"}`, transitions.Left, "", ""},
		{"SessionEnd", `{"reason":["clear"]}`, transitions.Closed, "", ""},
		{"PreCompact", `{"trigger":7}`, transitions.CompactionStarted, "Compacting…", ""},
		{"", `{"hook_event_name":"Stop"}`, transitions.TurnEnded, "", ""},
		{"Stop", `{"hook_event_name":["PreToolUse"]}`, transitions.TurnEnded, "", ""},
		{"Stop", `{"hook_event_name":"NoSuchEvent"}`, transitions.Noted, "", ""},
		{"done", `{}`, transitions.TurnEnded, "", ""},
		{"stop", `{}`, transitions.Noted, "", ""},
	} {
		ev := Adapter.Translate(c.event, []byte(c.payload), true).Event
		if ev.Kind != c.kind || ev.Activity != c.activity || ev.Tool != c.tool {
			t.Errorf("%s %s:\n%s, %q, tool %q; want\n%s, %q, tool %q", c.event, c.payload, ev.Kind, ev.Activity, ev.Tool, c.kind, c.activity, c.tool)
		}
	}
}

// TestIds: what identifies something is short, plain, and as distinct as it was.
func TestIds(t *testing.T) {
	long := strings.Repeat("x", 500)
	seen := map[string]string{}
	for _, id := range []string{"a", "A", "a ", " a", `a\u0000`, `a\n`, `a\\b`, `a\"b`, "../a", "é", "é́", long, long + "y", `\ud800`, "~a"} {
		r := Adapter.Translate("Stop", []byte(`{"session_id":"`+id+`","agent_id":"`+id+`"}`), true)
		got := r.Event.Session
		if got == "" || len(got) > 48 || got != r.Event.Child {
			t.Errorf("%q became %q and %q", id, got, r.Event.Child)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%q and %q both became %q", id, other, got)
		}
		seen[got] = id
	}
	for _, none := range []string{`""`, "null", "{}", "[]"} {
		if ev := Adapter.Translate("Stop", []byte(`{"session_id":`+none+`}`), true).Event; ev.Session != "" {
			t.Errorf("%s became %q", none, ev.Session)
		}
	}
}

// TestCallKey: equal for the same call, in whatever form it comes.
func TestCallKey(t *testing.T) {
	key := func(event, members string) string {
		return Adapter.Translate(event, []byte(`{`+members+`}`), true).Event.Key
	}
	want := key("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"ls","timeout":5,"description":"x"}`)
	for _, same := range []string{
		`"tool_name":"Bash","tool_input":{"timeout":5,"command":"ls"}`,
		`"tool_input":{ "comm\u0061nd" : "l\u0073", "timeout": 5, "description": {"other": 1} },"tool_name":"Bash"`,
	} {
		if got := key("PermissionRequest", same); got != want {
			t.Errorf("%s: %s, want %s", same, got, want)
		}
	}
	for _, other := range []string{
		`"tool_name":"Bash","tool_input":{"command":"ls"}`,
		`"tool_name":"Bash","tool_input":{"command":"ls","timeout":"5 "}`,
		`"tool_name":"Read","tool_input":{"command":"ls","timeout":5}`,
		`"tool_name":"Bash","tool_input":{"command":"ls","timeout":5},"agent_id":"a1"`,
		`"tool_name":"Bash","tool_input":{"command":["ls"],"timeout":5}`,
		`"tool_name":"Bash","tool_input":{"x":{"command":"ls","timeout":5}}`,
		`"tool_name":"Bash","tool_input":{"command":"ls","timeout":5,"x":{"description":"counts"}}`,
		`"tool_name":"Bash"`,
	} {
		if key("PermissionRequest", other) == want {
			t.Errorf("%s: taken for the same call", other)
		}
	}
}
