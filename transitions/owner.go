package transitions

import (
	"slices"

	"panehook/state"
)

// Claim says whose event it was, seen from the pane's owner.
type Claim string

const (
	Own       Claim = "own"       // of the owner, or of an unowned pane
	OfChild   Claim = "child"     // of a subagent of the owner
	Nested    Claim = "nested"    // of an agent that runs inside the owner's tool
	Foreign   Claim = "foreign"   // of a session that has no say here
	Successor Claim = "successor" // of a session that takes the pane over
)

// claim decides whose event it is, in this order:
//  1. the owner's, or anybody's where the pane or the event names nobody;
//  2. a session that began inside the owner's tools stays inside, for as long
//     as the owner lives, unless it is in the owner's own process;
//  3. an end or a mere note of another session has no say, nor has a subagent
//     of one, nor anything that a former owner sends but a new beginning: they
//     come late, from before the pane changed hands;
//  4. any other session has taken the pane over, with or without a word.
func (s *scene) claim() Claim {
	former := s.ev.Session != "" && slices.Contains(s.mem.Former, s.ev.Session)
	owner := s.mem.Owner.Session
	switch {
	case former && (!begins(s.ev.Kind) || s.ev.Child != ""):
		return Foreign
	case s.ev.Session == "" || s.ev.Session == owner || owner == "" && !s.wasInside():
		if s.ev.Child != "" {
			return OfChild
		}
		return Own
	case s.inside():
		return Nested
	case endsOrNotes(s.ev.Kind) || s.ev.Child != "":
		return Foreign
	}
	return Successor
}

func (s *scene) inside() bool {
	if s.ev.OwnProcess || s.ev.OwnerGone || s.mem.Rest == Stopped && !active(s.mem) {
		return false
	}
	return s.ev.Inside || begins(s.ev.Kind) && len(s.mem.Calls) > 0 || s.wasInside()
}

// wasInside: a session that is opened anew while the owner uses no tool has
// left the inside, as when a person resumes it in the same pane.
func (s *scene) wasInside() bool {
	return s.ev.Kind != Opened && slices.Contains(s.mem.Nested, s.ev.Session)
}

// endsOrNotes tells whether an event only ends something, or does nothing.
func endsOrNotes(k Kind) bool {
	switch k {
	case Closed, Left, TurnEnded, RunEnded, Interrupted, ToolEnded, ToolDenied, ToolsSettled,
		Answered, ChildEnded, CompactionEnded, Reminded, Nudged, Noted:
		return true
	}
	return false
}

// begins tells whether an event can be the first of a session. One that is
// met in its midst did not begin inside the owner's tool.
func begins(k Kind) bool {
	switch k {
	case Opened, Swapped, Reloaded, Prompted, RunStarted, ModelAsked:
		return true
	}
	return false
}

// rememberNested: the owner's tool may end before what it started does.
func (s *scene) rememberNested() {
	if !slices.Contains(s.mem.Nested, s.ev.Session) {
		s.mem.Nested = newest(append(s.mem.Nested, s.ev.Session), maxNested)
	}
}

// letGo remembers the owner as a former one.
func (s *scene) letGo() {
	if id := s.mem.Owner.Session; id != "" && !slices.Contains(s.mem.Former, id) {
		s.mem.Former = newest(append(s.mem.Former, id), maxFormer)
	}
	s.mem.Owner.Session = ""
}

// succeed hands the pane over. Of the old session nothing goes on; the new one
// is taken to be at its first prompt until its event says more.
func (s *scene) succeed() {
	s.letGo()
	*s.mem = state.PaneMemory{Since: s.mem.Since, Rest: Starting, Former: s.mem.Former}
	s.pane.Recent = nil
}

// own notes who owns the pane now.
func (s *scene) own() {
	o := &s.mem.Owner
	set := func(to *string, from string) {
		if from != "" {
			*to = from
		}
	}
	set(&s.pane.Agent, s.ev.Agent)
	set(&o.Session, s.ev.Session)
	s.mem.Former = slices.DeleteFunc(s.mem.Former, func(id string) bool { return id == o.Session })
	if s.ev.Child == "" {
		set(&o.Cwd, s.ev.Cwd)
		set(&o.Transcript, s.ev.Transcript)
	}
	if s.ev.PID != 0 {
		o.PID, o.Started = s.ev.PID, s.ev.Started
	}
	s.pane.PiSessionID, s.pane.SessionFile = "", ""
	if s.ev.Carried {
		s.pane.PiSessionID, s.pane.SessionFile = o.Session, o.Transcript
	}
}
