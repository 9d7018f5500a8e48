package transitions

import (
	"testing"
	"time"

	"panehook/state"
)

// The reference's pane has members for the session and its file, which some
// agents' readers go by. They follow the owner.
func TestSessionIsCarriedThrough(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	steps := []struct {
		ev            Event
		session, file string
	}{
		{Event{Kind: Opened, Session: "p1", Transcript: "/s/p1.jsonl", Carried: true}, "p1", "/s/p1.jsonl"},
		{Event{Kind: ToolStarted, Session: "p1", Call: "c1", Carried: true}, "p1", "/s/p1.jsonl"},
		{Event{Kind: Left, Session: "p1", Carried: true}, "p1", "/s/p1.jsonl"},
		{Event{Kind: Swapped, Session: "p2", Transcript: "/s/p2.jsonl", Carried: true}, "p2", "/s/p2.jsonl"},
		{Event{Kind: Closed, Session: "p2", Carried: true}, "p2", "/s/p2.jsonl"},
		{Event{Kind: Opened, Session: "c", Transcript: "/c.jsonl"}, "", ""},
	}
	pane := state.PaneState{Role: "primary"}
	for _, step := range steps {
		pane, _ = Next(pane, Recall(step.ev.Line()), at)
		if pane.PiSessionID != step.session || pane.SessionFile != step.file {
			t.Errorf("after %s: session %q, file %q; want %q, %q", step.ev.Kind, pane.PiSessionID, pane.SessionFile, step.session, step.file)
		}
	}
}
