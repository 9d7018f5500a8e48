package transitions

import (
	"strconv"
	"testing"
	"time"

	"panehook/state"
)

// BenchmarkNext applies the events of a turn with two tool calls side by side,
// again and again, as in a session that lasts.
func BenchmarkNext(b *testing.B) {
	turn := []Event{
		{Kind: Prompted, Turn: "t", Activity: "You: go on"},
		{Kind: ToolStarted, Call: "c1", Tool: "Read", Activity: "Read: a.txt", Key: "k1"},
		{Kind: ToolStarted, Call: "c2", Tool: "Bash", Activity: "Bash: go test ./...", Key: "k2"},
		{Kind: ToolEnded, Call: "c1", Tool: "Read", Key: "k1"},
		{Kind: ToolEnded, Call: "c2", Tool: "Bash", Key: "k2"},
		{Kind: TurnEnded, Turn: "t", Activity: "Done."},
	}
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	pane := state.PaneState{Role: "primary"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ev := turn[i%len(turn)]
		ev.Agent, ev.Session = "claude", "s"
		if ev.Turn != "" {
			ev.Turn += strconv.Itoa(i / len(turn))
		}
		at = at.Add(time.Second)
		after, d := Next(pane, ev, at)
		if !d.Changed {
			b.Fatalf("event %d changed nothing", i)
		}
		pane = after
	}
}
