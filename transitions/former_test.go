package transitions

import (
	"testing"
	"time"

	"panehook/state"
)

// Hooks of a session that was left can come after the next one's start. None
// of those that end something may take the pane back.
func TestFormerOwnerHasNoSay(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	pane := state.PaneState{Role: "primary"}
	for _, ev := range []Event{
		{Kind: Prompted, Session: "old", Turn: "t1"},
		{Kind: ToolStarted, Session: "old", Turn: "t1", Call: "c1", Tool: "Bash"},
		{Kind: Left, Session: "old"},
		{Kind: Opened, Session: "new"},
	} {
		at = at.Add(time.Second)
		pane, _ = Next(pane, ev, at)
	}
	for _, kind := range []Kind{
		ToolEnded, ToolDenied, ToolsSettled, Answered, ChildEnded, CompactionEnded,
		TurnEnded, RunEnded, Interrupted, Closed, Left, Reminded, Nudged, Noted,
	} {
		got, d := Next(pane, Event{Kind: kind, Session: "old", Turn: "t1", Call: "c1", Tool: "Bash"}, at)
		if d.Claim != Foreign || d.Changed || got.Memory.Owner.Session != "new" {
			t.Errorf("%s of the former session: %s by %q, owner %q", kind, d.Claim, d.Rule, got.Memory.Owner.Session)
		}
	}
}
