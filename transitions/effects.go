package transitions

import (
	"cmp"
	"slices"

	"panehook/state"
)

// effect is what a rule does to the memory. What the pane shows follows from
// the memory, in one place (show in next.go).
type effect func(*scene)

func keep(*scene) {}

// tell changes the activity and nothing else. While an error or a plan waits
// for the person, a subagent cannot talk it away.
func tell(s *scene) {
	if s.ev.Activity != "" && !(byChild(s) && restsBlocked(s.mem)) {
		s.mem.Text = s.ev.Activity
	}
}

// The session.

func openSession(s *scene) {
	*s.mem = state.PaneMemory{
		Since:  s.mem.Since,
		Owner:  s.mem.Owner,
		Former: s.mem.Former,
		Rest:   Starting,
		Text:   "started",
	}
	s.pane.Recent = nil
}

func swapSession(s *scene) {
	openSession(s)
	s.mem.Rest = Idle
}

// leaveSession lets the owner go: the next session of the same process, which
// stays known, takes the pane without asking.
func leaveSession(s *scene) {
	s.endAll(Idle)
	s.letGo()
}

func closeSession(s *scene) { s.endAll(Stopped) }

// The turn.

// startTurn leaves dialogs of extensions up, which belong to no turn.
func startTurn(s *scene) {
	children := s.mem.Children
	dialogs := slices.DeleteFunc(s.mem.Prompts, func(p state.Prompt) bool { return p.Kind != AskDialog })
	s.endAll(Idle)
	s.mem.Children, s.mem.Prompts = children, dialogs
	s.begin()
	s.mem.Text = s.ev.Activity
	s.pane.Recent = nil
}

// wake opens the turn that finished background work asked for. The work never
// paused, so its time goes on.
func wake(s *scene) {
	wasActive := active(s.mem)
	start := s.mem.Turn.Start
	s.dropOf("")
	s.closeTurn()
	s.begin()
	if wasActive {
		s.mem.Turn.Start = start
	}
	tell(s)
}

func continueRun(s *scene) {
	s.mem.Compacting = false
	s.mem.Outcome = ""
	tell(s)
}

// settleLead: the lead goes on, so whatever it waited for is over.
func settleLead(s *scene) {
	s.open()
	s.dropOf("")
	s.dropNotices()
}

// reopenTurn: a model is asked outside of any turn, because the agent started
// one by itself or another hook refused its end.
func reopenTurn(s *scene) {
	s.mem.Compacting = false
	settleLead(s)
}

func speak(s *scene) {
	s.open()
	tell(s)
	if s.ev.Outcome == "" {
		s.mem.Retries = 0
	}
	if len(s.ev.Recent) > 0 {
		s.pane.Recent = s.ev.Recent
	}
}

func rememberOutcome(s *scene) {
	if fresh(s) {
		s.open()
	}
	s.mem.Outcome = string(s.ev.Outcome)
	s.mem.Retries = 0
	tell(s)
}

func countRetry(s *scene) {
	retries := s.mem.Retries + 1
	rememberOutcome(s)
	s.mem.Retries = retries
}

// endTurn leaves the children that the agent lists as running, with their
// calls and questions. Where it keeps no list, the children are given up, since
// some versions never report their end, but not what they have begun or asked.
func endTurn(s *scene) {
	s.closeTurn()
	s.mem.Compacting = false
	s.mem.Rest = Done
	s.mem.Children = newest(slices.Clone(s.ev.Running), maxChildren)
	over := func(child string) bool {
		runs := slices.ContainsFunc(s.mem.Children, func(c state.Child) bool { return c.ID == child })
		return child == "" || s.ev.Listed && !runs
	}
	s.mem.Calls = slices.DeleteFunc(s.mem.Calls, func(c state.Call) bool { return over(c.Child) })
	s.dropPrompts(func(p state.Prompt) bool { return over(p.Child) && p.Kind != AskDialog })
	tell(s)
}

// blockTurn ends a turn that leaves something for the person: an error, or a
// plan to review.
func blockTurn(s *scene) {
	s.endAll(Blocked)
	tell(s)
}

func interrupt(s *scene) {
	s.endAll(Idle)
	s.mem.Text = "Interrupted"
}

func rest(s *scene) { s.endAll(Idle) }

// Tools and questions.

func toolStarts(s *scene) {
	s.takePart()
	s.dropQuestions()
	s.addCall()
	tell(s)
}

// toolAsks leaves other questions standing: they can be asked side by side.
func toolAsks(s *scene) {
	s.takePart()
	s.addCall()
	s.addPrompt(s.ev.Call)
}

func toolEnds(s *scene) {
	s.open()
	s.endCall()
}

func askPerson(s *scene) {
	// A dialog or a tool server's question can come up outside a turn, and
	// then gives back the rest that it found.
	if byChild(s) || s.ev.Ask != AskDialog && s.ev.Ask != AskElicitation {
		s.takePart()
	}
	s.raise()
}

func answer(s *scene) {
	i := s.lastPrompt(func(p state.Prompt) bool { return p.ID != "" && p.ID == s.ev.Call })
	if i < 0 {
		i = s.lastPrompt(func(p state.Prompt) bool { return p.Kind == s.ev.Ask && p.Child == s.ev.Child })
	}
	if i >= 0 {
		s.mem.Prompts = slices.Delete(s.mem.Prompts, i, i+1)
	}
	tell(s)
}

// Subagents. Their events never touch the lead's turn.

func admitChild(s *scene) {
	s.admit()
	tell(s)
}

// announceChild also notes what kind of subagent it is.
func announceChild(s *scene) {
	admitChild(s)
	for i := range s.mem.Children {
		if c := &s.mem.Children[i]; c.ID == s.ev.Child && c.Kind == "" {
			c.Kind = "subagent"
		}
	}
}

func settleChild(s *scene) {
	dropChildCalls(s)
	admitChild(s)
}

func dropChildCalls(s *scene) {
	if fresh(s) {
		s.admit()
	}
	s.dropOf(s.ev.Child)
	s.dropNotices()
}

// childToolEnds: a subagent that was given up at the end of the lead's turn is
// back when a call of it ends, and never paused.
func childToolEnds(s *scene) {
	start := s.mem.Turn.Start
	known := s.endCall()
	if known || fresh(s) {
		s.admit()
	}
	if known && !start.IsZero() {
		s.mem.Turn.Start = start
	}
}

// endChild: when the last child ends after the lead's turn, the work is done.
func endChild(s *scene) {
	wasActive := active(s.mem)
	s.dropOf(s.ev.Child)
	s.mem.Children = slices.DeleteFunc(s.mem.Children, func(c state.Child) bool { return c.ID == s.ev.Child })
	if wasActive && !active(s.mem) && s.mem.Rest != Stopped && s.mem.Rest != Blocked {
		s.mem.Rest = Done
	}
	if !s.mem.Turn.Open {
		tell(s)
	}
}

// Compaction.

// compactAtPrompt: the command was typed at the prompt, so a turn that still
// looks open had ended without a word.
func compactAtPrompt(s *scene) {
	after := s.mem.Rest
	if s.mem.Turn.Open || after != Done {
		after = Idle
	}
	s.endAll(after)
	compact(s)
}

func compact(s *scene) {
	if !active(s.mem) {
		s.mem.Turn.Start = s.now
	}
	s.mem.Compacting = true
	tell(s)
}

func endCompaction(s *scene) {
	s.mem.Compacting = false
	s.mem.Text = cmp.Or(s.ev.Activity, "Compacted")
}
