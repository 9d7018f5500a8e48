//go:build e2e && linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"panehook/scripts/e2e/mock"
)

// agent is what the rig must know of a program to drive it.
type agent struct {
	name  string // as panehook calls it
	label string // as the table calls it
	// bin is the folder with the program, prepended to PATH; program is the
	// command and executable the name of the process that counts.
	bin, program, executable string
	// nested runs a prompt without a terminal.
	nested string
	// ready is on the screen when the program waits for a prompt.
	ready string
	// composer reads what has been typed and not yet sent.
	composer func(screen string) (string, bool)
	// settings are the files that an installation may touch, below the home.
	settings []string
	// leave is the line that ends it.
	leave string
	// env is added to the clean environment.
	env func(url string) []string
	// prepare writes the configuration of a user who has been through the
	// first-start questions, without any hook.
	prepare func(t *testing.T, home, project, url string)
	// arguments start an interactive session.
	arguments []string
}

// session is one scenario under way: a home, a project, a model and a terminal
// of its own.
type session struct {
	*terminal
	t     *testing.T
	agent *agent
	model *mock.Server
	watch *watcher

	home, project string
	env           []string

	asserted []string // states in the order they were asserted
	notes    []string // the same with activities, for the table
}

// scenario runs play with a session of the agent in which panehook has been
// installed. Afterwards the states that were seen must be the asserted ones, no
// more and no less.
func scenario(t *testing.T, a *agent, name string, play func(*session)) {
	untouched(t, a, name, func(s *session) {
		s.run("install", a.name)
		play(s)
	})
}

// untouched is a scenario in a home without panehook.
func untouched(t *testing.T, a *agent, name string, play func(*session)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		s := newSession(t, a)
		s.watch = watch(filepath.Join(s.home, ".questmaster-state"))
		t.Cleanup(func() {
			s.watch.close()
			s.compare()
			s.conclude(name)
		})
		play(s)
	})
}

func newSession(t *testing.T, a *agent) *session {
	t.Helper()
	dir, err := os.MkdirTemp(workDir, a.name+"-")
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, agent: a, model: mock.Start(),
		home: filepath.Join(dir, "home"), project: filepath.Join(dir, "home", "project")}
	if err := os.MkdirAll(s.project, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, gate := range []string{"gate", "door"} {
		if err := syscall.Mkfifo(filepath.Join(s.project, gate), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A command that waits for a gate, and one that runs the same agent first.
	writeProgram(t, filepath.Join(s.project, "await"), `read -r word <"$1"; echo "$word"`)
	writeProgram(t, filepath.Join(s.project, "nested"), a.nested+` </dev/null >nested.out 2>&1; exec ./await "$1"`)
	s.env = append([]string{
		"PATH=" + a.bin + ":/usr/local/bin:/usr/bin:/bin",
		"HOME=" + s.home,
		"SHELL=/bin/bash",
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
	}, a.env(s.model.URL)...)
	a.prepare(t, s.home, s.project, s.model.URL)
	t.Cleanup(s.model.Close)
	s.terminal = newTerminal(t, dir, s.project, s.env)
	return s
}

// run runs panehook in the session's project and environment, and returns what
// it prints.
func (s *session) run(args ...string) string {
	s.t.Helper()
	var problems bytes.Buffer
	cmd := exec.Command(panehook, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = s.project, s.env, &problems
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("panehook %s: %v\n%s%s", strings.Join(args, " "), err, out, &problems)
	}
	return string(out)
}

// start types the agent's command and waits until it takes prompts.
func (s *session) start(args ...string) {
	s.t.Helper()
	s.command(args...)
	s.waitFor(s.agent.ready)
}

// command types the agent's command, on an empty screen.
func (s *session) command(args ...string) {
	s.t.Helper()
	s.key("-R")
	line := strings.Join(append(append([]string{s.agent.program}, s.agent.arguments...), args...), " ")
	s.key("-l", line)
	s.key("Enter")
}

// prompt types a line and sends it. Enter is pressed again where it was lost:
// an agent that is busy starting may drop it.
func (s *session) prompt(text string) {
	s.t.Helper()
	s.write(text)
	s.key("Enter")
	pressed := time.Now()
	if !wait(func() bool {
		screen := s.screen()
		typed, ok := s.agent.composer(screen)
		if ok && typed == text && time.Since(pressed) > 2*time.Second {
			s.key("Enter")
			pressed = time.Now()
		}
		return ok && typed != text || shellPrompt.MatchString(screen)
	}) {
		s.t.Fatalf("%q was never sent", text)
	}
}

// shellPrompt is on the screen when the agent is gone.
var shellPrompt = regexp.MustCompile(`exit \d+ >$`)

// lineAfter reads the composer of an agent that puts a mark before it. Prompts
// that were sent have the mark as well, so the last one counts.
func lineAfter(mark string) func(string) (string, bool) {
	pattern := regexp.MustCompile(`(?m)^\s*` + mark + `(.*)$`)
	return func(screen string) (string, bool) {
		found := pattern.FindAllStringSubmatch(screen, -1)
		if found == nil {
			return "", false
		}
		return strings.TrimSpace(found[len(found)-1][1]), true
	}
}

// answer presses a key in a dialog until it was taken: an agent may pass over
// keys that come together with its dialog.
func (s *session) answer(key string, taken func() bool) {
	s.t.Helper()
	// No person answers at once, and the evidence of an answer is too coarse in
	// time to be told from that of the question then.
	time.Sleep(400 * time.Millisecond)
	s.key(key)
	pressed := time.Now()
	if !wait(func() bool {
		if taken() {
			return true
		}
		if time.Since(pressed) > 2*time.Second {
			s.key(key)
			pressed = time.Now()
		}
		return false
	}) {
		s.t.Fatalf("the dialog never took %s", key)
	}
}

// sees tells whether the screen matches.
func (s *session) sees(pattern string) func() bool {
	re := regexp.MustCompile(pattern)
	return func() bool { return re.MatchString(s.screen()) }
}

// runs tells whether a command of the agent waits for the gate.
func (s *session) runs(gate string) func() bool {
	return func() bool {
		return slices.ContainsFunc(descendants(s.pid()), func(p process) bool {
			return strings.HasSuffix(p.command, "./await "+gate)
		})
	}
}

// open waits until a command reads the gate and lets it go on.
func (s *session) open(gate string) {
	s.t.Helper()
	var f *os.File
	if !wait(func() bool {
		var err error
		f, err = os.OpenFile(filepath.Join(s.project, gate), os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	}) {
		s.t.Fatalf("no command reads the %s", gate)
	}
	fmt.Fprintln(f, "open")
	f.Close()
}

// release lets the held answer of the model end.
func (s *session) release() {
	s.t.Helper()
	if err := s.model.Release(); err != nil {
		s.t.Fatal(err)
	}
}

// expect waits until the state file shows the state with an activity that
// contains the given text.
func (s *session) expect(state, activity string) {
	s.t.Helper()
	ok := wait(func() bool {
		now := s.watch.now()
		return now.State == state && strings.Contains(now.Activity, activity)
	})
	if !ok {
		now := s.watch.now()
		s.t.Fatalf("the state is %q (%s), not %q (%s)", now.State, now.Activity, state, activity)
	}
	s.asserted = append(s.asserted, state)
	note := state
	if activity != "" {
		note += " (" + activity + ")"
	}
	s.notes = append(s.notes, note)
}

// none checks that there is no state file yet.
func (s *session) none() {
	s.t.Helper()
	if now := s.watch.now(); now.State != "" {
		s.t.Errorf("the state is %q before anything happened", now.State)
	}
	s.notes = append(s.notes, "no file")
}

// passed notes a state that lasts too short a time to be waited for. The
// watcher may miss it.
func (s *session) passed(state string) {
	s.asserted = append(s.asserted, state+"?")
	s.notes = append(s.notes, state)
}

// silent tells of a change that no hook reports: the state file still says what
// it said, and readers, who look at more than that, know better.
func (s *session) silent(stored, shown string) {
	s.t.Helper()
	s.shows(shown)
	if now := s.watch.now(); now.State != stored {
		s.t.Fatalf("the state is %q (%s), not still %q", now.State, now.Activity, stored)
	}
}

// shows checks what readers show, for which they have a second and a half.
func (s *session) shows(state string) {
	s.t.Helper()
	begun := time.Now()
	for {
		got := s.list()
		if got.State == state {
			s.notes = append(s.notes, strings.TrimSpace("[ls: "+state+" "+got.Rule)+"]")
			return
		}
		if time.Since(begun) > readersPatience {
			s.t.Fatalf("ls shows %q (%s; rule %q) after %v, not %q", got.State, got.Activity, got.Rule, readersPatience, state)
		}
	}
}

const readersPatience = 1500 * time.Millisecond

// pane is what a reader shows of the session.
type pane struct{ State, Activity, Rule string }

// list runs a reader.
func (s *session) list() pane {
	s.t.Helper()
	out := s.run("ls", "--json", "--all")
	var list struct{ Panes []pane }
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list.Panes) != 1 {
		s.t.Fatalf("panehook ls: %v in %s", err, out)
	}
	return list.Panes[0]
}

// owner is the agent's process.
func (s *session) owner() int {
	s.t.Helper()
	for _, p := range descendants(s.pid()) {
		if p.name == s.agent.executable {
			return p.pid
		}
	}
	s.t.Fatalf("no process %s in the pane: %v", s.agent.executable, descendants(s.pid()))
	return 0
}

// owned checks that panehook found the agent's process.
func (s *session) owned() {
	s.t.Helper()
	if found, owner := s.watch.now().Panehook.Owner.PID, s.owner(); found != owner {
		s.t.Errorf("the pane's process is %d, not %d: %v", found, owner, descendants(s.pid()))
	}
}

// contains checks a file of the project.
func (s *session) contains(name, text string) {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.project, name))
	if err != nil || !strings.Contains(string(raw), text) {
		s.t.Errorf("%s: %q, %v; want %q", name, raw, err, text)
	}
}

// closePane does what the close button of a terminal does, and waits until the
// agent is gone.
func (s *session) closePane() {
	s.t.Helper()
	owner := s.owner()
	if out, err := s.tmux("kill-pane"); err != nil {
		s.t.Fatalf("kill-pane: %v: %s", err, out)
	}
	if !wait(func() bool { return syscall.Kill(owner, 0) != nil }) {
		s.t.Fatalf("%s survives its pane", s.agent.executable)
	}
}

// signal sends the agent's process a signal.
func (s *session) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := syscall.Kill(s.owner(), sig); err != nil {
		s.t.Fatal(err)
	}
}

// kill sends a signal and waits until the agent is gone.
func (s *session) kill(sig syscall.Signal) {
	s.t.Helper()
	s.signal(sig)
	s.gone()
}

// gone waits until the shell has its terminal back.
func (s *session) gone() {
	s.t.Helper()
	if !wait(func() bool {
		return !slices.ContainsFunc(descendants(s.pid()), func(p process) bool { return p.name == s.agent.executable })
	}) {
		s.t.Fatalf("%s still runs", s.agent.executable)
	}
}

// compare checks the sequence of states that was seen.
func (s *session) compare() {
	if s.watch.fault != nil {
		s.t.Error(s.watch.fault)
	}
	want := slices.Compact(slices.Clone(s.asserted))
	if got := s.watch.states(); !s.t.Failed() && !fits(got, want) {
		s.t.Errorf("states seen: %s; asserted: %s", strings.Join(got, " → "), strings.Join(want, " → "))
	}
}

// fits compares sequences of states; those wanted with a "?" may be absent.
func fits(got, want []string) bool {
	for _, w := range want {
		state, optional := strings.CutSuffix(w, "?")
		if len(got) > 0 && got[0] == state {
			got = got[1:]
		} else if !optional {
			return false
		}
	}
	return len(got) == 0
}

// complaint is what no agent says of a hook that is silent and quick.
var complaint = regexp.MustCompile(`(?i)\bhooks?\b.*(error|fail|cancel|review|new|changed|block)`)

// conclude prints the scenario's line of the table, and all that may explain a
// failure.
func (s *session) conclude(name string) {
	if complaint.MatchString(s.screen()) {
		s.t.Error("the screen speaks of a hook")
	}
	result := "ok"
	if s.t.Failed() {
		result = "FAIL"
		s.t.Logf("screen:\n%s", s.screen())
		s.t.Logf("requests: %s", strings.Join(s.model.Requests(), ", "))
		if s.watch != nil {
			s.t.Logf("states seen:\n%s", s.watch.story())
		}
		s.t.Logf("events:\n%s", s.events())
		s.t.Logf("home: %s", s.home)
	}
	reportLine(result, s.agent.label, name, strings.Join(s.notes, " → "))
}

// events is the event log, shortened.
func (s *session) events() string {
	logs, _ := filepath.Glob(filepath.Join(s.home, ".questmaster-state", "*", "state.jsonl"))
	var b strings.Builder
	for _, log := range logs {
		raw, _ := os.ReadFile(log)
		b.WriteString("  " + filepath.Base(filepath.Dir(log)) + "\n")
		b.Write(regexp.MustCompile(`(?m)^`).ReplaceAll(raw, []byte("    ")))
	}
	return b.String()
}

// writeFile writes a file of a home.
func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeProgram(t *testing.T, path, line string) {
	t.Helper()
	writeFile(t, path, "#!/bin/sh\n"+line+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
}
