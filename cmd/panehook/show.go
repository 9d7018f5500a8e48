package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"panehook/adapters"
	"panehook/state"
)

const showUsage = `usage: panehook show [-n N] [--json] [SESSION]

Tells everything that is known of a session: its panes as they are shown and as
they are stored, what they wait for, what runs in them, its files, and the last
events with the rule that decided each. SESSION is as for panehook log.

  -n N    the last N events instead of 10
  --json  one object: version, time, session, problem, waiting, panes, events
`

// sessionJSON is what show --json prints.
type sessionJSON struct {
	Version int         `json:"version"`
	Time    time.Time   `json:"time"`
	Session string      `json:"session"`
	Problem string      `json:"problem"`
	SeenAt  time.Time   `json:"seen_at,omitzero"`
	Waiting int         `json:"waiting"` // events that are not applied yet
	Panes   []openJSON  `json:"panes"`
	Events  []eventJSON `json:"events"`
}

// openJSON is a pane with what is open in it.
type openJSON struct {
	paneJSON
	Turn    turnJSON    `json:"turn"`
	Asked   []askJSON   `json:"asked"`
	Calls   []callJSON  `json:"calls"`
	Running []childJSON `json:"running"`
	Recent  []string    `json:"recent"`
}

type turnJSON struct {
	ID    string    `json:"id"`
	Open  bool      `json:"open"`
	Start time.Time `json:"start,omitzero"`
}

type askJSON struct {
	Kind     string `json:"kind"`
	Tool     string `json:"tool"`
	Activity string `json:"activity"`
	Subagent string `json:"subagent"`
}

type callJSON struct {
	ID       string `json:"id"`
	Tool     string `json:"tool"`
	Activity string `json:"activity"`
	Subagent string `json:"subagent"`
}

type childJSON struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
}

// runShow is `panehook show [SESSION]`.
func runShow(p *process, args []string) int {
	fs := flag.NewFlagSet("show", flag.ContinueOnError)
	last := countFlag(fs, "n", 10)
	asJSON := fs.Bool("json", false, "")
	words, err := p.parseFlags(fs, args, showUsage)
	if err != nil {
		return p.fail(err)
	}
	now := p.now()
	b, err := readBoard(now)
	if err != nil {
		return p.fail(err)
	}
	id, err := p.oneSession(b, words)
	if err != nil {
		return p.fail(err)
	}
	s := b.sessions[id]
	r := newLogReader(b.root, id)
	defer r.close()
	events, err := r.last(*last)
	if err != nil {
		s.problem = strings.TrimPrefix(s.problem+"; log: "+readerProblem(err), "; ")
	}
	waiting, err := state.WaitingEvents(id)
	if err != nil {
		waiting = 0
	}
	if *asJSON {
		return p.printJSON(s.json(b.root, waiting, events, now))
	}
	out := bufio.NewWriter(p.stdout)
	s.print(out, b.root, waiting, events, now)
	if err := out.Flush(); err != nil {
		return p.fail(err)
	}
	return 0
}

func (s *boardSession) json(root string, waiting int, events []state.StateEvent, now time.Time) sessionJSON {
	out := sessionJSON{
		Version: listVersion, Time: now.UTC(), Session: s.id, Problem: s.problem, SeenAt: safeTime(s.seenAt),
		Waiting: waiting, Panes: []openJSON{}, Events: []eventJSON{},
	}
	for i := range s.panes {
		p := &s.panes[i]
		m := &p.Stored.Memory
		open := openJSON{
			paneJSON: p.json(root, now),
			Turn:     turnJSON{ID: adapters.Word(m.Turn.ID), Open: m.Turn.Open, Start: safeTime(m.Turn.Start)},
			Asked:    []askJSON{}, Calls: []callJSON{}, Running: []childJSON{}, Recent: []string{},
		}
		open.Recent = append(open.Recent, p.Stored.Recent...)
		for _, q := range m.Prompts {
			open.Asked = append(open.Asked, askJSON{adapters.Word(q.Kind), adapters.Word(q.Tool), adapters.Clean(q.Activity), adapters.Word(q.Child)})
		}
		for _, c := range m.Calls {
			open.Calls = append(open.Calls, callJSON{adapters.Word(c.ID), adapters.Word(c.Tool), adapters.Clean(c.Activity), adapters.Word(c.Child)})
		}
		for _, c := range m.Children {
			open.Running = append(open.Running, childJSON{adapters.Word(c.ID), adapters.Word(c.Kind)})
		}
		out.Panes = append(out.Panes, open)
	}
	for i := range events {
		out.Events = append(out.Events, eventForJSON(s.id, &events[i]))
	}
	return out
}

// print is the session for people.
func (s *boardSession) print(w io.Writer, root string, waiting int, events []state.StateEvent, now time.Time) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("session", "%s", s.id)
	if s.problem != "" {
		row("problem", "%s", s.problem)
	}
	switch {
	case waiting == 1:
		row("waiting", "1 event is not applied yet; panehook sweep applies it")
	case waiting > 1:
		row("waiting", "%s are not applied yet; panehook sweep applies them", eventsText(waiting))
	}
	all := s.json(root, waiting, events, now)
	for i := range all.Panes {
		if len(all.Panes) > 1 {
			fmt.Fprintln(w)
		}
		printPane(row, &s.panes[i], &all.Panes[i], now)
	}
	paths := s.panes[0].json(root, now).Paths
	row("files", "%s", visible(paths.State))
	row("", "%s", visible(paths.Log))
	if s.manifest != nil {
		row("", "%s", visible(paths.Manifest))
	}
	if len(events) > 0 {
		fmt.Fprintln(w)
	}
	for i := range events {
		fmt.Fprintln(w, eventLine(&events[i]))
	}
}

func printPane(row func(string, string, ...any), p *shownPane, open *openJSON, now time.Time) {
	optional := func(name, text string) {
		if text != "" {
			row(name, "%s", text)
		}
	}
	text := p.Shown.State
	if since := p.since(); !since.IsZero() {
		text += " for " + ageText(now.Sub(since)) + ", since " + clockText(since)
	}
	row("state", "%s", text)
	if p.Rule != "" {
		row("stored", "%s, corrected by the rule %s", p.Stored.State, p.Rule)
	}
	optional("problem", p.Problem)
	optional("activity", p.Shown.Activity)
	optional("tool", p.Shown.Tool)
	if !p.Shown.LastEvent.IsZero() {
		row("last event", "%s, %s ago", p.Shown.LastKind, ageText(p.silence(now)))
	}
	optional("title", p.Title)
	optional("directory", visible(p.Cwd))
	optional("agent", p.agentText())
	optional("transcript", visible(p.Stored.Memory.Owner.Transcript))
	optional("quest", p.questText())
	row("color", "%s (%s)", p.Color, p.ColorFrom)
	if open.Turn.Open {
		row("turn", "%s", strings.TrimSpace(open.Turn.ID+" since "+clockText(open.Turn.Start)))
	}
	for _, q := range open.Asked {
		row("asks", "%s", strings.TrimSpace(q.Kind+"  "+q.Activity))
	}
	for _, c := range open.Calls {
		row("call", "%s", strings.TrimSpace(c.Tool+"  "+c.Activity))
	}
	for _, c := range open.Running {
		row("running", "%s", strings.TrimSpace(c.Kind+"  "+c.ID))
	}
	for _, line := range open.Recent {
		row("says", "%s", line)
	}
}

// agentText is the agent with its own session and its process.
func (p *shownPane) agentText() string {
	owner := &p.Stored.Memory.Owner
	parts := []string{p.agent()}
	if owner.Session != "" {
		parts = append(parts, "session "+adapters.Word(owner.Session))
	}
	if owner.PID != 0 {
		word := "runs"
		if !alive(owner.PID, owner.Started) {
			word = "is gone"
		}
		parts = append(parts, fmt.Sprintf("process %d %s", owner.PID, word))
	}
	return strings.Join(parts, ", ")
}

func clockText(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }
