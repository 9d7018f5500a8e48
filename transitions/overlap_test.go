package transitions

import (
	"testing"
	"time"

	"panehook/state"
)

// TestOverlap: what goes on side by side ends on its own, and what comes late
// ends nothing.
func TestOverlap(t *testing.T) {
	end := func(turn string) Event { return Event{Kind: TurnEnded, Turn: turn, Activity: "All done."} }
	dialog := Event{Kind: Asked, Ask: AskDialog, Activity: "Question: Pick"}
	answered := Event{Kind: Answered, Ask: AskDialog}
	failedRun := Event{Kind: RunEnded, Outcome: Retrying, Activity: "Error: terminated"}
	stories := map[string][]step{
		"a subagent's call ends after the lead's turn": {
			{ev: prompted("t1"), since: "new"},
			{ev: by("kid", Event{Kind: ChildStarted})},
			{ev: by("kid", started("k1", "e1")), state: Working, since: "kept"},
			{ev: by("kid", permission("e1")), state: Blocked},
			{ev: end("t1"), state: Blocked},
			{ev: by("kid", ended("k1", "e1")), state: Working, since: "kept"},
			{ev: by("kid", Event{Kind: ChildEnded}), state: Done},
			{ev: by("kid", ended("k1", "e1")), state: Done},
		},
		"a plan waits, whatever a subagent does": {
			{ev: prompted("t1")},
			{ev: by("kid", Event{Kind: ChildStarted}), state: Working},
			{ev: Event{Kind: TurnEnded, Turn: "t1", Outcome: Review, Activity: "Plan: ready"}, state: Blocked},
			{ev: by("kid", Event{Kind: ModelAsked}), state: Blocked, activity: "Plan: ready"},
			{ev: by("kid", started("k1", "e1")), state: Blocked, activity: "Plan: ready"},
			{ev: by("kid", ended("k1", "e1")), state: Blocked, activity: "Plan: ready"},
			{ev: by("kid", Event{Kind: ChildEnded}), state: Blocked, activity: "Plan: ready"},
			{ev: prompted("t2"), state: Working, activity: "You: t2"},
		},
		"an error stays, whatever a subagent does": {
			{ev: prompted("t1")},
			{ev: by("kid", Event{Kind: ChildStarted}), state: Working},
			{ev: Event{Kind: TurnEnded, Turn: "t1", Outcome: Failed, Activity: "Error: 500"}, state: Blocked},
			{ev: by("kid", started("k1", "e1")), state: Blocked, activity: "Error: 500"},
			{ev: by("kid", Event{Kind: ChildEnded}), state: Blocked, activity: "Error: 500"},
		},
		"an interrupt of the turn before": {
			{ev: prompted("t1")},
			{ev: prompted("t2"), state: Working},
			{ev: Event{Kind: Interrupted, Turn: "t1"}, state: Working, rule: "interrupted-before"},
			{ev: started("t2", "c1"), state: Working, tool: "Bash"},
			{ev: Event{Kind: Interrupted, Turn: "t2"}, state: Idle},
		},
		"a dialog over the end of a run": {
			{ev: prompted("t1")},
			{ev: dialog, state: Blocked},
			{ev: end("t1"), state: Blocked, activity: "Question: Pick"},
			{ev: answered, state: Done, activity: "All done."},
		},
		"a dialog over the start of a run": {
			{ev: prompted("t1")},
			{ev: end("t1"), state: Done},
			{ev: dialog, state: Blocked},
			{ev: prompted("t2"), state: Blocked, activity: "Question: Pick"},
			{ev: answered, state: Working, activity: "You: t2"},
		},
		"text that streams is no success": {
			{ev: prompted("t1")},
			{ev: Event{Kind: Spoke, Outcome: Partial}},
			{ev: failedRun, state: Working},
			{ev: Event{Kind: Spoke, Outcome: Partial}},
			{ev: failedRun, state: Working},
			{ev: Event{Kind: Spoke, Outcome: Partial}},
			{ev: failedRun, state: Working},
			{ev: Event{Kind: Spoke, Outcome: Partial}},
			{ev: failedRun, state: Blocked, activity: "Error: terminated"},
		},
	}
	for name, steps := range stories {
		t.Run(name, func(t *testing.T) { play(t, state.PaneState{}, steps) })
	}
}

// TestOwnProcess: a session of the owner's own process does not run inside its
// tools, whatever they look like.
func TestOwnProcess(t *testing.T) {
	play(t, state.PaneState{}, []step{
		{ev: prompted("t1")},
		{ev: started("t1", "c1"), state: Working},
		{ev: Event{Session: "s2", Kind: Opened, OwnProcess: true}, state: Starting, claim: Successor},
		{ev: Event{Kind: Closed}, state: Starting, claim: Foreign},
		{ev: of("s2", prompted("u1")), state: Working, claim: Own},
	})
}

// TestNestedBetweenOwners: what ran inside the owner's tools does not become
// the owner while the pane has none.
func TestNestedBetweenOwners(t *testing.T) {
	play(t, state.PaneState{}, []step{
		{ev: prompted("t1")},
		{ev: started("t1", "c1")},
		{ev: of("n", prompted("n1")), state: Working, claim: Nested},
		{ev: Event{Kind: Left}, state: Idle},
		{ev: of("n", started("n1", "d1")), state: Idle, claim: Nested},
		{ev: of("s2", Event{Kind: Opened}), state: Starting, claim: Own},
		{ev: of("s2", prompted("u1")), state: Working},
		{ev: of("n", Event{Kind: TurnEnded, Turn: "n1"}), state: Working, claim: Foreign},
	})
}

// TestWorkingByAnotherProgram: the turn that it took for working is the same
// one, so that its events still count.
func TestWorkingByAnotherProgram(t *testing.T) {
	pane := play(t, state.PaneState{}, []step{
		{ev: prompted("t1")},
		{ev: started("t1", "c1")},
		{ev: permission("c1"), state: Blocked},
	})
	pane.State = Working
	play(t, pane, []step{
		{ev: ended("t1", "c1"), state: Working},
		{ev: started("t1", "c2"), state: Working, tool: "Bash"},
		{ev: Event{Kind: TurnEnded, Turn: "t1", Activity: "All done."}, state: Done, activity: "All done."},
	})
}

// TestEvidenceOfOthers: neither the lead's end nor a process of somebody else
// answers a question.
func TestEvidenceOfOthers(t *testing.T) {
	at := func(seconds float64) time.Time { return dawn.Add(time.Duration(seconds * float64(time.Second))) }
	background := []step{
		{ev: prompted("t1")},
		{ev: by("kid", Event{Kind: ChildStarted})},
		{ev: by("kid", started("k1", "e1"))},
		{ev: Event{Kind: TurnEnded, Turn: "t1", Listed: true, Running: []state.Child{{ID: "kid", Kind: "subagent"}}}, state: Working},
	}
	working := play(t, state.PaneState{}, background)
	blocked := play(t, state.PaneState{}, append(background, step{ev: by("kid", permission("e1")), state: Blocked}))
	beside := play(t, state.PaneState{}, []step{
		{ev: prompted("t1")},
		{ev: started("t1", "c1")},
		{ev: permission("c1"), state: Blocked},
		{ev: by("kid", Event{Kind: ChildStarted})},
		{ev: by("kid", started("k1", "e1")), state: Blocked},
	})
	ending := Evidence{Ending: Sighting{State: Done, At: at(9)}}
	for _, tt := range []struct {
		name  string
		pane  state.PaneState
		ev    Evidence
		state string
	}{
		{"the lead's turn ended, a subagent works", working, ending, Working},
		{"the lead's turn ended, a subagent asks", blocked, ending, Blocked},
		{"a process, while a later call runs", beside, Evidence{Spawned: []time.Time{at(9)}}, Blocked},
	} {
		if got, rule := Correct(tt.pane, tt.ev, at(10)); got.State != tt.state {
			t.Errorf("%s: shows %s by %q, want %s", tt.name, got.State, rule, tt.state)
		}
	}
}
