package state

import (
	"errors"
	"time"
)

// Phases of an armed quest loop, for readers to show.
const (
	// QuestLoopPhaseWaiting: the loop waits for the session to be done.
	QuestLoopPhaseWaiting = "waiting"
	// QuestLoopPhaseChecking: the quest's own checks run.
	QuestLoopPhaseChecking = "checking"
	// QuestLoopPhasePaused: the agent waits for a person, and the loop with it.
	QuestLoopPhasePaused = "paused"
)

// ErrQuestLoopArmed is returned by ArmQuestLoop when the session has a marker.
var ErrQuestLoopArmed = errors.New("quest loop already armed")

// QuestLoopState marks a session for which a quest loop is armed. The process
// that loops knows better; the marker is for readers, and against arming twice.
type QuestLoopState struct {
	Since time.Time `json:"since"`
	// Iterations counts the checks so far, and LastVerdict is what the latest
	// one said.
	Iterations  int    `json:"iterations"`
	LastVerdict string `json:"last_verdict,omitempty"`
	Phase       string `json:"phase,omitempty"`

	unknown string
}

func (q *QuestLoopState) layout() layout {
	return layout{
		members: []member{
			stamp("since", &q.Since),
			number("iterations", &q.Iterations),
			optional(text("last_verdict", &q.LastVerdict)),
			optional(text("phase", &q.Phase)),
		},
		unknown: (*extraText)(&q.unknown),
	}
}

// MarshalJSON writes the marker with its unknown keys.
func (q QuestLoopState) MarshalJSON() ([]byte, error) { return encode(&q) }

// UnmarshalJSON reads a marker; unknown keys are written again by MarshalJSON.
func (q *QuestLoopState) UnmarshalJSON(data []byte) error { return decode(data, q) }

// ArmQuestLoop marks the session as looped since the given time, in phase
// waiting. A marker that is there gives ErrQuestLoopArmed, unless force
// replaces it because its loop is known to be gone.
func ArmQuestLoop(sessionID string, since time.Time, force bool) error {
	armed := false
	err := UpdateSessionState(sessionID, func(ss *SessionState) bool {
		if armed = ss.QuestLoop != nil; armed && !force {
			return false
		}
		ss.QuestLoop = &QuestLoopState{Since: since.UTC(), Phase: QuestLoopPhaseWaiting}
		return true
	})
	if err == nil && armed && !force {
		return ErrQuestLoopArmed
	}
	return err
}

// UpdateQuestLoop records how far the loop has come. Without a marker it does
// nothing.
func UpdateQuestLoop(sessionID string, iterations int, verdict, phase string) error {
	return changeQuestLoop(sessionID, func(q *QuestLoopState) {
		q.Iterations, q.LastVerdict, q.Phase = iterations, verdict, phase
	})
}

// SetQuestLoopPhase records what the loop does now. Without a marker it does
// nothing.
func SetQuestLoopPhase(sessionID, phase string) error {
	return changeQuestLoop(sessionID, func(q *QuestLoopState) { q.Phase = phase })
}

func changeQuestLoop(sessionID string, change func(*QuestLoopState)) error {
	return updateExisting(sessionID, func(ss *SessionState) bool {
		if ss.QuestLoop == nil {
			return false
		}
		before := *ss.QuestLoop
		change(ss.QuestLoop)
		return *ss.QuestLoop != before
	})
}

// ClearQuestLoop removes the marker, if there is one.
func ClearQuestLoop(sessionID string) error {
	return updateExisting(sessionID, func(ss *SessionState) bool {
		was := ss.QuestLoop != nil
		ss.QuestLoop = nil
		return was
	})
}
