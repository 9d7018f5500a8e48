package state

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// working is an apply function whose state does not grow.
func working(ss *SessionState, ev *StateEvent) bool {
	pane := ss.Panes["primary"]
	pane.Role, pane.Agent, pane.State, pane.Activity = "primary", "claude", "working", "Bash: go test ./..."
	pane.Seq++
	pane.LastEvent = ev.Ts
	ss.Panes["primary"] = pane
	return true
}

func BenchmarkRecord(b *testing.B) {
	tempRoot(b)
	ev := StateEvent{Agent: "claude", Role: "primary", Action: "PreToolUse", Fields: map[string]any{"rule": "tool-start"}}
	b.ReportAllocs()
	for b.Loop() {
		if err := Record(testID, ev, time.Second, working); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecordUnchanged is the log line alone.
func BenchmarkRecordUnchanged(b *testing.B) {
	tempRoot(b)
	mustRecord(b, "a")
	apply := func(*SessionState, *StateEvent) bool { return false }
	b.ReportAllocs()
	for b.Loop() {
		if err := Record(testID, event("b"), time.Second, apply); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecordFullLog is Record with a log just before its rotation.
func BenchmarkRecordFullLog(b *testing.B) {
	root := tempRoot(b)
	mustRecord(b, "a")
	line := `{"ts":"2026-01-02T03:04:05Z","agent":"claude","role":"primary","action":"PreToolUse","fields":{"seq":1}}` + "\n"
	full := strings.Repeat(line, (StateJSONLMaxSize-1)/len(line))
	log := SessionStateLogPath(root, testID)
	for b.Loop() {
		b.StopTimer()
		if err := os.WriteFile(log, []byte(full), 0o600); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := Record(testID, event("b"), time.Second, working); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSessionStateJSON(b *testing.B) {
	data := []byte(forms["SessionState"].full)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var ss SessionState
		if err := decode(data, &ss); err != nil {
			b.Fatal(err)
		}
		if _, err := encode(&ss); err != nil {
			b.Fatal(err)
		}
	}
}

// The next two are to stay linear: compare their times for 100 and 1,000.

func BenchmarkDiscoverSessions(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			store := newStore(b)
			for i := range n {
				m := Manifest{SessionID: NewSessionID(int64(i)), Title: "t", Cwd: "/c", Agents: []AgentManifest{{Name: "claude", Role: "primary"}}}
				m.SetExtra("initial_prompt", "do it")
				if err := store.Create(m); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				all, err := store.DiscoverSessions()
				if err != nil || len(all) != n {
					b.Fatal(len(all), err)
				}
			}
		})
	}
}

func BenchmarkScanSessionStates(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			root := tempRoot(b)
			var ss SessionState
			if err := decode([]byte(forms["SessionState"].full), &ss); err != nil {
				b.Fatal(err)
			}
			for i := range n {
				if err := SaveSessionState(NewSessionID(int64(i)), &ss); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := range n {
					if ss, err := LoadSessionStateAt(root, NewSessionID(int64(i))); err != nil || ss == nil {
						b.Fatal(ss, err)
					}
				}
				if ids, err := SessionsForQuest("q"); err != nil || len(ids) != n {
					b.Fatal(len(ids), err)
				}
			}
		})
	}
}
