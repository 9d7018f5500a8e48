//go:build e2e && linux

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// pi074 is the last Pi that runs on Node 20. It tells extensions little: neither
// dialogs nor the end of its retries.
func pi074(t *testing.T) *agent {
	a := pi(filepath.Dir(needPackage(t, "Pi 0.74", "pi", "node_modules", ".bin", "pi")))
	a.label, a.executable = "Pi 0.74", "node"
	return a
}

// pi1 is a Pi of today, with the Node it needs.
func pi1(t *testing.T) *agent {
	node := needPackage(t, "Pi 1", "node22", "node_modules", "node", "bin", "node")
	cli := needPackage(t, "Pi 1", "pi1", "node_modules", ".bin", "pi")
	bin := t.TempDir()
	writeProgram(t, filepath.Join(bin, "pi"), fmt.Sprintf(`exec %s %s "$@"`, node, cli))
	a := pi(bin)
	a.label, a.executable = "Pi 1", "node"
	return a
}

func pi(bin string) *agent {
	return &agent{
		name: "pi", bin: bin, program: "pi",
		nested:   "pi -p play:plain",
		ready:    `mock-model`, // in the footer
		composer: betweenRules,
		leave:    "/quit",
		settings: []string{".pi/agent/*.json*", ".pi/agent/extensions/*"},
		env: func(string) []string {
			return []string{"PI_OFFLINE=1"}
		},
		prepare: func(t *testing.T, home, _, url string) {
			dir := filepath.Join(home, ".pi", "agent")
			writeFile(t, filepath.Join(dir, "models.json"), fmt.Sprintf(piModels, url))
			writeFile(t, filepath.Join(dir, "settings.json"), piSettings)
			writeFile(t, filepath.Join(dir, "extensions", "ask.ts"), piAsk)
		},
	}
}

// betweenRules reads the composer, which stands between the last two rules. The
// upper one says what goes on meanwhile, such as a compaction.
func betweenRules(screen string) (string, bool) {
	lines := strings.Split(screen, "\n")
	var rules []int
	for i, line := range lines {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "──") && strings.HasSuffix(line, "──") {
			rules = append(rules, i)
		}
	}
	if len(rules) < 2 {
		return "", false
	}
	upper, lower := rules[len(rules)-2], rules[len(rules)-1]
	return strings.TrimSpace(strings.Join(lines[upper+1:lower], "\n")), true
}

const piModels = `{"providers": {"mock": {
  "baseUrl": "%s/v1", "api": "openai-completions", "apiKey": "dummy",
  "models": [{"id": "mock-model", "name": "mock-model", "contextWindow": 200000, "maxTokens": 4096}]
}}}
`

const piSettings = `{
  "defaultProvider": "mock", "defaultModel": "mock-model", "quietStartup": true,
  "retry": {"baseDelayMs": 500}, "compaction": {"keepRecentTokens": 1}
}
`

// piAsk is somebody's extension with tools that ask the person. Only one has a
// name that says so.
const piAsk = `export default function (pi: any) {
	for (const name of ["ask_user", "pick_one"]) {
		pi.registerTool({
			name,
			label: name,
			description: "Asks the user a question",
			parameters: {
				type: "object",
				properties: { question: { type: "string" }, options: { type: "array", items: { type: "string" } } },
				required: ["question", "options"],
			},
			async execute(_id: string, params: any, _signal: any, _update: any, ctx: any) {
				const answer = await ctx.ui.select(params.question, params.options);
				return { content: [{ type: "text", text: "The user chose " + answer }], details: {} };
			},
		});
	}
}
`

func TestPi074(t *testing.T) {
	t.Parallel()
	a := pi074(t)
	piScenarios(t, a)

	// This Pi says nothing of dialogs, and a long tool call looks the same.
	scenario(t, a, "dialog of an extension", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:dialog")
		s.expect("working", "pick_one")
		s.waitFor("enter select")
		s.answer("Enter", s.sees("You have picked."))
		s.release()
		s.expect("done", "You have picked.")
	})
}

func TestPi1(t *testing.T) {
	t.Parallel()
	a := pi1(t)
	piScenarios(t, a)

	scenario(t, a, "dialog of an extension", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:dialog")
		s.passed("working")
		s.expect("blocked", "Which colour?")
		s.waitFor("enter select")
		s.answer("Escape", s.sees("You have picked."))
		s.expect("working", "")
		s.release()
		s.expect("done", "You have picked.")
	})
}

// piScenarios are those in which every version behaves alike. The end of the
// extension's stream tells of every exit.
func piScenarios(t *testing.T, a *agent) {
	scenario(t, a, "plain prompt, /quit", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
		s.prompt("/quit")
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
		s.waitFor("The command ran.")
		s.key("C-c", "C-c")
		s.expect("stopped", "")
		s.gone()
	})

	scenario(t, a, "failing tool call, Ctrl-D", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:fail")
		s.passed("working")
		s.expect("done", "The command failed.")
		s.waitFor("The command failed.")
		s.key("C-d")
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

	scenario(t, a, "question answered", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:ask")
		s.passed("working")
		s.expect("blocked", "Question: Which colour?")
		s.waitFor("enter select")
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
		s.waitFor("enter select")
		s.answer("Escape", s.sees("You answered."))
		s.expect("working", "")
		s.release()
		s.expect("done", "You answered.")
	})

	scenario(t, a, "Esc while streaming", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "")
		s.waitFor("A slow answer.")
		s.key("Escape")
		s.expect("idle", "Interrupted")
		s.shows("idle")
	})

	scenario(t, a, "Esc in a tool", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:bash")
		s.expect("working", "Bash: ./await gate")
		s.waitFor("Working")
		s.key("Escape")
		s.expect("idle", "Interrupted")
		s.shows("idle")
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

	scenario(t, a, "API error, retried", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:retry")
		s.expect("working", "")
		s.release()
		s.expect("done", "Recovered.")
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
		s.waitFor("The quick command ran.")
		s.prompt("/compact")
		s.expect("working", "Compacting…")
		s.release()
		s.expect("done", "")
	})

	scenario(t, a, "new session, resume", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:plain")
		s.passed("working")
		s.expect("done", "Hello from the model.")
		s.waitFor("Hello from the model.")
		s.prompt("/new")
		s.expect("idle", "")
		s.waitFor("New session")
		s.prompt("play:quick")
		s.passed("working")
		s.expect("done", "The quick command ran.")
		s.waitFor("The quick command ran.")
		s.prompt("/quit")
		s.expect("stopped", "")
		s.gone()
		s.start("--continue")
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
	})

	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		scenario(t, a, signal.String(), func(s *session) {
			s.start()
			s.expect("starting", "")
			s.prompt("play:slow")
			s.expect("working", "")
			s.kill(signal)
			s.passed("idle") // Pi 1 ends its turn first
			s.expect("stopped", "")
			s.shows("stopped")
		})
	}

	scenario(t, a, "pane closed", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:bash")
		s.expect("working", "Bash: ./await gate")
		s.closePane()
		s.passed("idle")
		s.expect("stopped", "")
		s.shows("stopped")
	})

	scenario(t, a, "Ctrl-D while streaming", func(s *session) {
		s.start()
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "")
		s.waitFor("A slow answer.")
		s.key("C-d")
		s.passed("idle")
		s.expect("stopped", "")
		s.gone()
	})

	untouched(t, a, "extension on the command line", func(s *session) {
		writeFile(s.t, filepath.Join(s.project, "panehook.ts"), s.run("install", "pi", "--print"))
		s.start("-e", "./panehook.ts")
		s.expect("starting", "")
		s.prompt("play:slow")
		s.expect("working", "You: play:slow")
		s.release()
		s.expect("done", "A slow answer.")
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
