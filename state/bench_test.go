package state

import (
	"testing"
	"time"
)

func BenchmarkRecord(b *testing.B) {
	tempRoot(b)
	apply := func(ss *SessionState, ev *StateEvent) bool {
		pane := ss.Panes["primary"]
		pane.Role, pane.Agent, pane.State, pane.Activity = "primary", "claude", "working", "Bash: go test ./..."
		pane.Seq++
		pane.LastEvent = ev.Ts
		ss.Panes["primary"] = pane
		return true
	}
	ev := StateEvent{Agent: "claude", Role: "primary", Action: "PreToolUse", Fields: map[string]any{"rule": "tool-start"}}
	b.ReportAllocs()
	for b.Loop() {
		if err := Record(testID, ev, time.Second, apply); err != nil {
			b.Fatal(err)
		}
	}
}
