package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

// unknown is what readers show of a session whose state they can't read. It is
// never stored.
const unknown = "unknown"

// shownPane is one pane as readers show it. Its texts are safe to print: other
// programs write the files that they come from.
type shownPane struct {
	Session string
	Role    string
	Stored  state.PaneState
	Shown   state.PaneState
	Rule    string // why Shown differs from Stored, "" where it does not
	Problem string // why nothing is known, or not all
	// OnlyManifest tells that the session is announced and has no state yet.
	OnlyManifest bool

	Title     string
	Cwd       string // as it is, for other programs; clean it to print it
	Color     string
	ColorFrom string // session, repository or default
	Quest     string
	Loop      *state.QuestLoopState

	life life
}

// name is what a person calls the pane.
func (p *shownPane) name() string {
	if p.Title != "" {
		return p.Title
	}
	if p.Cwd != "" {
		return adapters.Base(p.Cwd)
	}
	return state.TrimSessionIDPrefix(p.Session)
}

// agent is the agent's name, with the pane's role where a session has several.
func (p *shownPane) agent() string {
	if p.Role == "" || p.Role == role {
		return p.Shown.Agent
	}
	return p.Shown.Agent + "/" + p.Role
}

// activity is the text to show beside the state.
func (p *shownPane) activity() string {
	if p.Shown.State == unknown && p.Problem != "" {
		return p.Problem
	}
	return p.Shown.Activity
}

// since is when the shown state began, zero where nobody knows.
func (p *shownPane) since() time.Time {
	if p.Shown.Memory.Since.IsZero() && !p.foundGone() {
		return p.Shown.LastEvent
	}
	return p.Shown.Memory.Since
}

// isOpen tells whether the pane is shown when not all are asked for.
func (p *shownPane) isOpen() bool {
	return p.Shown.State != transitions.Stopped && !p.OnlyManifest
}

// foundGone tells whether the agent is known to be gone only because its
// process is; nobody knows since when.
func (p *shownPane) foundGone() bool {
	return p.Rule != "" && p.Shown.State == transitions.Stopped
}

// silence is how long the agent has not been heard of.
func (p *shownPane) silence(now time.Time) time.Duration {
	if p.Shown.LastEvent.IsZero() {
		return 0
	}
	return max(0, now.Sub(p.Shown.LastEvent))
}

// rank orders states by how much they want a person.
func rank(name string) int {
	return slices.Index([]string{
		transitions.Stopped, unknown, transitions.Starting, transitions.Idle,
		transitions.Working, transitions.Done, transitions.Blocked,
	}, name)
}

// allStates are the states of panes in the order in which they are counted.
func allStates() []string {
	return []string{
		transitions.Blocked, transitions.Done, transitions.Working,
		transitions.Starting, transitions.Idle, unknown, transitions.Stopped,
	}
}

// byNeed orders panes: those that wait for a person first, and among them those
// that have waited longest. Of the panes that want nothing the latest is first.
func byNeed(a, b *shownPane) int {
	ra, rb := rank(a.Shown.State), rank(b.Shown.State)
	if ra != rb {
		return rb - ra
	}
	age := a.since().Compare(b.since())
	if ra < rank(transitions.Working) {
		age = -age
	}
	return cmp.Or(age, cmp.Compare(a.Session, b.Session), cmp.Compare(a.Role, b.Role))
}

// safePane makes the texts of a pane safe to print.
func safePane(p state.PaneState) state.PaneState {
	p.Role = adapters.Word(p.Role)
	p.Agent = adapters.Word(p.Agent)
	p.Activity = adapters.Clean(p.Activity)
	p.Tool = adapters.Word(p.Tool)
	p.LastKind = adapters.Word(p.LastKind)
	recent := p.Recent
	p.Recent = nil
	for _, line := range recent {
		p.Recent = append(p.Recent, adapters.Clean(line))
	}
	for _, t := range []*time.Time{&p.LastEvent, &p.WorkingSince, &p.Memory.Since} {
		*t = safeTime(*t)
	}
	return p
}

// safeTime is a time that can be written: one at the edge of what a file can
// say may have no text in another time zone.
func safeTime(t time.Time) time.Time {
	t = t.UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// safeLoop makes the texts of a quest loop's marker safe to print.
func safeLoop(l *state.QuestLoopState) *state.QuestLoopState {
	if l == nil {
		return nil
	}
	safe := *l
	safe.Since = safeTime(l.Since)
	safe.LastVerdict = adapters.Word(l.LastVerdict)
	safe.Phase = adapters.Word(l.Phase)
	return &safe
}

func isState(name string) bool {
	switch name {
	case transitions.Starting, transitions.Working, transitions.Blocked,
		transitions.Done, transitions.Idle, transitions.Stopped:
		return true
	}
	return false
}

// absolute is a directory that can be looked for, "" where the text is none.
func absolute(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Clean(dir)
}
