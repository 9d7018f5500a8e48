package main

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"panehook/state"
)

func storedState(t *testing.T, id string) state.PaneState {
	t.Helper()
	ss, err := state.LoadSessionState(id)
	if err != nil || ss == nil {
		t.Fatalf("no state of %s: %v", id, err)
	}
	return ss.Panes[role]
}

// A hook between the look and the lock makes the correction void.
func TestSweepLooksAgainUnderLock(t *testing.T) {
	newRoot(t)
	old := time.Now().UTC().Add(-time.Hour)
	putPane(t, "qm-a", state.PaneState{Role: role, Agent: "claude", State: "done", LastEvent: old, Memory: state.PaneMemory{Since: old}})
	b, err := readBoard(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	c := &sweepCommand{process: &process{stdout: &out, stderr: &out, now: time.Now}, board: b, prune: -1}
	put(t, "qm-a", "working", "a new prompt")
	if err := c.correct("qm-a"); err != nil {
		t.Fatal(err)
	}
	if p := storedState(t, "qm-a"); p.State != "working" || out.String() != "" {
		t.Errorf("stored %s, said %q", p.State, out.String())
	}
}

// Only what stays true is written: the rest is a matter of the moment.
func TestSweepWritesOnlyWhatLasts(t *testing.T) {
	newRoot(t)
	if _, ok := readStat(os.Getpid()); !ok {
		t.Skip("this system does not tell of processes")
	}
	old := time.Now().UTC().Add(-time.Hour)
	gone := state.Owner{PID: os.Getpid(), Started: ownStart() + 1}
	here := state.Owner{PID: os.Getpid(), Started: ownStart()}
	tests := []struct {
		id, stored, want string
		owner            state.Owner
	}{
		{"qm-done", "done", "idle", here},
		{"qm-starting", "starting", "idle", here},
		{"qm-working", "working", "working", here},
		{"qm-blocked", "blocked", "blocked", here},
		{"qm-working-gone", "working", "stopped", gone},
		{"qm-blocked-gone", "blocked", "stopped", gone},
		{"qm-idle-gone", "idle", "stopped", gone},
		{"qm-done-gone", "done", "stopped", gone},
		{"qm-stopped-gone", "stopped", "stopped", gone},
		{"qm-foreign-gone", "sleeping", "sleeping", gone},
	}
	for _, tt := range tests {
		putPane(t, tt.id, state.PaneState{Role: role, Agent: "claude", State: tt.stored, Activity: "x", LastEvent: old,
			Memory: state.PaneMemory{Since: old, Owner: tt.owner}})
	}
	if _, problems, status := runCommand(t, runSweep); status != 0 {
		t.Fatal(problems)
	}
	for _, tt := range tests {
		p := storedState(t, tt.id)
		if p.State != tt.want || p.Activity != "x" || !p.LastEvent.Equal(old) {
			t.Errorf("%s: stored %s %q of %v, want %s", tt.id, p.State, p.Activity, p.LastEvent, tt.want)
		}
	}
	if out, problems, status := runCommand(t, runSweep); status != 0 || out != "" {
		t.Errorf("a second sweep: %q, %q", out, problems)
	}
}

// Hooks and sweeps at the same time: a session at work is never put to rest.
func TestSweepUnderHooks(t *testing.T) {
	newRoot(t)
	old := time.Now().UTC().Add(-time.Hour)
	var sweeps, hooks sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		sweeps.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if _, problems, status := runCommand(t, runSweep, "--prune", "0s"); status != 0 && !strings.Contains(problems, "locked") {
						t.Error(problems)
						return
					}
				}
			}
		})
	}
	for _, id := range []string{"qm-a", "qm-b"} {
		hooks.Go(func() {
			for i := range 60 {
				p := state.PaneState{Role: role, Agent: "claude", State: "done", LastEvent: old, Memory: state.PaneMemory{Since: old}}
				if i%2 == 1 {
					p.State, p.Memory.Since = "working", time.Now()
				}
				seq := int64(0)
				err := state.Record(id, state.StateEvent{Role: role, Action: "x"}, time.Second, func(ss *state.SessionState, ev *state.StateEvent) bool {
					seq = ss.Panes[role].Seq + 1
					p.Seq = seq
					ss.Panes[role] = p
					return true
				})
				if err != nil {
					t.Error(err)
					return
				}
				if ss, err := state.LoadSessionState(id); p.State == "working" && (err != nil || ss == nil || ss.Panes[role].State != "working") {
					t.Errorf("a session at work is stored as %+v, %v", ss, err)
					return
				}
			}
		})
	}
	hooks.Wait()
	close(done)
	sweeps.Wait()
}
