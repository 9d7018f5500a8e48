//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"testing"
	"time"

	"panehook/state"
	"panehook/transitions"
)

// Events that came while the session was locked are applied.
func TestSweepAppliesWaitingEvents(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "x")
	ev := transitions.Event{Kind: transitions.TurnEnded, Agent: "claude", Name: "Stop", Activity: "So."}
	line := ev.Line()
	line.Ts, line.Role = time.Now().UTC(), role
	unlock := lockSession(t, root, "qm-a")
	if err := state.Record("qm-a", line, 0, applyLine); err != nil {
		t.Fatal(err)
	}
	unlock()
	out, problems, status := runCommand(t, runSweep, "--dry-run")
	if status != 0 || out != "qm-a  apply 1 event\n" {
		t.Errorf("a dry run: %d, %q, %q", status, out, problems)
	}
	out, problems, status = runCommand(t, runSweep)
	if status != 0 || out != "qm-a  applied 1 event\n" {
		t.Errorf("sweep: %d, %q, %q", status, out, problems)
	}
	if p := storedState(t, "qm-a"); p.State != "done" || p.Activity != "So." {
		t.Errorf("stored %s, %q", p.State, p.Activity)
	}
}

// lockSession takes a session's lock as another program would.
func lockSession(t *testing.T, root, id string) (unlock func()) {
	t.Helper()
	f, err := os.OpenFile(state.SessionStateLockPath(root, id), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}
