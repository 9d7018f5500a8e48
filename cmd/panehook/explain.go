package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

const explainUsage = `usage: panehook explain [--session SESSION] [--json] AGENT [EVENT] < payload

Says what a hook with this payload would do, and why. Writes nothing.

  --session SESSION  starts from the stored pane of a session, which is named as
                     for panehook log; without it there is no pane before
  --json             one object; see docs/json.md
`

// explanation is what panehook explain --json prints.
type explanation struct {
	Agent  string         `json:"agent"`
	Event  string         `json:"event"`
	Kind   string         `json:"kind"`
	Fields map[string]any `json:"fields"`
	Claim  string         `json:"claim"`
	Rule   string         `json:"rule"`
	Change bool           `json:"change"`
	Before paneView       `json:"before"`
	After  paneView       `json:"after"`
	Odd    []string       `json:"not_understood"`
}

// paneView is a pane as the commands for people show it.
type paneView struct {
	State        string    `json:"state"`
	Activity     string    `json:"activity"`
	Tool         string    `json:"tool"`
	WorkingSince time.Time `json:"working_since,omitzero"`
	Owner        string    `json:"owner,omitempty"`
	OpenCalls    int       `json:"open_calls"`
	Questions    int       `json:"questions"`
	Children     int       `json:"children"`
}

func viewOf(p state.PaneState) paneView {
	return paneView{
		State:        adapters.Word(p.State),
		Activity:     adapters.Clean(p.Activity),
		Tool:         adapters.Word(p.Tool),
		WorkingSince: p.WorkingSince,
		Owner:        adapters.Word(p.Memory.Owner.Session),
		OpenCalls:    len(p.Memory.Calls),
		Questions:    len(p.Memory.Prompts),
		Children:     len(p.Memory.Children),
	}
}

// runExplain is `panehook explain AGENT [EVENT]`, for a person with a payload
// in hand.
func runExplain(p *process, args []string) int {
	fs := flag.NewFlagSet("explain", flag.ContinueOnError)
	session := fs.String("session", "", "")
	asJSON := fs.Bool("json", false, "")
	words, err := p.parseFlags(fs, args, explainUsage)
	if err == nil && (len(words) == 0 || len(words) > 2) {
		err = errors.New("explain needs an agent and at most one event; see panehook explain --help")
	}
	if err != nil {
		return p.fail(err)
	}
	h := &hookCall{process: p, agent: agentNamed(words[0])}
	if h.agent == nil {
		return p.fail(unknownAgent(words[0]))
	}
	if len(words) == 2 {
		h.event = words[1]
	}
	before, err := p.storedPane(*session)
	if err != nil {
		return p.fail(err)
	}
	payload, whole, err := readAll(p)
	if err != nil {
		return p.fail(err)
	}
	reading := h.read(payload, whole)
	after, d := transitions.Next(before, reading.Event, p.now().UTC())
	line := reading.Event.Line()
	e := explanation{
		Agent:  h.agent.Name,
		Event:  reading.Event.Name,
		Kind:   string(reading.Event.Kind),
		Fields: line.Fields,
		Claim:  string(d.Claim),
		Rule:   d.Rule,
		Change: d.Changed,
		Before: viewOf(before),
		After:  viewOf(after),
		Odd:    reading.Odd,
	}
	if *asJSON {
		return p.printJSON(e)
	}
	e.print(p.stdout)
	return 0
}

// storedPane is the pane that an explanation starts from: that of a stored
// session, else an empty one.
func (p *process) storedPane(session string) (state.PaneState, error) {
	if session == "" {
		return state.PaneState{Role: role}, nil
	}
	b, err := readBoard(p.now())
	if err != nil {
		return state.PaneState{}, err
	}
	id := fitID(session) // as the hook takes it
	if b.sessions[id] == nil {
		if id, err = b.sessionNamed(session); err != nil {
			return state.PaneState{}, err
		}
	}
	ss, err := state.LoadSessionStateAt(b.root, id)
	if err != nil {
		return state.PaneState{}, err
	}
	if ss == nil {
		return state.PaneState{}, fmt.Errorf("no state is stored for session %s", id)
	}
	return ss.Panes[role], nil
}

// readAll reads the payload that a person pipes in. It waits for as long as
// they do, but not for one typed by hand.
func readAll(p *process) (payload []byte, whole bool, err error) {
	if isTerminal(p.stdin) {
		return nil, false, errors.New("no payload on stdin; try: panehook explain AGENT < payload.json")
	}
	payload, whole = readPayload(p.stdin, time.Now().Add(time.Hour))
	return payload, whole, nil
}

func (e *explanation) print(w io.Writer) {
	fmt.Fprintf(w, "event   %s %s, taken as %q\n", e.Agent, e.Event, e.Kind)
	for _, name := range sortedKeys(e.Fields) {
		fmt.Fprintf(w, "        %-10s %s\n", name, oneLine(fmt.Sprint(e.Fields[name])))
	}
	fmt.Fprintf(w, "owner   %s\n", claimText(transitions.Claim(e.Claim), e.Before.Owner))
	fmt.Fprintf(w, "rule    %s\n", e.Rule)
	fmt.Fprintf(w, "before  %s\n", e.Before.text())
	fmt.Fprintf(w, "after   %s\n", e.After.text())
	if !e.Change {
		fmt.Fprintln(w, "        nothing changes: a line in the log, no new state")
	}
	for _, odd := range e.Odd {
		fmt.Fprintf(w, "odd     %s\n", odd)
	}
}

func claimText(c transitions.Claim, owner string) string {
	switch c {
	case transitions.OfChild:
		return "child: a subagent speaks, the lead's turn is not touched"
	case transitions.Nested:
		return "nested: an agent inside a tool of " + owner + ", it changes nothing"
	case transitions.Foreign:
		return "foreign: not of " + owner + ", it changes nothing"
	case transitions.Successor:
		return "successor: takes the pane over from " + owner
	}
	if owner == "" {
		return "own: nobody owned the pane"
	}
	return "own: of the session that owns the pane"
}

func (v paneView) text() string {
	if v.State == "" {
		return "(no pane)"
	}
	var b strings.Builder
	b.WriteString(v.State)
	if v.Activity != "" {
		b.WriteString("  " + v.Activity)
	}
	var more []string
	count := func(n int, what string) {
		if n > 0 {
			more = append(more, fmt.Sprintf("%s: %d", what, n))
		}
	}
	if v.Tool != "" {
		more = append(more, "tool: "+v.Tool)
	}
	count(v.OpenCalls, "open calls")
	count(v.Questions, "questions")
	count(v.Children, "subagents")
	if len(more) > 0 {
		b.WriteString("  (" + strings.Join(more, ", ") + ")")
	}
	return b.String()
}
