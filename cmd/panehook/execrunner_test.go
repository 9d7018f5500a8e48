package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"panehook/adapters"
	"panehook/state"
)

// lockedBuffer may be written to from several goroutines.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func stateChange(session, from, to, activity string) *paneChange {
	p := shownPane{Session: session, Role: role, Shown: state.PaneState{State: to, Activity: activity, Agent: "claude"}}
	return &paneChange{What: paneChanged, From: from, Pane: p}
}

func needsShell(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
}

// What happened is in the environment, and no text becomes a command.
func TestRunnerEnvironment(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	t.Chdir(dir)
	said := &lockedBuffer{}
	r := newExecRunner(`printf '%s|' "$PANEHOOK_SESSION" "$PANEHOOK_FROM" "$PANEHOOK_STATE" "$PANEHOOK_ACTIVITY" >>got; echo >>got; echo said`, said, nil)
	hostile := "'; touch pwned; $(touch pwned) `touch pwned` \"x\" $HOME\n\x00"
	r.take(stateChange("qm-a", "working", "blocked", hostile))
	r.take(stateChange("qm-a", "blocked", "blocked", "no change of state"))
	r.take(&paneChange{What: paneListed, Pane: shownPane{Session: "qm-b", Shown: state.PaneState{State: "working"}}})
	r.take(&paneChange{What: paneRemoved, From: "working", Pane: shownPane{Session: "qm-b"}})
	r.take(&paneChange{What: paneAdded, Pane: shownPane{Session: "qm-c", Shown: state.PaneState{State: "working"}}})
	for _, queue := range r.queues {
		close(queue)
	}
	r.done.Wait()
	data, err := os.ReadFile("got")
	if err != nil {
		t.Fatal(err)
	}
	got := string(data)
	if !strings.Contains(got, "qm-a|working|blocked|"+strings.TrimRight(hostile, "\x00")+"|") || !strings.Contains(got, "qm-c||working||") {
		t.Errorf("the command got %q", got)
	}
	if strings.Contains(got, "qm-b") || strings.Contains(got, "no change") {
		t.Errorf("the command ran for what is no change of state: %q", got)
	}
	if _, err := os.Stat("pwned"); err == nil {
		t.Error("text ran as a command")
	}
	if said.String() != "" {
		t.Errorf("said %q", said.String())
	}
}

// The commands of a session run in the order of its changes; a failing one is a
// line, and more than can be run are dropped with one.
func TestRunnerOrderAndFailure(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	said := &lockedBuffer{}
	r := newExecRunner(`echo "$PANEHOOK_ACTIVITY" >>"$PANEHOOK_CWD/$PANEHOOK_SESSION"; test "$PANEHOOK_ACTIVITY" != 3 || { printf 'no such\033[31m sound\nmore' >&2; exit 3; }`, said, nil)
	for i := range 10 {
		for _, id := range []string{"qm-a", "qm-b", "qm-c"} {
			c := stateChange(id, "working", "blocked", strconv.Itoa(i))
			c.Pane.Cwd = dir
			r.take(c)
		}
	}
	for _, queue := range r.queues {
		close(queue)
	}
	r.done.Wait()
	for _, id := range []string{"qm-a", "qm-b", "qm-c"} {
		data, err := os.ReadFile(filepath.Join(dir, id))
		if err != nil || string(data) != "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" {
			t.Errorf("%s: %q, %v", id, data, err)
		}
	}
	for _, id := range []string{"qm-a", "qm-b", "qm-c"} {
		want := "panehook: watch: the command failed for " + id + ": exit status 3: no such sound\n"
		if strings.Count(said.String(), want) != 1 {
			t.Errorf("said %q, want %q", said.String(), want)
		}
	}
}

func TestRunnerDropsWhatIsTooMuch(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	if err := exec.Command("mkfifo", gate).Run(); err != nil {
		t.Skip(err)
	}
	said := &lockedBuffer{}
	r := newExecRunner("cat '"+gate+"' >/dev/null", said, nil)
	for i := range execQueue + 3 {
		r.take(stateChange("qm-a", "working", "blocked", strconv.Itoa(i)))
	}
	if !strings.Contains(said.String(), "too many changes at once: the command was not run for qm-a") {
		t.Errorf("said %q", said.String())
	}
	// The commands that wait at the gate go with it.
	f, err := os.OpenFile(gate, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	remove(t, gate)
	f.Close()
	for _, queue := range r.queues {
		close(queue)
	}
	r.done.Wait()
}

func TestEnvironmentIsSafe(t *testing.T) {
	for _, text := range hostileTexts {
		p := shownPane{Session: "qm-a", Title: adapters.Clean(text), Cwd: "/x/" + text, Shown: safePane(state.PaneState{Activity: text, Tool: text, Agent: text, State: "working"})}
		for _, value := range (&paneChange{Pane: p}).environment() {
			name, _, ok := strings.Cut(value, "=")
			if !ok || !strings.HasPrefix(name, "PANEHOOK_") || strings.Contains(value, "\x00") {
				t.Errorf("environment has %q", value)
			}
		}
	}
}
