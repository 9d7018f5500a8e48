package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"panehook/state"
)

// aTmux is a tmux server of a test's own, with one shell in it.
type aTmux struct {
	t      *testing.T
	dir    string // also the working directory of the shell
	socket string
	env    []string
}

// newTmux starts a server whose shell finds this program as panehook and has
// the test's state root.
func newTmux(t *testing.T, width, height int) *aTmux {
	t.Helper()
	for _, name := range []string{"tmux", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	if testing.Short() {
		t.Skip("takes a terminal")
	}
	dir, err := os.MkdirTemp("", "panehook-tmux") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "panehook")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "bashrc"), "PS1='$ '\n", 0o600)
	x := &aTmux{t: t, dir: dir, socket: filepath.Join(dir, "tmux-"+strconv.Itoa(os.Getuid()), "default")}
	x.env = []string{
		"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir, "TERM=xterm-256color", "LC_ALL=C.UTF-8",
		"TMUX_TMPDIR=" + dir, "SHELL=/bin/bash", "TZ=UTC", state.StateRootEnv + "=" + state.StateRoot(), raceOptions,
	}
	x.tmux("-f", "/dev/null", "new-session", "-d", "-s", "first", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "bash --noprofile --rcfile bashrc")
	t.Cleanup(func() { x.command("kill-server").Run() })
	x.tmux("set", "-g", "status", "off")
	return x
}

func (x *aTmux) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", args...)
	cmd.Env, cmd.Dir = x.env, x.dir
	return cmd
}

func (x *aTmux) tmux(args ...string) string {
	x.t.Helper()
	out, err := x.command(args...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

// typed sends keys as a person types them; a name such as Enter is a key.
func (x *aTmux) typed(keys ...string) {
	x.t.Helper()
	x.tmux(append([]string{"send-keys", "-t", "first"}, keys...)...)
}

func (x *aTmux) screen() string {
	x.t.Helper()
	return x.tmux("capture-pane", "-p", "-t", "first")
}

// until waits for the screen to be as it should.
func (x *aTmux) until(what string, is func(screen string) bool) string {
	x.t.Helper()
	screen := ""
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if screen = x.screen(); is(screen) {
			return screen
		}
	}
	x.t.Fatalf("never: %s; the screen is\n%s", what, screen)
	return ""
}

func (x *aTmux) untilShows(text string) string {
	x.t.Helper()
	return x.until(strconv.Quote(text), func(screen string) bool { return strings.Contains(screen, text) })
}

func TestWatchOnTerminal(t *testing.T) {
	newRoot(t)
	put(t, "qm-a", "working", "Bash: make")
	x := newTmux(t, 100, 12)
	x.typed("echo before; stty -g >mode", "Enter")
	x.untilShows("before\n$")
	x.typed("panehook watch", "Enter")
	x.untilShows("panehook: 1 working")

	// A hook's write shows.
	put(t, "qm-a", "blocked", "Permission: rm")
	x.untilShows("panehook: 1 blocked")
	put(t, "qm-b", "working", "Read: 日本語 #(touch pwned)")
	screen := x.untilShows("日本語 #(touch pwned)")
	if strings.Index(screen, "Permission") > strings.Index(screen, "日本語") {
		t.Errorf("who waits for a person is not first:\n%s", screen)
	}

	// Another size of the terminal.
	x.tmux("resize-window", "-t", "first", "-x", "40", "-y", "6")
	x.until("a narrow screen", func(screen string) bool {
		return strings.Contains(screen, "Read: 日本語 #(touc…") || strings.Contains(screen, "Read: 日本語 #(tou…")
	})
	x.tmux("resize-window", "-t", "first", "-x", "100", "-y", "12")
	x.untilShows("日本語 #(touch pwned)")

	// Ctrl-Z gives the terminal back as it was; fg takes up where it stopped.
	x.typed("C-z")
	x.until("the shell", func(screen string) bool {
		return strings.Contains(screen, "Stopped") && strings.Contains(screen, "before") && !strings.Contains(screen, "STATE")
	})
	x.typed("stty -g | cmp - mode && echo same mode; fg", "Enter")
	x.untilShows("panehook: 1 blocked")
	put(t, "qm-b", "done", "after fg")
	x.untilShows("after fg")

	// Stopped from outside, it draws everything anew.
	x.typed("C-z")
	x.untilShows("same mode")
	x.typed("fg", "Enter")
	x.untilShows("after fg")

	// q leaves the terminal as it was.
	x.typed("q")
	x.until("the shell", func(screen string) bool {
		return strings.Contains(screen, "before") && !strings.Contains(screen, "STATE")
	})
	x.typed("clear; stty -g | cmp - mode && echo still the same", "Enter")
	x.untilShows("still the same\n")

	// So does a signal.
	x.typed("clear; panehook watch", "Enter")
	x.untilShows("panehook: 1 blocked")
	x.typed("C-c")
	x.until("the shell", func(screen string) bool {
		return !strings.Contains(screen, "STATE") && strings.HasSuffix(strings.TrimSpace(screen), "$")
	})
	x.typed("stty -g | cmp - mode && echo interrupted $?", "Enter")
	x.untilShows("interrupted 0\n")
	if _, err := os.Stat(filepath.Join(x.dir, "pwned")); err == nil {
		t.Error("text ran as a command")
	}
}

// More panes than lines: keys move.
func TestWatchScrolls(t *testing.T) {
	newRoot(t)
	for i := range 30 {
		putPane(t, fmt.Sprintf("qm-%02d", i), state.PaneState{Role: role, Agent: "claude", State: "blocked",
			Activity: fmt.Sprintf("question %02d", i), LastEvent: time.Now().Add(time.Duration(i-100) * time.Minute)})
	}
	put(t, "qm-gone", "stopped", "was here")
	x := newTmux(t, 80, 13)
	x.typed("panehook watch", "Enter")
	x.untilShows("1-10 of 30")
	x.untilShows("question 00")
	x.typed("j")
	x.untilShows("2-11 of 30")
	x.typed("Down")
	x.untilShows("3-12 of 30")
	x.typed("k", "Up", "Up", "Up")
	x.untilShows("1-10 of 30")
	x.typed("NPage")
	x.untilShows("10-19 of 30")
	x.typed("G")
	x.untilShows("21-30 of 30")
	x.typed("a")
	x.untilShows("of 31")
	x.typed("End")
	x.untilShows("was here")
	x.typed("g")
	x.untilShows("question 00")
}

// A watch that nobody could continue is not stopped for good, and a closed
// terminal ends it.
func TestWatchWithoutShell(t *testing.T) {
	newRoot(t)
	put(t, "qm-a", "working", "Bash: make")
	x := newTmux(t, 80, 10)
	x.typed("echo $$ >pid; exec panehook watch", "Enter")
	x.untilShows("panehook: 1 working")
	x.typed("C-z")
	put(t, "qm-a", "blocked", "May I?")
	x.untilShows("May I?")
	data, err := os.ReadFile(filepath.Join(x.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := readStat(pid)
	if !ok {
		t.Skip("this system does not tell of processes")
	}
	x.tmux("kill-server")
	for deadline := time.Now().Add(20 * time.Second); alive(pid, s.started); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("watch goes on without its terminal")
		}
	}
}

// Whatever an agent does, tmux shows it as text: as the output of a command in
// its status line, and through an option.
func TestStatusLineInTmux(t *testing.T) {
	newRoot(t)
	for _, format := range []string{"text", "tmux"} {
		t.Run(format, func(t *testing.T) {
			x := newTmux(t, 120, 5)
			pwned := filepath.Join(x.dir, "pwned")
			text := "#(touch " + pwned + ") #{pane_id} #[fg=red] #, #} %H"
			put(t, "qm-a", "blocked", text)
			client := x.attach()
			x.tmux("set", "-g", "status-interval", "1")
			x.tmux("set", "-g", "status-left", "")
			x.tmux("set", "-g", "status-right-length", "110")
			x.tmux("set", "-g", "window-status-current-format", "")
			x.tmux("set", "-g", "status-right", "#(panehook status-line --width 100 --format "+format+")")
			x.tmux("set", "-g", "status", "on")
			client.untilShows(text)

			out, err := x.run("panehook", "status-line", "--width", "100", "--format", format)
			if err != nil {
				t.Fatal(err)
			}
			x.tmux("set", "-g", "@agents", strings.TrimSpace(out))
			x.tmux("set", "-g", "status-right", "option: #{E:@agents}")
			screen := client.untilShows("option: ")
			// Times are filled in then, which does no harm.
			if !strings.Contains(screen, strings.TrimSuffix(text, "%H")) {
				t.Errorf("tmux shows\n%s", screen)
			}
			if _, err := os.Stat(pwned); err == nil {
				t.Error("text ran as a command")
			}
		})
	}
}

// run runs a command as a shell in the server would.
func (x *aTmux) run(name string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(x.dir, name), args...)
	cmd.Env, cmd.Dir = x.env, x.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// attach lets a second server look at the first, since only a terminal has a
// status line.
func (x *aTmux) attach() *aTmux {
	x.t.Helper()
	outer := *x
	outer.dir, outer.socket = x.dir, filepath.Join(x.dir, "outer")
	outer.tmux("-S", outer.socket, "-f", "/dev/null", "new-session", "-d", "-s", "first", "-x", "120", "-y", "10",
		"env -u TMUX tmux -S '"+x.socket+"' attach -t first")
	x.t.Cleanup(func() { outer.command("-S", outer.socket, "kill-server").Run() })
	outer.env = append(outer.env, "TMUX="+outer.socket+",1,0")
	outer.tmux("set", "-g", "status", "off")
	return &outer
}

func TestFocus(t *testing.T) {
	newRoot(t)
	x := newTmux(t, 80, 10)
	x.tmux("new-session", "-d", "-s", "second", "sleep 1000")
	x.tmux("new-window", "-t", "second", "bash --norc -c 'sleep 1000; true'")
	x.tmux("split-window", "-t", "second", "sleep 1000")
	x.tmux("new-window", "-t", "second", "sleep 1000")
	list := strings.Fields(x.tmux("list-panes", "-s", "-t", "second", "-F", "#{pane_id}:#{pane_pid}:#{window_panes}"))
	var target string
	var pid int
	for _, line := range list {
		parts := strings.Split(line, ":")
		if parts[2] == "2" && target == "" {
			target = parts[0]
			pid, _ = strconv.Atoi(parts[1])
		}
	}
	s, ok := readStat(pid)
	if !ok {
		t.Skip("this system does not tell of processes")
	}
	// The agent is below the pane's shell.
	agent, started := pid, s.started
	for deadline := time.Now().Add(10 * time.Second); agent == pid && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for _, p := range allProcesses() {
			if c, ok := readStat(p); ok && c.parent == pid {
				agent, started = p, c.started
			}
		}
	}
	if agent == pid {
		t.Fatal("the pane's shell has no child")
	}
	putPane(t, "qm-by-process", state.PaneState{Role: role, Agent: "claude", State: "blocked", Memory: state.PaneMemory{Owner: state.Owner{PID: agent, Started: started}}})
	byName := tmuxPane(x.socket+",1,0", target)
	put(t, byName, "blocked", "x")
	put(t, "qm-nowhere", "blocked", "x")
	put(t, "qm-dead", "stopped", "x")
	putPane(t, "qm-elsewhere", state.PaneState{Role: role, Agent: "claude", State: "blocked", Memory: state.PaneMemory{Owner: state.Owner{PID: os.Getpid(), Started: ownStart()}}})

	selected := func() string {
		return strings.TrimSpace(x.tmux("display-message", "-p", "-t", "second", "#{pane_id}"))
	}
	for _, id := range []string{"qm-by-process", byName} {
		x.tmux("select-window", "-t", "second:0")
		out, err := x.run("panehook", "focus", id)
		if err == nil || !strings.Contains(out, "nobody looks at this tmux; try: tmux -S "+x.socket+" attach -t") {
			t.Errorf("focus %s without a client: %v, %q", id, err, out)
		}
		if got := selected(); got != target {
			t.Errorf("focus %s: pane %s is selected, want %s", id, got, target)
		}
	}
	client := x.attach()
	client.untilShows("$")
	x.tmux("select-window", "-t", "second:0")
	if out, err := x.run("panehook", "focus", "by-process"); err != nil || out != "" {
		t.Errorf("focus: %v, %q", err, out)
	}
	x.tmux("select-window", "-t", "second:0")
	if out, err := x.run("panehook", "focus"); err != nil || out != "" {
		t.Errorf("focus of who has waited longest: %v, %q", err, out)
	}
	if got := selected(); got != target {
		t.Errorf("pane %s is selected, want %s", got, target)
	}
	if got := strings.TrimSpace(x.tmux("list-clients", "-F", "#{client_session}")); got != "second" {
		t.Errorf("the client looks at %q, want second", got)
	}
	for id, want := range map[string]string{
		"qm-nowhere":   "the process of the agent of qm-nowhere is not known, and no tmux pane is named after it",
		"qm-dead":      "the agent of qm-dead is gone, and no tmux pane is named after it; panehook ls shows those that run",
		"qm-elsewhere": "does not run in a tmux pane of yours",
		"qm-none":      "no session",
	} {
		if out, err := x.run("panehook", "focus", id); err == nil || !strings.Contains(out, want) {
			t.Errorf("focus %s: %v, %q; want %q", id, err, out, want)
		}
	}
}
