// Package claude is everything that panehook knows of Claude Code: its
// payloads, its files and how to install into it. Unless it says otherwise, a
// fact was observed in Claude Code 2.1.197.
package claude

import (
	"cmp"
	"strconv"
	"strings"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

// Adapter is the adapter for Claude Code.
var Adapter = adapters.Adapter{
	Name:       "claude",
	NameKey:    "hook_event_name",
	Common:     common,
	Hooks:      hooks,
	Consult:    consult,
	StatusFile: statusFile,
	Status:     status,
	Ending:     ending,
	Borrowed:   borrowed,
}

// hooks lists the events in the order of a session's life. The action words
// are those of questmaster's scripts. Since is what public change logs tell;
// an event without it is older than any version that matters. Never to be
// registered: WorktreeCreate, which fails when its hook prints nothing, and
// MessageDisplay and InstructionsLoaded, which would run a blocking process per
// line of text for nothing.
//
// A SessionEnd timeout above 1.5 s makes Claude Code wait that long for every
// SessionEnd hook, also for those of others.
var hooks = []adapters.Hook{
	{Name: "SessionStart", Words: []string{"starting"}, Read: sessionStart, Timeout: 5},
	{Name: "UserPromptSubmit", Words: []string{"working"}, Read: prompt, Timeout: 5},
	{Name: "UserPromptExpansion", Read: prompt, Since: "2.1.152", Timeout: 5},
	{Name: "PreToolUse", Words: []string{"tool_start"}, Read: preToolUse, Timeout: 5},
	{Name: "PermissionRequest", Words: []string{"permission", "blocked"}, Read: permissionRequest, Since: "2.1.10", Timeout: 5},
	{Name: "PermissionDenied", Read: permissionDenied, Since: "2.1.88", Timeout: 5},
	{Name: "PostToolUse", Words: []string{"tool_end"}, Read: postToolUse, Timeout: 5},
	{Name: "PostToolUseFailure", Read: postToolUse, Since: "2.1.10", Timeout: 5},
	{Name: "PostToolBatch", Read: postToolBatch, Since: "2.1.152", Timeout: 5},
	{Name: "Elicitation", Read: elicitation, Since: "2.1.76", Timeout: 5},
	{Name: "ElicitationResult", Read: elicitationResult, Since: "2.1.76", Timeout: 5},
	{Name: "Notification", Read: notification, Timeout: 5},
	{Name: "Stop", Words: []string{"done"}, Read: stop, Timeout: 5},
	{Name: "StopFailure", Read: adapters.ReadStopFailure, Since: "2.1.78", Timeout: 5},
	{Name: "SubagentStart", Read: adapters.ReadSubagentStart, Since: "2.1.10", Timeout: 5},
	{Name: "SubagentStop", Words: []string{"subagent_stop"}, Read: subagentStop, Timeout: 5},
	{Name: "PreCompact", Read: adapters.ReadPreCompact, Timeout: 5},
	{Name: "PostCompact", Read: adapters.ReadPostCompact, Since: "2.1.76", Timeout: 5},
	{Name: "SessionEnd", Words: []string{"stopped"}, Read: sessionEnd, Timeout: 2},
}

// common reads what every payload has. The prompt's id serves as the turn's:
// every event from a prompt to its Stop carries it.
func common(p *adapters.Payload, ev *transitions.Event) { adapters.ReadSession(p, ev, "prompt_id") }

func sessionStart(p *adapters.Payload, ev *transitions.Event) {
	switch p.Text("source") {
	case "startup", "resume", "clear", "":
		ev.Kind = transitions.Opened
	default: // after a compaction, in the middle of a turn; or a new word
		ev.Kind = transitions.Reloaded
	}
}

func sessionEnd(p *adapters.Payload, ev *transitions.Event) {
	switch p.Text("reason") {
	case "clear", "resume":
		ev.Kind = transitions.Left
	default:
		ev.Kind = transitions.Closed
	}
}

// taskNotification opens the prompt that a finished background task submits.
const taskNotification = "<task-notification>"

func prompt(p *adapters.Payload, ev *transitions.Event) {
	text := p.Text("prompt")
	if strings.HasPrefix(text, taskNotification) {
		ev.Kind = transitions.Woken
		ev.Activity = "Background work finished"
		return
	}
	ev.Kind = transitions.Prompted
	ev.Activity = adapters.Line("You", text)
}

// tool reads what all tool events share and returns the call's activity.
func tool(p *adapters.Payload, ev *transitions.Event) string {
	return activity(adapters.ReadCall(p, ev))
}

func preToolUse(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolStarted
	ev.Activity = tool(p, ev)
	ev.Ask = ask(ev.Tool)
}

// permissionRequest names no call. The PreToolUse before it, with the same
// agent, tool and input, does: 38 of 38 were matched by those.
func permissionRequest(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Asked
	ev.Activity = tool(p, ev)
	ev.Ask = ask(ev.Tool)
	if ev.Ask == "" {
		ev.Ask = transitions.AskPermission
		ev.Activity = adapters.Line("Permission", cmp.Or(ev.Activity, p.Text("message")))
	}
}

func permissionDenied(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolDenied
	tool(p, ev)
}

func postToolUse(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolEnded
	tool(p, ev)
	if p.Flag("is_interrupt") {
		ev.Outcome = transitions.Aborted
	}
}

func postToolBatch(_ *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolsSettled
}

func elicitation(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Asked
	ev.Ask = transitions.AskElicitation
	ev.Call = p.ID("elicitation_id")
	ev.Activity = adapters.Line("Question", p.Text("message"))
}

func elicitationResult(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Answered
	ev.Ask = transitions.AskElicitation
	ev.Call = p.ID("elicitation_id")
}

// notification has a type since some version before 2.1.197; the texts serve
// for those that have none.
func notification(p *adapters.Payload, ev *transitions.Event) {
	message := p.Text("message")
	kind := p.Text("notification_type")
	if kind == "" {
		kind = notificationType(message)
	}
	switch kind {
	case "permission_prompt", "elicitation_dialog":
		ev.Kind = transitions.Nudged
		ev.Ask = transitions.AskNotice
		ev.Activity = adapters.Line("Permission", message)
	case "idle_prompt":
		ev.Kind = transitions.Reminded
	}
}

func notificationType(message string) string {
	switch {
	case strings.Contains(message, "needs your permission"), strings.Contains(message, "needs your approval"):
		return "permission_prompt"
	case strings.Contains(message, "waiting for your input"):
		return "idle_prompt"
	}
	return ""
}

// stop with an agent's id is that agent's end. The list of background tasks is
// the agent's own word on what still runs: subagents, workflows and kinds that
// we don't know will wake the session, shells and monitors will not.
func stop(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.TurnEnded
	ev.Activity = p.Line("last_assistant_message")
	if ev.Activity == "" && ev.Child == "" {
		p.AskFor(ev.Transcript)
	}
	ev.Listed = p.Get("background_tasks").IsArray()
	quiet := 0
	for _, task := range p.List("background_tasks") {
		if status := adapters.TextIn(task, "status"); !task.IsObject() || status != "" && status != "running" {
			continue
		}
		switch kind := adapters.TextIn(task, "type"); kind {
		case "shell", "monitor":
			quiet++
		default:
			ev.Running = append(ev.Running, state.Child{
				ID:   adapters.Ident(adapters.TextIn(task, "id")),
				Kind: adapters.Word(kind),
			})
		}
	}
	switch {
	case len(ev.Running) > 0:
		ev.Activity = strconv.Itoa(len(ev.Running)+quiet) + " in background"
	case quiet > 0:
		ev.Activity = adapters.Line(strconv.Itoa(quiet)+" in background", ev.Activity)
	}
}

// subagentStop without a type is the helper that wrote a compaction's summary.
func subagentStop(p *adapters.Payload, ev *transitions.Event) {
	helper := p.Has("agent_type") && p.Text("agent_type") == ""
	if !helper {
		adapters.ReadSubagentStop(p, ev)
	}
}

// borrowed: hooks of `claude --bg` run with the environment of whoever started
// it, below a daemon.
func borrowed(s adapters.Surroundings) bool { return s.Env("CLAUDE_JOB_DIR") != "" }
