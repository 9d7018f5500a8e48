// Package codex is everything that panehook knows of the Codex CLI: its
// payloads, its files and how to install into it. Unless it says otherwise, a
// fact was observed in Codex 0.171.0.
package codex

import (
	"strings"

	"panehook/adapters"
	"panehook/transitions"
)

// Adapter is the adapter for Codex.
var Adapter = adapters.Adapter{
	Name:     "codex",
	NameKey:  "hook_event_name",
	Common:   common,
	Hooks:    hooks,
	Consult:  consult,
	Ending:   ending,
	Borrowed: borrowed,
}

// hooks lists the events in the order of a session's life. The action words
// are those of questmaster's scripts. Names that a version does not know are
// ignored by it, so every version gets all of them. Codex clamps the timeouts
// of SessionEnd and Interrupt to 3 s and warns of longer ones at every start.
var hooks = []adapters.Hook{
	{Name: "SessionStart", Words: []string{"starting"}, Read: sessionStart, Timeout: 5},
	{Name: "UserPromptSubmit", Words: []string{"working"}, Read: prompt, Timeout: 5},
	{Name: "PreModelRequest", Read: modelRequest, Timeout: 5},
	{Name: "PreToolUse", Words: []string{"tool_start"}, Read: preToolUse, Timeout: 5},
	{Name: "PermissionRequest", Words: []string{"permission", "blocked"}, Read: permissionRequest, Timeout: 5},
	{Name: "PostToolUse", Words: []string{"tool_end"}, Read: postToolUse, Timeout: 5},
	{Name: "PreCompact", Read: adapters.ReadPreCompact, Timeout: 5},
	{Name: "PostCompact", Read: adapters.ReadPostCompact, Timeout: 5},
	{Name: "SubagentStart", Read: adapters.ReadSubagentStart, Timeout: 5},
	{Name: "SubagentStop", Words: []string{"subagent_stop"}, Read: adapters.ReadSubagentStop, Timeout: 5},
	{Name: "Stop", Words: []string{"done"}, Read: stop, Timeout: 5},
	// StopFailure is not in 0.171.0 and not registered; its members were only
	// read in public material on a later version.
	{Name: "StopFailure", Read: adapters.ReadStopFailure},
	{Name: "Interrupt", Read: interrupt, Timeout: 3},
	{Name: "SessionEnd", Words: []string{"stopped"}, Read: sessionEnd, Timeout: 3},
}

// common reads what every payload has. A child's payloads carry the parent's
// session id, but their own rollout.
func common(p *adapters.Payload, ev *transitions.Event) { adapters.ReadSession(p, ev, "turn_id") }

// sessionStart comes with the first prompt, not at launch.
func sessionStart(p *adapters.Payload, ev *transitions.Event) {
	switch p.Text("source") {
	case "startup", "resume", "clear", "fork", "":
		ev.Kind = transitions.Opened
	default: // after a compaction; or a new word
		ev.Kind = transitions.Reloaded
	}
}

func sessionEnd(_ *adapters.Payload, ev *transitions.Event) { ev.Kind = transitions.Closed }

func prompt(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Prompted
	ev.Activity = adapters.Line("You", p.Text("prompt"))
}

// modelRequest is the surest of Codex's events: it comes before every request,
// also where a turn began without a prompt or a tool ended without a hook.
func modelRequest(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ModelAsked
	if strings.HasSuffix(p.Text("kind"), "compaction") {
		ev.Trigger = transitions.Compacting
	}
}

// tool reads what all tool events share and returns the call's activity.
func tool(p *adapters.Payload, ev *transitions.Event) string {
	return activity(adapters.ReadCall(p, ev))
}

func preToolUse(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolStarted
	ev.Activity = tool(p, ev)
	if asksPerson(ev.Tool) {
		ev.Ask = transitions.AskQuestion
	}
}

// permissionRequest comes also where nobody will be asked. The mode
// bypassPermissions means the approval policy "never", under which Codex
// refuses by itself; the rollout tells of `codex exec` and of reviews by a
// model.
func permissionRequest(p *adapters.Payload, ev *transitions.Event) {
	line := tool(p, ev)
	ev.Activity = adapters.Line("Permission", line)
	if p.Text("permission_mode") == "bypassPermissions" {
		return
	}
	ev.Kind = transitions.Asked
	ev.Ask = transitions.AskPermission
	p.AskFor(ev.Transcript)
}

func postToolUse(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolEnded
	tool(p, ev)
}

// stop may leave a plan for review: the screen asks "Implement this plan?" and
// no hook says so. An answer that is nothing but the plan has no message; one
// with words before it has, and the plan stands in the rollout. Where approval
// is never asked for it may be `codex exec`, which has nobody to review: there
// the rollout decides.
func stop(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.TurnEnded
	ev.Activity = p.Line("last_assistant_message")
	if ev.Child != "" {
		return
	}
	if p.Get("last_assistant_message").Raw == "null" && p.Text("permission_mode") != "bypassPermissions" {
		ev.Outcome = transitions.Review
		ev.Activity = "Plan: ready for review"
	}
	p.AskFor(ev.Transcript)
}

func interrupt(_ *adapters.Payload, ev *transitions.Event) { ev.Kind = transitions.Interrupted }

// appServer is on the command line of the shared daemon.
const appServer = "app-server"

// borrowed: the shared daemon runs the hooks of every terminal with the
// environment of the first, and no field of the payload names the terminal.
func borrowed(s adapters.Surroundings) bool {
	for i, arg := range s.Parent() {
		if i > 0 && arg == appServer {
			return true
		}
	}
	return false
}
