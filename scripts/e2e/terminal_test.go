//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long a scenario waits for anything. It only costs time in a
// run that fails.
const patience = 60 * time.Second

// terminal is a tmux server of its own with one pane that runs a shell.
type terminal struct {
	t      *testing.T
	socket string
	env    []string
}

// newTerminal keeps its socket in dir and starts the shell in cwd.
func newTerminal(t *testing.T, dir, cwd string, env []string) *terminal {
	t.Helper()
	tm := &terminal{t: t, socket: filepath.Join(dir, "tmux"), env: env}
	t.Cleanup(func() { tm.tmux("kill-server") })
	rc := filepath.Join(dir, "bashrc")
	// The prompt shows the exit status, so that a scenario can wait for both.
	if err := os.WriteFile(rc, []byte("PS1='exit $? > '\nHISTFILE=\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "tmux.conf")
	if err := os.WriteFile(conf, []byte("set -g focus-events on\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := tm.tmux("-f", conf, "new-session", "-d", "-x", "120", "-y", "40", "-c", cwd,
		"bash", "--noprofile", "--rcfile", rc); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	tm.waitFor(`exit 0 >`)
	return tm
}

func (tm *terminal) tmux(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", tm.socket}, args...)...)
	cmd.Env = tm.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// screen is what a person would see, without trailing space.
func (tm *terminal) screen() string {
	out, err := tm.tmux("capture-pane", "-p")
	if err != nil {
		return ""
	}
	lines := strings.Split(out, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \u00a0")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// waitFor waits until the screen matches.
func (tm *terminal) waitFor(pattern string) {
	tm.t.Helper()
	re := regexp.MustCompile(pattern)
	if !wait(func() bool { return re.MatchString(tm.screen()) }) {
		tm.t.Fatalf("the screen never showed %q", pattern)
	}
}

// wait polls until the condition holds or patience ends.
func wait(condition func() bool) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if condition() {
			return true
		}
	}
	return condition()
}

// key presses keys by their tmux names.
func (tm *terminal) key(keys ...string) {
	tm.t.Helper()
	if out, err := tm.tmux(append([]string{"send-keys"}, keys...)...); err != nil {
		tm.t.Fatalf("send-keys: %v: %s", err, out)
	}
}

// write types text and waits until it is on the screen: Enter pressed in the
// same breath would be taken for part of a paste.
func (tm *terminal) write(text string) {
	tm.t.Helper()
	tm.key("-l", text)
	tm.waitFor(regexp.QuoteMeta(text))
}

// pid is the process of the pane's shell.
func (tm *terminal) pid() int {
	out, err := tm.tmux("display-message", "-p", "#{pane_pid}")
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(out))
	return pid
}

// process is a line of the process table.
type process struct {
	pid, parent int
	name        string // base name of its program
	command     string // with arguments
	state       byte   // as in /proc/<pid>/stat
}

// descendants lists the living processes below pid, parents first.
func descendants(pid int) []process {
	var all []process
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue
		}
		// "pid (name) state parent": the name may hold anything, so cut at the last ")".
		end := strings.LastIndexByte(string(stat), ')')
		p := process{}
		if _, err := fmt.Sscanf(string(stat[end+1:]), " %c %d", &p.state, &p.parent); err != nil || p.state == 'Z' {
			continue
		}
		p.pid, _ = strconv.Atoi(filepath.Base(dir))
		exe, _ := os.Readlink(dir + "/exe")
		p.name = strings.TrimSuffix(filepath.Base(exe), " (deleted)")
		command, _ := os.ReadFile(dir + "/cmdline")
		p.command = strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " "))
		all = append(all, p)
	}
	found := []process{}
	for grown, known := true, map[int]bool{pid: true}; grown; {
		grown = false
		for _, p := range all {
			if known[p.parent] && !known[p.pid] {
				known[p.pid], grown = true, true
				found = append(found, p)
			}
		}
	}
	return found
}
