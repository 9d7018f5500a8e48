package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"panehook/state"
)

// aReader is a panehook that runs as a process of its own and prints lines.
type aReader struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string

	stderr lockedBuffer
}

func startReader(t *testing.T, args ...string) *aReader {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "panehook")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	r := &aReader{t: t, cmd: exec.Command(program, args...), lines: make(chan string, 1000)}
	r.cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.cmd.Stderr = &r.stderr
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.cmd.Process.Kill() })
	go func() {
		defer close(r.lines)
		in := bufio.NewReader(out)
		for {
			line, err := in.ReadString('\n')
			if line != "" {
				r.lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				return
			}
		}
	}()
	return r
}

// line is the next line that is printed.
func (r *aReader) line() string {
	r.t.Helper()
	select {
	case line, ok := <-r.lines:
		if !ok {
			r.t.Fatal("it has ended")
		}
		return line
	case <-time.After(20 * time.Second):
		r.t.Fatal("no line came")
	}
	return ""
}

// change is the next line, as watch --json prints it.
func (r *aReader) change() changeJSON {
	r.t.Helper()
	var c changeJSON
	if line := r.line(); json.Unmarshal([]byte(line), &c) != nil {
		r.t.Fatalf("not a change: %q", line)
	}
	return c
}

// ends sends a signal and insists on the exit status.
func (r *aReader) ends(signal os.Signal, status int) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(signal); err != nil {
		r.t.Fatal(err)
	}
	for range r.lines {
	}
	_ = r.cmd.Wait()
	if got := r.cmd.ProcessState.ExitCode(); got != status {
		r.t.Errorf("exit status %d, want %d", got, status)
	}
}

func TestWatchJSON(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "x")
	r := startReader(t, "watch", "--json")
	want := func(change, from, to, activity string) {
		t.Helper()
		c := r.change()
		if c.Change != change || c.From != from || c.Pane.State != to || c.Pane.Activity != activity || c.Time.IsZero() {
			t.Errorf("got %s from %q to %q, %q; want %s from %q to %q, %q", c.Change, c.From, c.Pane.State, c.Pane.Activity, change, from, to, activity)
		}
	}
	want("listed", "", "working", "x")
	put(t, "qm-a", "blocked", "#(x) \x1b[31mMay I?")
	want("changed", "working", "blocked", "#(x) May I?")
	put(t, "qm-a", "blocked", "May I really?")
	want("changed", "blocked", "blocked", "May I really?")
	put(t, "qm-b", "working", "y")
	want("added", "", "working", "y")
	remove(t, state.SessionStateDir(root, "qm-b"))
	want("removed", "working", "working", "y")
	r.ends(syscall.SIGTERM, 0)
}

// Without --all a stopped pane is told of only when it has just become so.
func TestWatchStopped(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "x")
	put(t, "qm-gone", "stopped", "x")
	r := startReader(t, "watch", "--json")
	want := func(change, session, from, to string) {
		t.Helper()
		c := r.change()
		if c.Change != change || c.Pane.Session != session || c.From != from || c.Pane.State != to {
			t.Errorf("got %s of %s from %q to %q; want %s of %s from %q to %q", c.Change, c.Pane.Session, c.From, c.Pane.State, change, session, from, to)
		}
	}
	want("listed", "qm-a", "", "working")
	put(t, "qm-a", "stopped", "x")
	want("changed", "qm-a", "working", "stopped")
	put(t, "qm-a", "stopped", "still")
	put(t, "qm-late", "stopped", "x")
	remove(t, state.SessionStateDir(root, "qm-gone"))
	time.Sleep(50 * time.Millisecond)
	put(t, "qm-a", "idle", "x")
	want("changed", "qm-a", "stopped", "idle")
	r.ends(syscall.SIGTERM, 0)

	r = startReader(t, "watch", "--json", "--all")
	want("listed", "qm-a", "", "idle")
	want("listed", "qm-late", "", "stopped")
	r.ends(syscall.SIGTERM, 0)

	r = startReader(t, "watch")
	if line := r.line(); !strings.Contains(line, "  idle ") {
		t.Errorf("got %q", line)
	}
	put(t, "qm-late", "stopped", "still")
	remove(t, state.SessionStateDir(root, "qm-late"))
	time.Sleep(50 * time.Millisecond)
	put(t, "qm-a", "stopped", "x")
	if line := r.line(); !strings.Contains(line, "  idle > stopped ") {
		t.Errorf("got %q", line)
	}
	r.ends(syscall.SIGTERM, 0)
}

// Off a terminal each change is a line, until a signal.
func TestWatchLines(t *testing.T) {
	newRoot(t)
	put(t, "qm-a", "working", "x")
	put(t, "qm-gone", "stopped", "x")
	r := startReader(t, "watch")
	if line := r.line(); !strings.HasSuffix(line, "  working             claude    a                         x") {
		t.Errorf("got %q", line)
	}
	put(t, "qm-a", "blocked", "May I?")
	if line := r.line(); !strings.HasSuffix(line, "  working > blocked   claude    a                         May I?") {
		t.Errorf("got %q", line)
	}
	put(t, "qm-tmux-h2-4a5b9c36-3", "working", "x")
	if line := r.line(); !strings.HasSuffix(line, "  working             claude    tmux-h2-4a5b9c36-3        x") {
		t.Errorf("got %q", line)
	}
	put(t, "qm-tmux-of-a-name-that-is-too-long", "working", "x")
	if line := r.line(); !strings.HasSuffix(line, "  working             claude    tmux-of-a-name-that-is-…  x") {
		t.Errorf("got %q", line)
	}
	r.ends(os.Interrupt, 0)
}

// A command per change of state, run by a watch that prints nothing else.
func TestWatchExec(t *testing.T) {
	needsShell(t)
	newRoot(t)
	put(t, "qm-a", "working", "x")
	fifo := filepath.Join(t.TempDir(), "notes")
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Skip(err)
	}
	r := startReader(t, "watch", "--exec", `echo "$PANEHOOK_NAME $PANEHOOK_FROM>$PANEHOOK_STATE" >'`+fifo+`'`)
	notes, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer notes.Close()
	in := bufio.NewReader(notes)
	// It may not watch yet: whatever comes before is listed, not a change.
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				put(t, "qm-a", "blocked", "x")
				put(t, "qm-b", "working", "x")
			}
		}
	}()
	line, err := in.ReadString('\n')
	close(stop)
	if err != nil || line != "a working>blocked\n" && line != "b >working\n" {
		t.Errorf("noted %q, %v", line, err)
	}
	r.ends(syscall.SIGTERM, 0)
}

// What the command prints goes to stderr: stdout is for changes alone.
func TestWatchExecOutput(t *testing.T) {
	needsShell(t)
	newRoot(t)
	put(t, "qm-a", "working", "x")
	r := startReader(t, "watch", "--json", "--exec", "echo heard of $PANEHOOK_STATE")
	if c := r.change(); c.Change != "listed" {
		t.Errorf("got %+v", c)
	}
	put(t, "qm-a", "blocked", "x")
	if c := r.change(); c.Change != "changed" {
		t.Errorf("got %+v", c)
	}
	for range 200 {
		if strings.Contains(r.stderr.String(), "\n") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if got := r.stderr.String(); got != "heard of blocked\n" {
		t.Errorf("stderr is %q", got)
	}
	r.ends(syscall.SIGTERM, 0)
}

// log -f prints every event once, over rotations.
func TestLogFollows(t *testing.T) {
	newRoot(t)
	appendNumbered(t, "qm-a", 0)
	put(t, "qm-a", "working", "x")
	r := startReader(t, "log", "-f", "-n", "100000", "--json", "a")
	const lines = 2500
	go func() {
		for i := 1; i < lines; i++ {
			appendNumbered(t, "qm-a", i)
		}
	}()
	for i := range lines {
		var ev eventJSON
		if line := r.line(); json.Unmarshal([]byte(line), &ev) != nil || ev.Fields["number"] != float64(i) {
			t.Fatalf("line %d is %.100q", i, line)
		}
	}
	r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// BenchmarkWatchNotices is the time from a write to the change that it makes.
func BenchmarkWatchNotices(b *testing.B) {
	root := fillRoot(b, 200)
	l := watchLive(root, time.Now)
	stop, changes, failed := make(chan struct{}), make(chan []paneChange), make(chan error, 1)
	go l.run(stop, changes, failed)
	defer close(stop)
	<-changes
	names := []string{"working", "blocked"}
	i := 0
	for b.Loop() {
		put(b, "qm-a", names[i%2], "x")
		i++
		for found := false; !found; {
			for _, c := range <-changes {
				found = found || c.Pane.Session == "qm-a"
			}
		}
	}
}
