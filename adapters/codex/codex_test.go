package codex

import (
	"testing"

	"panehook/adapters"
	"panehook/transitions"
)

// TestOddPayloads: one odd member degrades the text, never the event.
func TestOddPayloads(t *testing.T) {
	for _, c := range []struct {
		event, payload string
		kind           transitions.Kind
		activity, ask  string
	}{
		{"SessionStart", `{"source":"fork"}`, transitions.Opened, "", ""},
		{"SessionStart", `{"source":"compact"}`, transitions.Reloaded, "", ""},
		{"SessionStart", `{"source":null}`, transitions.Opened, "", ""},
		{"UserPromptSubmit", `{"prompt":{"text":"go"}}`, transitions.Prompted, "You", ""},
		{"PreModelRequest", `{"kind":["sampling"]}`, transitions.ModelAsked, "", ""},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":{"command":["bash","-lc","ls"]}}`, transitions.ToolStarted, "Bash", ""},
		{"PreToolUse", `{"tool_name":"Bash","tool_input":"ls"}`, transitions.ToolStarted, "Bash: ls", ""},
		{"PreToolUse", `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Delete File: a/b.go \n*** End Patch"}}`, transitions.ToolStarted, "Edit: b.go", ""},
		{"PreToolUse", `{"tool_name":"apply_patch","tool_input":{"command":"no patch"}}`, transitions.ToolStarted, "Edit", ""},
		{"PreToolUse", `{"tool_name":"apply_patch","tool_input":"*** Add File: a.go"}`, transitions.ToolStarted, "Edit", ""},
		{"PreToolUse", `{"tool_name":"functions.request_user_input","tool_input":{"questions":[{"question":"Which?"}]}}`, transitions.ToolStarted, "Question: Which?", transitions.AskQuestion},
		{"PreToolUse", `{"tool_name":"request_user_input_async","tool_input":{}}`, transitions.ToolStarted, "request_user_input_async", ""},
		{"PreToolUse", `{"tool_name":"collaborationspawn_agent","tool_input":{"message":"look"}}`, transitions.ToolStarted, "Agent: look", ""},
		{"PermissionRequest", `{"tool_name":"Bash","tool_input":{"command":"ls","description":"x"}}`, transitions.Asked, "Permission: Bash: ls", transitions.AskPermission},
		{"PermissionRequest", `{"permission_mode":"bypassPermissions","tool_name":"Bash"}`, transitions.Noted, "Permission: Bash", ""},
		{"PermissionRequest", `{"permission_mode":["bypassPermissions"]}`, transitions.Asked, "Permission", transitions.AskPermission},
		{"Stop", `{"last_assistant_message":"Yes."}`, transitions.TurnEnded, "Yes.", ""},
		{"Stop", `{"last_assistant_message":null}`, transitions.TurnEnded, "Plan: ready for review", ""},
		{"Stop", `{"last_assistant_message":null,"agent_id":"a1"}`, transitions.TurnEnded, "", ""},
		{"Stop", `{"last_assistant_message":null,"permission_mode":"bypassPermissions"}`, transitions.TurnEnded, "", ""},
		{"Stop", `{"last_assistant_message":[null]}`, transitions.TurnEnded, "", ""},
		{"Stop", `{}`, transitions.TurnEnded, "", ""},
		{"SubagentStop", `{"agent_id":7}`, transitions.ChildEnded, "Subagent", ""},
		{"SubagentStop", `{"agent_id":{}}`, transitions.Noted, "", ""},
		{"AfterAgent", `{"turn_id":"t1"}`, transitions.Noted, "", ""},
	} {
		ev := Adapter.Translate(c.event, []byte(c.payload), true).Event
		if ev.Kind != c.kind || ev.Activity != c.activity || ev.Ask != c.ask {
			t.Errorf("%s %s:\n%s, %q, asks %q; want\n%s, %q, asks %q", c.event, c.payload, ev.Kind, ev.Activity, ev.Ask, c.kind, c.activity, c.ask)
		}
	}
}

// TestCut: of a Stop that was cut before its message nothing is known of the
// message, and that is no plan.
func TestCut(t *testing.T) {
	ev := Adapter.Translate("Stop", []byte(`{"session_id":"s1","permission_mode":"default","last_assistant_message":nul`), false).Event
	if ev.Outcome != "" || ev.Session != "s1" {
		t.Errorf("outcome %q of session %q", ev.Outcome, ev.Session)
	}
}

func TestBorrowed(t *testing.T) {
	for _, c := range []struct {
		parent []string
		want   bool
	}{
		{nil, false},
		{[]string{"codex"}, false},
		{[]string{"app-server"}, false},
		{[]string{"/usr/bin/codex", "app-server"}, true},
		{[]string{"node", "/usr/lib/codex.js", "-c", "x=1", "app-server", "--listen", "unix"}, true},
		{[]string{"codex", "exec", "talk about app-server"}, false},
	} {
		got := Adapter.Borrowed(adapters.Surroundings{
			Env:    func(string) string { return "" },
			Parent: func() []string { return c.parent },
		})
		if got != c.want {
			t.Errorf("%q: %v", c.parent, got)
		}
	}
}
