package transitions

import (
	"testing"
	"time"

	"panehook/state"
)

// Hooks of a session that was left can come after the next one's start. Only
// a new beginning of it may take the pane back.
func TestFormerOwnerHasNoSay(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	pane := state.PaneState{Role: "primary"}
	late := []Kind{
		ToolStarted, Asked, Spoke, ChildStarted, CompactionStarted,
		ToolEnded, ToolDenied, ToolsSettled, Answered, ChildEnded, CompactionEnded,
		TurnEnded, RunEnded, Interrupted, Closed, Left, Reminded, Nudged, Noted,
	}
	for _, ev := range []Event{
		{Kind: Prompted, Session: "old", Turn: "t1"},
		{Kind: ToolStarted, Session: "old", Turn: "t1", Call: "c1", Tool: "Bash"},
		{Kind: Left, Session: "old"},
		{Kind: Opened, Session: "new"},
	} {
		at = at.Add(time.Second)
		pane, _ = Next(pane, ev, at)
		if ev.Kind != Left && ev.Kind != Opened {
			continue
		}
		for _, kind := range late {
			_, d := Next(pane, Event{Kind: kind, Session: "old", Turn: "t1", Call: "c1", Tool: "Bash", Ask: AskPermission}, at)
			if d.Claim != Foreign || d.Changed {
				t.Errorf("%s of the former session, after %s: %s by %q", kind, ev.Kind, d.Claim, d.Rule)
			}
		}
	}
	for _, kind := range []Kind{ModelAsked, ToolStarted, Asked, ChildStarted} {
		if _, d := Next(pane, Event{Kind: kind, Session: "other", Child: "a1", Call: "c1"}, at); d.Claim != Foreign {
			t.Errorf("%s of another session's subagent: %s by %q", kind, d.Claim, d.Rule)
		}
	}
	for _, kind := range []Kind{Opened, Prompted, RunStarted, ModelAsked} {
		got, d := Next(pane, Event{Kind: kind, Session: "old", Turn: "t2"}, at)
		if d.Claim != Successor || got.Memory.Owner.Session != "old" {
			t.Errorf("%s of the former session: %s by %q", kind, d.Claim, d.Rule)
		}
		if _, d := Next(got, Event{Kind: ToolStarted, Session: "old", Turn: "t2", Call: "c9"}, at); d.Claim != Own {
			t.Errorf("after %s, its tools are %s", kind, d.Claim)
		}
	}
}
