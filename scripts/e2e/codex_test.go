//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// codex is the Codex CLI with the mock as its provider. Its daemon is off: with
// it, hooks run in the environment of another terminal.
func codex(t *testing.T) *agent {
	command := needPackage(t, "Codex", "codex", "node_modules", ".bin", "codex")
	return &agent{
		name: "codex", label: "Codex",
		bin:     filepath.Dir(command),
		program: "codex", executable: "codex",
		nested:   command + " exec --skip-git-repo-check play:plain",
		ready:    `(?m)^› Ask Codex`,
		composer: lineAfter("›"),
		leave:    "/quit",
		settings: []string{".codex/hooks.json*", ".codex/config.toml*"},
		env: func(string) []string {
			return []string{"MOCK_KEY=dummy"}
		},
		prepare: func(t *testing.T, home, project, url string) {
			writeFile(t, filepath.Join(home, ".codex", "config.toml"), fmt.Sprintf(codexConfig, url, project))
		},
	}
}

const codexConfig = `model = "gpt-5.5" # hooks must leave this comment alone
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
suppress_unstable_features_warning = true

[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0

[features]
daemon_auto_start = false
default_mode_request_user_input = true

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"

[tui]
show_tooltips = false

[projects.%q]
trust_level = "trusted"
`

func TestCodex(t *testing.T) {
	t.Parallel()
	a := codex(t)

	scenario(t, a, "plain prompt, /quit", func(s *session) {
		s.start()
		s.none()
		s.prompt("play:slow")
		s.passed("starting")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
		s.waitFor("Worked for")
		s.prompt("/quit")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "tool call, Ctrl-C", func(s *session) {
		s.start()
		s.prompt("play:bash")
		s.passed("starting")
		s.expect("working", "Bash: ./await gate")
		s.owned()
		s.open("gate")
		s.expect("done", "The command ran.")
		s.waitFor("Worked for")
		s.key("C-c")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "failing tool call, Ctrl-D", func(s *session) {
		s.start()
		s.prompt("play:fail")
		s.passed("starting")
		s.passed("working")
		s.expect("done", "The command failed.")
		s.waitFor("Worked for")
		s.key("C-d")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "parallel tools", func(s *session) {
		s.start()
		s.prompt("play:parallel")
		s.passed("starting")
		s.expect("working", "Bash: wc -l ")
		s.open("door")
		s.expect("working", "Bash: wc -l gate")
		s.open("gate")
		s.expect("done", "Both commands ran.")
	})

	scenario(t, a, "permission granted", func(s *session) {
		s.start()
		s.prompt("play:permit")
		s.passed("starting")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Would you like to run")
		s.answer("y", s.runs("gate"))
		s.silent("blocked", "working")
		s.open("gate")
		s.expect("working", "")
		s.release()
		s.expect("done", "It was permitted.")
	})

	scenario(t, a, "permission refused", func(s *session) {
		s.start()
		s.prompt("play:permit")
		s.passed("starting")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Would you like to run")
		s.answer("Escape", s.sees("Conversation interrupted"))
		s.expect("idle", "Interrupted")
		s.waitFor("Conversation interrupted")
		s.shows("idle")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	scenario(t, a, "two permissions", func(s *session) {
		s.start()
		s.prompt("play:permits")
		s.passed("starting")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Would you like to run")
		s.answer("y", s.sees("You approved"))
		s.waitFor("Would you like to run")
		s.shows("blocked")
		s.answer("y", func() bool { return s.runs("gate")() && s.runs("door")() })
		s.silent("blocked", "working")
		s.open("gate")
		s.open("door")
		s.expect("working", "")
		s.release()
		s.expect("done", "Both were permitted.")
	})

	scenario(t, a, "question refused", func(s *session) {
		s.start()
		s.prompt("play:ask")
		s.passed("starting")
		s.passed("working")
		s.expect("blocked", "Question: Which colour?")
		s.waitFor("enter to submit")
		s.answer("Escape", s.sees("Conversation interrupted"))
		s.expect("idle", "Interrupted")
		s.shows("idle")
	})

	scenario(t, a, "question answered", func(s *session) {
		s.start()
		s.prompt("play:ask")
		s.passed("starting")
		s.passed("working")
		s.expect("blocked", "Question: Which colour?")
		s.waitFor("enter to submit")
		s.answer("Enter", s.sees("You answered."))
		s.expect("working", "")
		s.release()
		s.expect("done", "You answered.")
	})

	for name, play := range map[string]string{"plan approved": "play:justplan", "plan after words approved": "play:plan"} {
		scenario(t, a, name, func(s *session) {
			s.start()
			s.prompt("/plan")
			s.waitFor("Plan mode")
			s.prompt(play)
			s.passed("starting")
			s.passed("working")
			s.expect("blocked", "Plan:")
			s.waitFor("Implement this plan")
			s.answer("Enter", s.sees("Answer to nothing"))
			s.passed("working")
			s.expect("done", "Answer to nothing in particular.")
		})
	}

	scenario(t, a, "Esc while streaming", func(s *session) {
		s.start()
		s.prompt("play:slow")
		s.passed("starting")
		s.expect("working", "You: play:slow")
		s.waitFor("• A slow answer.")
		s.key("Escape")
		s.expect("idle", "Interrupted")
		s.shows("idle")
	})

	scenario(t, a, "Esc in a tool", func(s *session) {
		s.start()
		s.prompt("play:bash")
		s.passed("starting")
		s.expect("working", "Bash: ./await gate")
		s.waitFor("esc to interrupt")
		s.key("Escape")
		s.expect("idle", "Interrupted")
		s.shows("idle")
	})

	scenario(t, a, "API error", func(s *session) {
		s.start()
		s.prompt("play:error500")
		s.passed("starting")
		s.expect("working", "You: play:error500")
		s.waitFor("■ .*errors")
		s.silent("working", "blocked")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	scenario(t, a, "subagent", func(s *session) {
		s.start()
		s.prompt("play:spawn")
		s.passed("starting")
		s.expect("working", "")
		s.open("door")
		s.expect("done", "The subagent reported.")
	})

	scenario(t, a, "subagent asks for permission", func(s *session) {
		s.start()
		s.prompt("play:spawnpermit")
		s.passed("starting")
		s.passed("working")
		s.expect("blocked", "Permission: Bash: touch granted")
		s.waitFor("Would you like to run")
		s.shows("blocked")
		s.answer("y", s.runs("gate"))
		s.silent("blocked", "working")
		s.open("gate")
		s.expect("working", "")
		s.release()
		s.expect("done", "The subagent reported.")
	})

	scenario(t, a, "nested agent", func(s *session) {
		s.start("--sandbox", "danger-full-access") // the other one needs its home and the network
		s.prompt("play:nested")
		s.passed("starting")
		s.expect("working", "Bash: ./nested gate")
		s.open("gate")
		s.owned()
		s.expect("done", "The other agent answered.")
		s.contains("nested.out", "Hello from the model.")
	})

	scenario(t, a, "compaction", func(s *session) {
		s.start()
		s.prompt("play:quick")
		s.passed("starting")
		s.passed("working")
		s.expect("done", "The quick command ran.")
		s.waitFor("Worked for")
		s.prompt("/compact")
		s.expect("working", "Compacting…")
		s.release()
		s.expect("done", "")
	})

	scenario(t, a, "new session, resume", func(s *session) {
		s.start()
		s.prompt("play:plain")
		s.passed("starting")
		s.passed("working")
		s.expect("done", "Hello from the model.")
		s.waitFor("Worked for")
		s.prompt("/new")
		s.waitFor(a.ready)
		s.prompt("play:quick")
		s.passed("starting")
		s.passed("working")
		s.expect("done", "The quick command ran.")
		s.waitFor("Worked for")
		s.prompt("/quit")
		s.expect("stopped", "")
		s.gone()
		s.start("resume", "--last")
		s.prompt("play:slow")
		s.passed("starting")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		scenario(t, a, signal.String(), func(s *session) {
			s.start()
			s.prompt("play:slow")
			s.passed("starting")
			s.expect("working", "You: play:slow")
			s.kill(signal)
			s.silent("working", "stopped")
		})
	}

	scenario(t, a, "Ctrl-D while streaming", func(s *session) {
		s.start()
		s.prompt("play:slow")
		s.passed("starting")
		s.expect("working", "You: play:slow")
		s.waitFor("• A slow answer.")
		s.key("C-d")
		s.passed("idle")
		s.expect("stopped", "")
		s.gone()
		s.shows("stopped")
	})

	scenario(t, a, "pane closed", func(s *session) {
		s.start()
		s.prompt("play:slow")
		s.passed("starting")
		s.expect("working", "You: play:slow")
		s.closePane()
		s.silent("working", "stopped")
	})

	scenario(t, a, "exec", func(s *session) {
		s.command("exec", "--skip-git-repo-check", "play:bash")
		s.passed("starting")
		s.expect("working", "Bash: ./await gate")
		s.open("gate")
		s.passed("done")
		s.expect("stopped", "")
		s.gone()
	})

	// The daemon runs hooks in the environment of the terminal that started it,
	// which need not be that of the session.
	scenario(t, a, "daemon", func(s *session) {
		config := filepath.Join(s.home, ".codex", "config.toml")
		raw, err := os.ReadFile(config)
		if err != nil {
			s.t.Fatal(err)
		}
		writeFile(s.t, config, strings.Replace(string(raw), "daemon_auto_start = false", "daemon_auto_start = true", 1))
		s.start()
		s.prompt("play:bash")
		s.passed("starting")
		s.expect("working", "Bash: ./await gate")
		s.open("gate")
		s.expect("done", "The command ran.")
		if dirs, _ := filepath.Glob(filepath.Join(s.home, ".questmaster-state", "qm-codex-*")); len(dirs) != 1 {
			s.t.Errorf("the session of a daemon has no pane of its own: %v", dirs)
		}
		s.waitFor("Worked for")
		s.prompt("/quit")
		s.gone()
		s.key("-l", "codex app-server daemon stop")
		s.key("Enter")
		s.expect("stopped", "")
	})
}
