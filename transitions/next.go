package transitions

import (
	"math"
	"slices"
	"time"

	"panehook/state"
)

// Decision is what became of one event.
type Decision struct {
	// Rule is the id of the row that decided. Events that never reach the
	// table have "nested" or "foreign" here, those that no row takes "unknown".
	Rule  string
	Claim Claim
	// Changed tells that the pane is not the same, so that it must be stored.
	Changed bool
}

// Next applies one event to a pane, at the given time, and returns the pane as
// it is afterwards. The pane it is given is left as it was. In this order:
//  1. what another program did to the pane since is taken over (reconcile);
//  2. the event's session is held against the owner (claim);
//  3. the first row of the table that fits changes the memory;
//  4. what a reader sees is worked out from the memory (show).
//
// LastEvent and Seq never run backwards, whatever the clock does.
func Next(before state.PaneState, ev Event, now time.Time) (state.PaneState, Decision) {
	if now.Before(before.LastEvent) {
		now = before.LastEvent
	}
	pane := before
	pane.Memory = cloneMemory(before.Memory)
	s := &scene{ev: &ev, pane: &pane, mem: &pane.Memory, now: now}
	s.reconcile()

	d := Decision{Claim: s.claim()}
	switch d.Claim {
	case Foreign:
		d.Rule = "foreign"
	case Nested:
		d.Rule = "nested"
		s.rememberNested()
	default:
		if d.Claim == Successor {
			s.succeed()
		}
		d.Rule = s.apply()
	}

	s.show()
	s.bound()
	d.Changed = !samePane(&before, &pane)
	if d.Changed {
		pane.LastEvent = now
		pane.LastKind = ev.Name
		pane.Seq = nextSeq(before.Seq, now)
	}
	return pane, d
}

// nextSeq stays where it is at the end of all numbers, which only another
// program can have written.
func nextSeq(last int64, now time.Time) int64 {
	if last == math.MaxInt64 {
		return last
	}
	return max(last+1, now.UnixNano())
}

// apply runs the first fitting row and returns its id. An event that is only
// noted does not even touch the owner: it may come from anywhere.
func (s *scene) apply() string {
	for i := range rules {
		r := &rules[i]
		if r.On != s.ev.Kind || r.If != nil && !r.If(s) {
			continue
		}
		r.Do(s)
		if s.ev.Kind != Noted && effective(s.mem) == "" {
			s.mem.Rest = Starting // seen for the first time, and nothing is open
		}
		if s.ev.Kind != Noted && s.ev.Kind != Left {
			s.own()
		}
		return r.ID
	}
	return "unknown"
}

// RuleIDs lists the ids of all rows of the table, in its order.
func RuleIDs() []string {
	ids := make([]string, len(rules))
	for i := range rules {
		ids[i] = rules[i].ID
	}
	return ids
}

// reconcile takes over a state that another program stored: one that knows
// only the fields of the reference, or a reader that wrote done back to idle.
func (s *scene) reconcile() {
	if s.pane.State == "" || s.pane.State == effective(s.mem) {
		if s.pane.State == Working && s.mem.Turn.Start.IsZero() {
			s.mem.Turn.Start = s.workingSince()
		}
		return
	}
	m := s.mem
	turn, ended := m.Turn, slices.Clone(m.Ended)
	s.endAll(s.pane.State)
	switch s.pane.State {
	case Working:
		m.Rest = Starting
		if m.Turn = (state.Turn{Start: s.workingSince(), Open: true}); turn.Open {
			m.Turn.ID, m.Ended = turn.ID, ended // it goes on, and so do its events
		}
		m.Text = s.pane.Activity
	case Blocked:
		// Nobody said what it waits for, so any sign of work settles it.
		m.Rest = Idle
		m.Turn = state.Turn{ID: m.Turn.ID, Start: s.pane.LastEvent, Open: true}
		m.Prompts = []state.Prompt{{Kind: AskNotice, Tool: s.pane.Tool, Activity: s.pane.Activity}}
	default:
		m.Text = s.pane.Activity
	}
}

func (s *scene) workingSince() time.Time {
	if s.pane.WorkingSince.IsZero() {
		return s.pane.LastEvent
	}
	return s.pane.WorkingSince
}

// effective is the state that a memory amounts to.
func effective(m *state.PaneMemory) string {
	switch {
	case len(m.Prompts) > 0 || restsBlocked(m) && !m.Compacting:
		return Blocked
	case active(m):
		return Working
	default:
		return m.Rest
	}
}

// show works out what a reader sees.
func (s *scene) show() {
	p, m := s.pane, s.mem
	was := p.State
	p.State = effective(m)
	p.Activity = m.Text
	p.Tool = ""
	p.WorkingSince = time.Time{}
	switch p.State {
	case Blocked:
		if n := len(m.Prompts); n > 0 {
			q := m.Prompts[n-1]
			p.Activity, p.Tool = q.Activity, q.Tool
			if p.Tool == "" {
				p.Tool = callInUse(m).Tool
			}
		}
	case Working:
		p.Tool = callInUse(m).Tool
		if m.Turn.Start.IsZero() {
			m.Turn.Start = s.now
		}
		p.WorkingSince = m.Turn.Start
	}
	if p.State != was {
		m.Since = s.now
	}
}

// callInUse is the lead's newest open call, else a subagent's, else none. A
// subagent that nobody announced has no say in it: it may be a helper of the
// agent's own.
func callInUse(m *state.PaneMemory) state.Call {
	var use state.Call
	for _, c := range slices.Backward(m.Calls) {
		if c.Child == "" {
			return c
		}
		announced := slices.ContainsFunc(m.Children, func(child state.Child) bool {
			return child.ID == c.Child && child.Kind != ""
		})
		if use.Tool == "" && announced {
			use = c
		}
	}
	return use
}

func cloneMemory(m state.PaneMemory) state.PaneMemory {
	m.Ended = slices.Clone(m.Ended)
	m.Calls = slices.Clone(m.Calls)
	m.Prompts = slices.Clone(m.Prompts)
	m.Children = slices.Clone(m.Children)
	m.Nested = slices.Clone(m.Nested)
	m.Former = slices.Clone(m.Former)
	return m
}
