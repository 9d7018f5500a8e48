package transitions

import (
	"slices"

	"panehook/state"
)

// guard is a condition of a rule. Guards only look.
type guard func(*scene) bool

func byChild(s *scene) bool { return s.ev.Child != "" }

func turnOpen(s *scene) bool   { return s.mem.Turn.Open }
func turnClosed(s *scene) bool { return !s.mem.Turn.Open }

// unseen: nothing is known of the pane, as when the hooks were installed in
// the middle of a session.
func unseen(s *scene) bool { return s.pane.State == "" }

// fresh: nothing is known yet of what the session does, so that the end of
// anything tells that there is work.
func fresh(s *scene) bool { return unseen(s) || s.pane.State == Starting }

// late: the event belongs to a turn that is over. Only a tool call with a turn
// id never seen shows that a new turn began without a word; hooks of an ended
// turn come late when several run at once.
func late(s *scene) bool {
	if s.mem.Turn.Open {
		return slices.Contains(s.mem.Ended, s.ev.Turn) && s.ev.Turn != s.mem.Turn.ID
	}
	if s.mem.Rest == "" || s.mem.Rest == Starting {
		return false
	}
	newTurn := s.ev.Kind == ToolStarted && s.ev.Turn != "" && !slices.Contains(s.mem.Ended, s.ev.Turn)
	return !newTurn
}

// ofEarlierTurn: another turn has begun since. Prompts typed while an answer
// streams come within milliseconds of its end, in either order.
func ofEarlierTurn(s *scene) bool {
	return s.mem.Turn.Open && s.ev.Turn != s.mem.Turn.ID && slices.Contains(s.mem.Ended, s.ev.Turn)
}

func sameOpenTurn(s *scene) bool {
	return s.mem.Turn.Open && s.ev.Turn != "" && s.ev.Turn == s.mem.Turn.ID
}

func asks(s *scene) bool      { return s.ev.Ask != "" }
func childAsks(s *scene) bool { return byChild(s) && asks(s) }

// afterExit: a hook that outlived its session.
func afterExit(s *scene) bool { return !active(s.mem) && s.mem.Rest == Stopped }

func childAfterExit(s *scene) bool { return byChild(s) && afterExit(s) }

// announced: the question behind a nudge is already known, or was answered,
// because this session announces its questions when they are asked.
func announced(s *scene) bool { return s.mem.Asks || len(s.mem.Prompts) > 0 }

// resting: nothing is open, and no error waits for the person.
func resting(s *scene) bool {
	switch s.pane.State {
	case Done, Idle, Starting, Stopped:
		return true
	}
	return false
}

func childrenRun(s *scene) bool { return len(s.mem.Children) > 0 }

func failed(s *scene) bool   { return s.endedBy(Failed) }
func aborted(s *scene) bool  { return s.endedBy(Aborted) }
func retrying(s *scene) bool { return s.ev.Outcome == Retrying }
func inReview(s *scene) bool { return s.ev.Outcome == Review }

// maxRetries is how often a failed run is tried again. It is Pi's default; no
// other agent that we know leaves its retries to be counted.
const maxRetries = 3

func triedEnough(s *scene) bool { return retrying(s) && s.mem.Retries >= maxRetries }

func leavesWork(s *scene) bool { return len(s.ev.Running) > 0 }

func byPerson(s *scene) bool   { return s.ev.Trigger == Manual }
func byAgent(s *scene) bool    { return s.ev.Trigger == Auto }
func compacting(s *scene) bool { return s.mem.Compacting }

func compactingModel(s *scene) bool { return s.mem.Compacting && s.ev.Trigger == Compacting }

// endedBy tells how an end came about; one that only says "settled" ended as
// the run before it.
func (s *scene) endedBy(o Outcome) bool {
	return s.ev.Outcome == o || s.ev.Outcome == Settled && s.mem.Outcome == string(o)
}

// restsBlocked tells whether the latest turn left something for the person.
func restsBlocked(m *state.PaneMemory) bool { return m.Rest == Blocked && !m.Turn.Open }

// active tells whether the memory holds anything that makes the pane work.
func active(m *state.PaneMemory) bool {
	return m.Turn.Open || len(m.Children) > 0 || m.Compacting
}
