//go:build e2e && linux

package e2e

import (
	"encoding/json"
	"path/filepath"
	"syscall"
	"testing"
)

// claude is Claude Code in a home whose owner has answered its first questions.
func claude(t *testing.T) *agent {
	return &agent{
		name: "claude", label: "Claude Code",
		bin:     filepath.Dir(needPackage(t, "Claude Code", "claude", "node_modules", ".bin", "claude")),
		program: "claude", executable: "claude.exe",
		nested:   "claude -p play:plain",
		ready:    `(?m)^❯\s*$`,
		composer: lineAfter("❯"),
		leave:    "/exit",
		settings: []string{".claude/settings*"},
		env: func(url string) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + url,
				"ANTHROPIC_API_KEY=" + claudeKey,
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				"DISABLE_TELEMETRY=1",
				"DISABLE_AUTOUPDATER=1",
			}
		},
		prepare: func(t *testing.T, home, project, _ string) {
			config, err := json.Marshal(map[string]any{
				"hasCompletedOnboarding": true,
				"lastOnboardingVersion":  "9.9.9",
				"theme":                  "dark",
				"customApiKeyResponses":  map[string]any{"approved": []string{claudeKey[len(claudeKey)-20:]}},
				"projects":               map[string]any{project: map[string]any{"hasTrustDialogAccepted": true}},
			})
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(home, ".claude.json"), string(config))
			writeFile(t, filepath.Join(home, ".claude", "settings.json"),
				`{"permissions": {"allow": ["Bash(./await:*)", "Bash(./nested:*)"]}}`+"\n")
		},
	}
}

// claudeKey goes to the mock alone.
const claudeKey = "sk-ant-mock-0123456789-0123456789"

func TestClaude(t *testing.T) {
	t.Parallel()
	a := claude(t)

	scenario(t, a, "plain prompt, /exit", func(s *session) {
		s.start()
		s.expect("starting", "started")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
		s.waitFor(a.ready)
		s.prompt("/exit")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "tool call, Ctrl-C twice", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:bash")
		s.expect("working", "Bash: ./await gate")
		s.owned()
		s.open("gate")
		s.expect("done", "The command ran.")
		s.waitFor("✻ .* for ")
		s.key("C-c", "C-c")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "failing tool call, Ctrl-D twice", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:fail")
		s.passed("working")
		s.expect("done", "The command failed.")
		s.waitFor("✻ .* for ")
		s.key("C-d", "C-d")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "parallel tools", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:parallel")
		s.expect("working", "Bash: wc -l ")
		s.open("door")
		s.expect("working", "Bash: wc -l gate")
		s.open("gate")
		s.expect("done", "Both commands ran.")
	})

	scenario(t, a, "permission granted", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:permit")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Do you want to proceed")
		s.answer("Enter", s.runs("gate"))
		s.silent("blocked", "working")
		s.open("gate")
		s.expect("working", "")
		s.release()
		s.expect("done", "It was permitted.")
	})

	scenario(t, a, "permission refused", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:permit")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Do you want to proceed")
		s.answer("3", s.sees("Interrupted|rejected"))
		s.silent("blocked", "idle")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	scenario(t, a, "question answered", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:ask")
		s.passed("working")
		s.expect("blocked", "Question: Which colour?")
		s.waitFor("Enter to select")
		s.answer("Enter", s.sees("You answered."))
		s.expect("working", "")
		s.release()
		s.expect("done", "You answered.")
	})

	scenario(t, a, "question refused", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:ask")
		s.passed("working")
		s.expect("blocked", "Question: Which colour?")
		s.waitFor("Enter to select")
		s.answer("Escape", s.sees("declined"))
		s.silent("blocked", "idle")
	})

	scenario(t, a, "plan approved", func(s *session) {
		s.start("--permission-mode", "plan")
		s.expect("starting", "")
		s.prompt("play:plan")
		s.passed("working")
		s.expect("blocked", "Plan:")
		s.waitFor("(?i)exit plan mode")
		s.answer("Enter", s.sees("carried out"))
		s.expect("working", "")
		s.release()
		s.expect("done", "The plan is carried out.")
	})

	scenario(t, a, "Esc while streaming", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.waitFor("● A slow answer.")
		s.key("Escape")
		s.waitFor("Interrupted")
		s.silent("working", "idle")
	})

	scenario(t, a, "Esc in a tool", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:bash")
		s.expect("working", "Bash: ./await gate")
		s.waitFor("Running…")
		s.key("Escape")
		s.waitFor("Interrupted")
		s.silent("working", "idle")
	})

	// A command that has run for a while could have been sent to the background,
	// and the agent counts it as such for a moment after Esc.
	scenario(t, a, "Esc in a long tool", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:bash")
		s.expect("working", "Bash: ./await gate")
		s.waitFor(`ctrl\+b`)
		s.key("Escape")
		s.waitFor("Interrupted")
		s.silent("working", "idle")
	})

	scenario(t, a, "API error", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:error400")
		s.passed("working")
		s.expect("blocked", "Error:")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	scenario(t, a, "subagent", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:agent")
		s.expect("working", "Agent: Look around")
		s.open("door")
		s.expect("done", "The subagent reported.")
	})

	scenario(t, a, "subagent asks for permission", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:agentpermit")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Do you want to proceed")
		s.shows("blocked")
		s.answer("Enter", s.runs("gate"))
		s.silent("blocked", "working")
		s.open("gate")
		s.expect("working", "")
		s.release()
		s.expect("done", "The subagent reported.")
	})

	scenario(t, a, "subagent in the background", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:agentback")
		s.expect("working", "background")
		s.waitFor("The subagent goes on alone.")
		s.shows("working")
		s.open("door")
		s.passed("done")
		s.passed("working")
		s.expect("done", "The background work ended.")
	})

	scenario(t, a, "command in the background", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:background")
		s.passed("working")
		s.expect("done", "It runs in the background.")
		s.open("gate")
		s.passed("working")
		s.expect("done", "The background work ended.")
	})

	scenario(t, a, "nested agent", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:nested")
		s.expect("working", "Bash: ./nested gate")
		s.open("gate")
		s.owned()
		s.expect("done", "The other agent answered.")
		s.contains("nested.out", "Hello from the model.")
	})

	scenario(t, a, "compaction", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:quick")
		s.passed("working")
		s.expect("done", "The quick command ran.")
		s.waitFor(a.ready)
		s.prompt("/compact")
		s.expect("working", "Compacting…")
		s.release()
		s.expect("done", "")
	})

	scenario(t, a, "compaction in mid-turn", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:quick")
		s.passed("working")
		s.expect("done", "The quick command ran.")
		s.waitFor(a.ready)
		s.prompt("play:toolong")
		s.expect("working", "Compacting…")
		s.release()
		s.waitFor("Recovered.")
		s.release()
		s.expect("done", "Recovered.")
	})

	scenario(t, a, "new session, resume", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:plain")
		s.passed("working")
		s.expect("done", "Hello from the model.")
		s.waitFor(a.ready)
		s.prompt("/clear")
		s.passed("idle")
		s.expect("starting", "")
		s.prompt("play:quick")
		s.passed("working")
		s.expect("done", "The quick command ran.")
		s.waitFor(a.ready)
		s.prompt("/exit")
		s.expect("stopped", "")
		s.gone()
		s.start("--continue")
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		scenario(t, a, signal.String(), func(s *session) {
			s.start()
			s.expect("starting", "")
			s.prompt("play:slow")
			s.expect("working", "")
			s.kill(signal)
			s.expect("stopped", "")
		})
	}

	scenario(t, a, "kill -9", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:bash")
		s.expect("working", "Bash: ./await gate")
		s.kill(syscall.SIGKILL)
		s.silent("working", "stopped")
	})

	scenario(t, a, "kill -9 in a dialog", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:permit")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.kill(syscall.SIGKILL)
		s.silent("blocked", "stopped")
	})

	scenario(t, a, "suspended", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.signal(syscall.SIGSTOP)
		s.silent("working", "working")
		s.signal(syscall.SIGCONT)
		s.release()
		s.expect("done", "A slow answer.")
	})

	scenario(t, a, "Ctrl-C while streaming", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.waitFor("● A slow answer.")
		s.key("C-c")
		s.waitFor("Interrupted")
		s.silent("working", "idle")
		s.key("C-c", "C-c")
		s.expect("stopped", "")
		s.gone()
	})

	untouched(t, a, "settings on the command line", func(s *session) {
		writeFile(s.t, filepath.Join(s.project, "panehook.json"), s.run("install", "claude", "--print"))
		s.start("--settings", "panehook.json")
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	scenario(t, a, "pane closed", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "")
		s.closePane()
		s.expect("stopped", "")
	})

	scenario(t, a, "print mode", func(s *session) {
		s.command("-p", "play:bash")
		s.passed("starting")
		s.expect("working", "Bash: ./await gate")
		s.open("gate")
		s.passed("done")
		s.expect("stopped", "")
		s.gone()
	})
}
