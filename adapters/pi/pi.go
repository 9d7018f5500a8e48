// Package pi is everything that panehook knows of Pi: its extension events and
// the extension that sends them. Pi has no hooks. Facts were observed in Pi
// 0.74.2 and 1.6.0.
package pi

import (
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
	"panehook/transitions"
)

// Adapter is the adapter for Pi.
var Adapter = adapters.Adapter{
	Name:    "pi",
	NameKey: "event",
	Common:  common,
	Hooks:   hooks,
}

// hooks lists the events in the order of a session's life. The action words
// are those of questmaster's scripts.
var hooks = []adapters.Hook{
	{Name: "session_start", Words: []string{"starting"}, Read: sessionStart},
	{Name: "input", Read: input},
	{Name: "before_agent_start", Read: beforeRun},
	{Name: "agent_start", Words: []string{"working"}, Read: runStart},
	{Name: "message_update", Read: messageUpdate},
	{Name: "message_end", Read: message},
	{Name: "tool_execution_start", Words: []string{"tool_start"}, Read: toolStart},
	{Name: "tool_execution_end", Words: []string{"tool_end"}, Read: toolEnd},
	{Name: "ui_prompt_start", Words: []string{"permission"}, Read: dialogStart},
	{Name: "ui_prompt_end", Read: dialogEnd},
	{Name: "waiting_for_user", Words: []string{"blocked"}, Read: waitingForUser},
	{Name: "agent_end", Read: runEnd},
	{Name: "agent_settled", Words: []string{"done"}, Read: settled},
	{Name: "session_before_compact", Read: compactStart},
	{Name: "session_compact", Read: compactEnd},
	{Name: "session_compact_failed", Read: compactFailed},
	{Name: "session_shutdown", Words: []string{"stopped"}, Read: shutdown},
	{Name: EndOfStream, Read: endOfStream},
}

// EndOfStream is the event that panehook itself adds when the extension's pipe
// ends. Pi ends without a session_shutdown when it is killed, and mostly when
// its terminal is closed; the pipe ended in every case tried.
const EndOfStream = "end_of_stream"

func common(p *adapters.Payload, ev *transitions.Event) {
	ev.Session = p.ID("pi_session_id")
	ev.Transcript = p.Path("session_file")
	ev.Carried = true
	ev.Cwd = p.Path("cwd")
}

func sessionStart(p *adapters.Payload, ev *transitions.Event) {
	switch p.Text("reason") {
	case "startup", "":
		ev.Kind = transitions.Opened
	case "reload":
		ev.Kind = transitions.Reloaded
	default: // new, resume, fork
		ev.Kind = transitions.Swapped
	}
}

// shutdown comes also when Pi goes on with another session; versions before
// 0.68.0 give no reason.
func shutdown(p *adapters.Payload, ev *transitions.Event) {
	switch p.Text("reason") {
	case "quit", "":
		ev.Kind = transitions.Closed
	case "reload":
		ev.Kind = transitions.Noted
	default: // new, resume, fork
		ev.Kind = transitions.Left
	}
}

func endOfStream(_ *adapters.Payload, ev *transitions.Event) { ev.Kind = transitions.Closed }

// input comes at the moment of typing: while the agent is idle it begins a
// run, else it is for the run that goes on.
func input(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Steered
	if p.Flag("is_idle") {
		ev.Kind = transitions.Prompted
	}
	ev.Activity = adapters.Line("You", p.Text("text"))
}

func beforeRun(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.RunStarted
	if prompt := p.Text("prompt"); prompt != "" {
		ev.Activity = adapters.Line("You", prompt)
	}
}

// runStart comes with every low-level run, so also with each retry.
func runStart(_ *adapters.Payload, ev *transitions.Event) { ev.Kind = transitions.RunStarted }

// recentLines is how much of the latest message a pane shows.
const recentLines = 40

// messageUpdate: while a message streams, its stopReason is a placeholder.
func messageUpdate(p *adapters.Payload, ev *transitions.Event) {
	message(p, ev)
	if ev.Kind == transitions.Spoke {
		ev.Outcome = transitions.Partial
	}
}

func message(p *adapters.Payload, ev *transitions.Event) {
	m := p.Get("message")
	if role := m.Get("role").Str; role != "" && role != "assistant" {
		return
	}
	ev.Kind = transitions.Spoke
	if m.Get("stopReason").Str == "error" {
		ev.Outcome = transitions.Failed
	}
	text := textOf(m)
	if text == "" {
		text = p.Text("snippet")
	}
	ev.Recent = adapters.Lines(text, recentLines)
	if n := len(ev.Recent); n > 0 {
		ev.Activity = ev.Recent[n-1]
	}
}

func toolStart(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolStarted
	name := toolName(p)
	ev.Tool = adapters.Word(name)
	ev.Call = callID(p)
	ev.Activity = activity(name, p.Get("args"), p.Get("tool"))
	if asksPerson(name) {
		ev.Ask = transitions.AskQuestion
	}
}

func toolEnd(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.ToolEnded
	ev.Tool = adapters.Word(toolName(p))
	ev.Call = callID(p)
}

// dialogStart: dialogs that overlap give one span, with the first one's title.
func dialogStart(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Asked
	ev.Ask = transitions.AskDialog
	ev.Activity = adapters.Line("Question", p.Text("title"))
}

func dialogEnd(_ *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Answered
	ev.Ask = transitions.AskDialog
}

// waitingForUser is sent by question tools of other extensions, never by Pi.
func waitingForUser(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.Asked
	ev.Ask = transitions.AskQuestion
	ev.Tool = adapters.Word(toolName(p))
	ev.Call = callID(p)
	ev.Activity = adapters.Line("Question", p.Text("prompt"))
}

// runEnd is not the end where agent_settled follows, which it does in every
// version that sends a mode (0.78.1 and 0.80.4; the gap between is small).
func runEnd(p *adapters.Payload, ev *transitions.Event) {
	last := lastAnswer(p)
	reason := last.Get("stopReason").Str
	problem := last.Get("errorMessage").String()

	ev.Activity = adapters.Clean(textOf(last))
	switch reason {
	case "aborted":
		ev.Outcome = transitions.Aborted
	case "error":
		ev.Outcome = transitions.Failed
		ev.Activity = adapters.Line("Error", problem)
	}
	ev.Kind = transitions.TurnEnded
	switch {
	case p.Has("mode"):
		ev.Kind = transitions.RunEnded
	case ev.Outcome == transitions.Failed && retried(problem):
		ev.Kind = transitions.RunEnded
		ev.Outcome = transitions.Retrying
	}
}

func settled(p *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.TurnEnded
	ev.Outcome = transitions.Settled
	if p.Flag("aborted") {
		ev.Outcome = transitions.Aborted
	}
}

// retried tells whether Pi tries again after such an error. Extensions are not
// told, so this follows the errors that Pi itself takes for passing.
func retried(problem string) bool {
	problem = strings.ToLower(problem)
	for _, sign := range []string{
		"overloaded", "rate limit", "rate_limit", "too many requests", "429", "500", "502", "503", "504", "529",
		"server error", "service unavailable", "timeout", "timed out", "terminated", "fetch failed",
		"connection", "network", "socket", "econnreset", "retry",
	} {
		if strings.Contains(problem, sign) {
			return true
		}
	}
	return false
}

func compactStart(_ *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.CompactionStarted
	ev.Activity = "Compacting…"
}

func compactEnd(_ *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.CompactionEnded
	ev.Activity = "Compacted"
}

func compactFailed(_ *adapters.Payload, ev *transitions.Event) {
	ev.Kind = transitions.CompactionEnded
	ev.Activity = "Compaction failed"
}

// lastAnswer is the last assistant message of a run.
func lastAnswer(p *adapters.Payload) gjson.Result {
	list := p.List("messages")
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Get("role").Str == "assistant" {
			return list[i]
		}
	}
	return gjson.Result{}
}

// textOf joins the text parts of a message.
func textOf(message gjson.Result) string {
	content := message.Get("content")
	if content.Type == gjson.String {
		return content.Str
	}
	var parts []string
	content.ForEach(func(_, part gjson.Result) bool {
		if text := adapters.TextIn(part, "text"); text != "" {
			parts = append(parts, text)
		}
		return true
	})
	return strings.Join(parts, "\n")
}
