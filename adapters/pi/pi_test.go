package pi

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"panehook/transitions"
)

// TestOddPayloads: one odd member degrades the text, never the event.
func TestOddPayloads(t *testing.T) {
	for _, c := range []struct {
		event, payload string
		kind           transitions.Kind
		activity       string
		outcome        transitions.Outcome
	}{
		{"session_start", `{"reason":["new"]}`, transitions.Opened, "", ""},
		{"session_start", `{"reason":"a later word"}`, transitions.Swapped, "", ""},
		{"session_shutdown", `{"reason":{}}`, transitions.Closed, "", ""},
		{"session_shutdown", `{"reason":"a later word"}`, transitions.Left, "", ""},
		{"input", `{"text":["go"],"is_idle":"yes"}`, transitions.Steered, "You", ""},
		{"input", `{"text":"go","is_idle":true}`, transitions.Prompted, "You: go", ""},
		{"before_agent_start", `{"prompt":{}}`, transitions.RunStarted, "", ""},
		{"message_end", `{"message":"a text"}`, transitions.Spoke, "", ""},
		{"message_end", `{"message":{"content":"a text"}}`, transitions.Spoke, "a text", ""},
		{"message_end", `{"message":{"role":"toolResult","content":"x"}}`, transitions.Noted, "", ""},
		{"message_end", `{"message":{"role":["user"],"content":[{"text":["x"]},{"text":"y"},null,"z"]}}`, transitions.Spoke, "y", ""},
		{"message_end", `{"message":{"content":{"text":"an object"}}}`, transitions.Spoke, "", ""},
		{"message_end", `{"message":null,"snippet":"one\ntwo"}`, transitions.Spoke, "two", ""},
		{"message_end", `{"message":{"stopReason":"error"}}`, transitions.Spoke, "", transitions.Failed},
		{"tool_execution_start", `{"toolName":"bash","args":"ls"}`, transitions.ToolStarted, "Bash: ls", ""},
		{"tool_execution_start", `{"toolName":"bash","args":{"command":["ls"]}}`, transitions.ToolStarted, "Bash", ""},
		{"tool_execution_start", `{"toolName":["bash"],"tool":{"name":"read"},"args":{"path":"/a/b.go"}}`, transitions.ToolStarted, "Read: b.go", ""},
		{"tool_execution_start", `{"tool":"bash"}`, transitions.ToolStarted, "", ""},
		{"ui_prompt_start", `{"title":["x"]}`, transitions.Asked, "Question", ""},
		{"waiting_for_user", `{"prompt":5,"tool":[]}`, transitions.Asked, "Question: 5", ""},
		{"agent_end", `{"messages":"none"}`, transitions.TurnEnded, "", ""},
		{"agent_end", `{"messages":[1,null,{"role":"user","content":"x"}]}`, transitions.TurnEnded, "", ""},
		{"agent_end", `{"messages":[{"role":"assistant","content":"Yes.","stopReason":["error"]}]}`, transitions.TurnEnded, "Yes.", ""},
		{"agent_end", `{"messages":[{"role":"assistant","stopReason":"error","errorMessage":{"code":429}}]}`, transitions.RunEnded, `Error: {"code":429}`, transitions.Retrying},
		{"agent_end", `{"mode":null,"messages":[]}`, transitions.TurnEnded, "", ""},
		{"agent_end", `{"mode":"","messages":[]}`, transitions.RunEnded, "", ""},
		{"agent_settled", `{"aborted":"true"}`, transitions.TurnEnded, "", transitions.Settled},
		{"agent_settled", `{"aborted":true}`, transitions.TurnEnded, "", transitions.Aborted},
		{"", `{"event":"agent_start"}`, transitions.RunStarted, "", ""},
		{"agent_start", `{"event":{"x":1}}`, transitions.RunStarted, "", ""},
		{"tool_call", `{"toolName":"bash"}`, transitions.Noted, "", ""},
	} {
		ev := Adapter.Translate(c.event, []byte(c.payload), true).Event
		if ev.Kind != c.kind || ev.Activity != c.activity || ev.Outcome != c.outcome {
			t.Errorf("%s %s:\n%s, %q, %q; want\n%s, %q, %q", c.event, c.payload, ev.Kind, ev.Activity, ev.Outcome, c.kind, c.activity, c.outcome)
		}
	}
}

// TestRecent: the last forty lines that hold anything, oldest first.
func TestRecent(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		text.WriteString("line " + strconv.Itoa(i) + `\n\n`)
	}
	ev := Adapter.Translate("message_end", []byte(`{"message":{"role":"assistant","content":"`+text.String()+`"}}`), true).Event
	if len(ev.Recent) != 40 || ev.Recent[0] != "line 60" || ev.Recent[39] != "line 99" {
		t.Errorf("%d lines, %q", len(ev.Recent), slices.Concat(ev.Recent[:1], ev.Recent[len(ev.Recent)-1:]))
	}
}
