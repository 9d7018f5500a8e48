package adapters

import (
	"cmp"

	"github.com/tidwall/gjson"

	"panehook/transitions"
)

// Claude Code and Codex give the members of their hooks' payloads the same
// names, and mean the same by them. What both adapters read is here.

// ReadSession reads what every payload has. A subagent's events carry the id of
// the lead's session beside its own. The turn's id has a name of its own with
// each agent.
func ReadSession(p *Payload, ev *transitions.Event, turn string) {
	ev.Session = p.ID("session_id")
	ev.Turn = p.ID(turn)
	ev.Child = p.ID("agent_id")
	ev.Cwd = p.Path("cwd")
	ev.Transcript = p.Path("transcript_path")
}

// ReadCall reads what all tool events share.
func ReadCall(p *Payload, ev *transitions.Event) (tool string, input gjson.Result) {
	tool = p.Text("tool_name")
	input = p.Object("tool_input")
	ev.Call = p.ID("tool_use_id")
	ev.Tool = Word(tool)
	ev.Key = CallKey(ev.Child, tool, input)
	return tool, input
}

// ReadStopFailure reads the end of a turn by an error that the agent gave up
// on.
func ReadStopFailure(p *Payload, ev *transitions.Event) {
	ev.Kind = transitions.TurnEnded
	ev.Outcome = transitions.Failed
	ev.Activity = Line(Line("Error", p.Text("error")), p.Text("last_assistant_message"))
}

// ReadSubagentStart reads the start of a subagent. One without an id cannot be
// told from the lead, so it is only noted.
func ReadSubagentStart(p *Payload, ev *transitions.Event) {
	if ev.Child != "" {
		ev.Kind = transitions.ChildStarted
		ev.Activity = Line("Subagent", p.Text("agent_type"))
	}
}

// ReadSubagentStop reads the end of a subagent, under the same condition.
func ReadSubagentStop(p *Payload, ev *transitions.Event) {
	if ev.Child != "" {
		ev.Kind = transitions.ChildEnded
		ev.Activity = Line("Subagent", cmp.Or(p.Text("last_assistant_message"), p.Text("agent_type")))
	}
}

// ReadPreCompact reads the start of a compaction. Only the word "manual" means
// that a person typed it at the prompt.
func ReadPreCompact(p *Payload, ev *transitions.Event) {
	ev.Kind = transitions.CompactionStarted
	ev.Activity = "Compacting…"
	ev.Trigger = transitions.Auto
	if p.Text("trigger") == "manual" {
		ev.Trigger = transitions.Manual
	}
}

// ReadPostCompact reads the end of a compaction.
func ReadPostCompact(_ *Payload, ev *transitions.Event) {
	ev.Kind = transitions.CompactionEnded
	ev.Activity = "Compacted"
}
