//go:build e2e && linux

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestSilence compares what the agents show with and without our hooks. It must
// be the same, apart from what differs between any two runs.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, agentOf := range map[string]func(*testing.T) *agent{"claude": claude, "codex": codex, "pi074": pi074, "pi1": pi1} {
		t.Run(name, func(t *testing.T) {
			compareRuns(t, agentOf(t))
		})
	}
}

func compareRuns(t *testing.T, a *agent) {
	print := map[string][]string{
		"claude": {"-p", "play:quick"},
		"codex":  {"exec", "--skip-git-repo-check", "play:quick"},
		"pi":     {"-p", "play:quick"},
	}
	alike(t, a, "the same output without a terminal", func(bare, hooked *session) {
		without, with := bare.output(print[a.name]...), hooked.output(print[a.name]...)
		same(hooked.t, "stdout and stderr", without, with)
		hooked.notes = append(bare.notes, hooked.notes...)
	})
	alike(t, a, "the same screens", func(bare, hooked *session) {
		both := func(do func(*session)) { do(bare); do(hooked) }
		both(func(s *session) { s.start() })
		sameScreen("at the start", bare, hooked)
		both(func(s *session) { s.prompt("play:bash") })
		both(func(s *session) { s.open("gate") })
		both(func(s *session) { s.waitFor("The command ran.") })
		sameScreen("after a tool call", bare, hooked)
		both(func(s *session) { s.prompt("play:error400") })
		both(func(s *session) { s.waitFor("(?i)error|says no") })
		sameScreen("after an API error", bare, hooked)
		both(func(s *session) { s.prompt(a.leave) })
		both(func(s *session) { s.gone() })
		sameScreen("at the end", bare, hooked)
	})
	alike(t, a, "the same files after uninstall", func(bare, hooked *session) {
		for _, s := range []*session{bare, hooked} {
			s.start()
			s.prompt("play:plain")
			s.waitFor("Hello from the model.")
			s.prompt(a.leave)
			s.gone()
		}
		hooked.run("uninstall", a.name)
		same(hooked.t, "configurations", bare.configuration(), hooked.configuration())
		hooked.notes = append(hooked.notes, a.settings...)
	})
}

// alike plays a scenario in two homes, of which one has our hooks.
func alike(t *testing.T, a *agent, name string, play func(bare, hooked *session)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		bare, hooked := newSession(t, a), newSession(t, a)
		hooked.run("install", a.name)
		t.Cleanup(func() { hooked.conclude(name) })
		play(bare, hooked)
	})
}

// output runs the agent's program without a terminal.
func (s *session) output(args ...string) string {
	s.t.Helper()
	var out, problems bytes.Buffer
	cmd := exec.Command(s.agent.bin+"/"+s.agent.program, args...)
	cmd.Dir, cmd.Env = s.project, s.env
	cmd.Stdout, cmd.Stderr = &out, &problems
	begun := time.Now()
	if err := cmd.Run(); err != nil {
		s.t.Errorf("%s: %v", strings.Join(args, " "), err)
	}
	s.notes = append(s.notes, fmt.Sprintf("%.2f s", time.Since(begun).Seconds()))
	return "stdout:\n" + out.String() + "stderr:\n" + problems.String()
}

// configuration is the content of the files that an installation may touch. The
// agent may have written to them in the meantime.
func (s *session) configuration() string {
	s.t.Helper()
	var all strings.Builder
	for _, pattern := range s.agent.settings {
		files, err := filepath.Glob(filepath.Join(s.home, pattern))
		if err != nil {
			s.t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".panehook-backup") {
				continue // the original stays for the user to keep or delete
			}
			content, err := os.ReadFile(file)
			if err != nil {
				s.t.Fatal(err)
			}
			fmt.Fprintf(&all, "%s:\n%s\n", file, content)
		}
	}
	return all.String()
}

func same(t *testing.T, what, bare, hooked string) {
	t.Helper()
	if b, h := plain(bare), plain(hooked); b != h {
		t.Errorf("%s differ; without hooks:\n%s\nwith hooks:\n%s", what, b, h)
	}
}

// sameScreen waits for the screens to be the same: hints come and go in time.
func sameScreen(when string, bare, hooked *session) {
	hooked.t.Helper()
	if !wait(func() bool { return shown(bare) == shown(hooked) }) {
		hooked.t.Fatalf("the screens differ %s; without hooks:\n%s\nwith hooks:\n%s", when, shown(bare), shown(hooked))
	}
	hooked.notes = append(hooked.notes, when)
}

func shown(s *session) string { return plain(strings.ReplaceAll(s.screen(), s.home, "HOME")) }

// plain takes out what differs between any two runs.
func plain(text string) string {
	for _, v := range varying {
		text = v.pattern.ReplaceAllString(text, v.instead)
	}
	return text
}

var varying = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}`), "ID"},
	{regexp.MustCompile(`/var/tmp/panehook-e2e-[^/]*/[^/]*`), "DIR"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "ADDRESS"},
	{regexp.MustCompile(`\b\d\d:\d\d\b`), "CLOCK"},
	{regexp.MustCompile(`<?\b\d+(\.\d+)?m?s\b`), "TIME"},
	// Claude Code picks a verb for how it spent its time, and a tip.
	{regexp.MustCompile(`(?m)^✻ \S+ for TIME$`), "SPENT"},
	// Codex notes this some time after its start.
	{regexp.MustCompile(`(?m)^screen_reader_detection_done = true\n`), ""},
	// Codex tells of every hook without a terminal, whatever the hook does.
	{regexp.MustCompile(`(?m)^hook: .*\n`), ""},
}
