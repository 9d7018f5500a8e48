package pi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"panehook/adapters"
)

var oddPrograms = []string{"/opt/panehook", `/opt/a b/it's $HOME/"x" \ ${y}/panehook`, "/opt/é 漢/line\nbreak\u2028/panehook", "C:\\bin\\panehook.exe"}

func TestExtensionNamesProgram(t *testing.T) {
	for _, program := range oddPrograms {
		extension := Extension(program)
		if got := programOf(extension); got != program {
			t.Errorf("%q came back as %q", program, got)
		}
		if !isOurs(extension) || bytes.Count(extension, []byte(programLine)) != 1 || !bytes.HasSuffix(extension, []byte("}\n")) {
			t.Errorf("%q: not a whole extension", program)
		}
	}
	if strings.Contains(source, "@earendil-works") || strings.Contains(source, "@mariozechner") || strings.Contains(source, "console.") {
		t.Error("the extension imports from Pi, or prints")
	}
}

func TestInstallAndUninstall(t *testing.T) {
	request := func(now []byte, settings string) *adapters.InstallRequest {
		return &adapters.InstallRequest{Program: "/opt/panehook", Env: func(string) string { return "" }, Dir: "/home/dev/.pi/agent",
			Files: []adapters.InstallFile{{Now: now}, {Now: []byte(settings)}}}
	}
	for _, before := range [][]byte{nil, Extension("/old/panehook")} {
		after, err := install(request(before, ""))
		if err != nil || !bytes.Equal(after[0], Extension("/opt/panehook")) {
			t.Errorf("install over %d bytes: %v", len(before), err)
		}
	}
	if after, err := uninstall(request(Extension("/opt/panehook"), "")); err != nil || after[0] != nil {
		t.Errorf("uninstall left %d bytes, %v", len(after[0]), err)
	}
	foreign := []byte("export default () => {}\n")
	if _, err := install(request(foreign, "")); err == nil || !strings.Contains(err.Error(), "not panehook's") {
		t.Errorf("install over a foreign file: %v", err)
	}
	if after, err := uninstall(request(foreign, "")); err != nil || !bytes.Equal(after[0], foreign) {
		t.Errorf("uninstall changed a foreign file: %v", err)
	}
	for settings, problems := range map[string]int{
		"": 0, "{": 0, `{"extensions": ["~/x.ts"]}`: 0, `{"extensions": ["-extensions/panehook.ts"]}`: 1, `{"extensions": "x"}`: 0,
	} {
		report, err := inspect(request(Extension("/opt/panehook"), settings))
		if err != nil || !report.Installed || len(report.Findings) != problems {
			t.Errorf("settings %s: %+v, %v", settings, report, err)
		}
	}
}

// host plays a Pi: it loads the extension as often as it is told, and sends
// the events of a script. It ends with what the extension did to it.
const host = `
import { readFileSync } from "node:fs";
const [, , extension, script] = process.argv;
let complaints = 0;
process.on("uncaughtException", () => complaints++);
process.on("unhandledRejection", () => complaints++);
let handlers = {};
const pi = { on: (name, handler) => (handlers[name] ??= []).push(handler) };
const ctx = {
	cwd: "/work", mode: "tui", isIdle: () => true,
	sessionManager: { getSessionId: () => "id-1", getSessionFile: () => { throw new Error("not yet") } },
};
let loads = 0, waited = 0, slowest = 0;
const load = async () => { handlers = {}; (await import(extension + "?" + loads++)).default(pi); };
await load();
for (const step of JSON.parse(readFileSync(script, "utf8"))) {
	if (step.load) { await load(); continue; }
	if (step.sleep) { await new Promise((done) => setTimeout(done, step.sleep)); continue; }
	for (let n = 0; n < (step.times ?? 1); n++) {
		const event = step.size ? { ...step.fields, args: { command: "x".repeat(step.size) } } : step.fields;
		for (const handler of handlers[step.event] ?? []) {
			const before = performance.now();
			const result = handler(event, step.bare ? undefined : ctx);
			slowest = Math.max(slowest, performance.now() - before);
			if (result !== undefined) waited++;
		}
	}
}
console.log(JSON.stringify({ complaints, waited, subscribed: Object.keys(handlers).length, slowest }));
`

type hostReport struct {
	Complaints, Waited, Subscribed int
	Slowest                        float64
}

// play runs the extension under Node with a program that is a shell script.
func play(t *testing.T, program string, steps []map[string]any, env ...string) hostReport {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs node and a shell")
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "none")
	if program != "" {
		path = write(`it's a "$HOME" \ place/panehook`, "#!/bin/sh\n"+program, 0o700)
	}
	extension := write("extension.mjs", string(Extension(path)), 0o600)
	cmd := exec.Command(node, write("host.mjs", host, 0o600), extension, write("steps.json", string(script), 0o600))
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "QUESTMASTER_SESSION=qm-1", "OUT=" + filepath.Join(dir, "out")}, env...)
	cmd.Stderr = new(bytes.Buffer)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, cmd.Stderr)
	}
	var report hostReport
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	if stderr := cmd.Stderr.(*bytes.Buffer); stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr)
	}
	return report
}

func event(name string, fields map[string]any) map[string]any {
	return map[string]any{"event": name, "fields": fields}
}

func TestExtensionSends(t *testing.T) {
	out, done := filepath.Join(t.TempDir(), "lines"), filepath.Join(t.TempDir(), "done")
	if err := exec.Command("mkfifo", done).Run(); err != nil {
		t.Skip("needs mkfifo")
	}
	answer := map[string]any{"role": "assistant", "stopReason": "error", "errorMessage": "500 no\nmore",
		"content": []any{map[string]any{"type": "text", "text": "é" + strings.Repeat("漢", 6000)}, map[string]any{"type": "toolCall", "name": "bash"}}}
	report := play(t, `test "$*" = "hook pi --stream" && pwd >> "`+out+`" && cat >> "`+out+`" && echo end >> "`+out+`" && : > "`+done+`"`,
		[]map[string]any{
			event("session_start", map[string]any{"reason": "startup"}),
			event("before_agent_start", map[string]any{"prompt": strings.Repeat("𝒳", 5000)}),
			event("tool_execution_start", map[string]any{"toolCallId": "c", "toolName": "write", "args": map[string]any{"path": "a.txt", "content": strings.Repeat("x", 1<<20)}}),
			event("message_end", map[string]any{"message": map[string]any{"role": "user", "content": "x"}}),
			event("message_end", map[string]any{"message": answer}),
			event("session_shutdown", map[string]any{"reason": "new"}),
			{"load": true}, // as for /new
			{"event": "session_start", "bare": true},
			event("agent_end", map[string]any{"messages": []any{answer, map[string]any{"role": "toolResult"}}}),
			event("agent_end", map[string]any{"messages": 5}),
			event("ui_prompt_start", map[string]any{"kind": "confirm", "title": 7}),
			event("session_shutdown", map[string]any{"reason": "quit"}),
		})
	if report.Complaints != 0 || report.Waited != 0 || report.Subscribed != 17 {
		t.Errorf("report %+v", report)
	}
	// The child outlives its Pi; it opens the FIFO when it is done.
	if _, err := os.ReadFile(done); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	var lines []map[string]any
	var other []string
	for in.Scan() {
		if len(in.Text()) > 20<<10 || !utf8.ValidString(in.Text()) {
			t.Errorf("a line of %d bytes", len(in.Text()))
		}
		var line map[string]any
		if json.Unmarshal(in.Bytes(), &line) != nil {
			other = append(other, in.Text())
			continue
		}
		lines = append(lines, line)
	}
	if strings.Join(other, " ") != "/ end" {
		t.Errorf("besides lines: %q", other) // one child for all, ended by the quit
	}
	var names []string
	for i, line := range lines {
		names = append(names, line["event"].(string))
		if line["seq"].(float64) != float64(i+1) || line["pid"].(float64) < 2 {
			t.Errorf("line %d: seq %v, pid %v", i, line["seq"], line["pid"])
		}
	}
	if got := strings.Join(names, " "); got != "session_start before_agent_start tool_execution_start message_end session_shutdown session_start agent_end agent_end ui_prompt_start session_shutdown" {
		t.Fatalf("events: %s", got)
	}
	first := lines[0]
	if first["pi_session_id"] != "id-1" || first["mode"] != "tui" || first["is_idle"] != true || first["cwd"] != "/work" || first["session_file"] != nil {
		t.Errorf("first line: %v", first)
	}
	if got := lines[1]["prompt"]; got != strings.Repeat("𝒳", 1024) {
		t.Errorf("prompt of %d bytes", len(got.(string)))
	}
	if args := lines[2]["args"].(map[string]any); len(args) != 1 || args["path"] != "a.txt" {
		t.Errorf("args %v", args)
	}
	message := lines[3]["message"].(map[string]any)
	text := message["content"].([]any)[0].(map[string]any)["text"]
	if message["errorMessage"] != "500 no" || message["stopReason"] != "error" || text != strings.Repeat("漢", 4096) {
		t.Errorf("message %.200v", message)
	}
	if last := lines[6]["messages"].([]any); len(last) != 1 || last[0].(map[string]any)["role"] != "assistant" {
		t.Errorf("messages of agent_end: %.200v", last)
	}
}

// Whatever the child does, Pi does not notice.
func TestExtensionHarmless(t *testing.T) {
	start := event("session_start", map[string]any{"reason": "startup"})
	tools := map[string]any{"event": "tool_execution_start", "fields": map[string]any{}, "times": 20000, "size": 1000}
	pause := map[string]any{"sleep": 100}
	for name, program := range map[string]string{
		"missing":      "",
		"exits":        "exit 3",
		"closes stdin": "exec 0<&-; sleep 1",
		"never reads":  "sleep 2",
		"prints":       "echo out; echo err >&2; cat > /dev/null",
	} {
		t.Run(name, func(t *testing.T) {
			report := play(t, program, []map[string]any{start, pause, start, tools, start, pause, start, {"event": "agent_end"}})
			if report.Complaints != 0 || report.Waited != 0 {
				t.Errorf("report %+v", report)
			}
		})
	}
}

func TestExtensionInert(t *testing.T) {
	steps := []map[string]any{event("session_start", nil)}
	alive := "1 qm-1 "                             // a process that runs, same session and pane
	dead, elsewhere := "99999999 qm-1 ", "1 qm-2 " // one that is gone, and one of another session
	for env, subscribed := range map[string]int{
		"X=":                             17,
		"PANEHOOK_DISABLE=1":             0,
		"PANEHOOK_DISABLE=0":             17,
		"PANEHOOK_PI_OWNER=" + alive:     0,
		"PANEHOOK_PI_OWNER=" + dead:      17,
		"PANEHOOK_PI_OWNER=" + elsewhere: 17,
		"PANEHOOK_PI_OWNER=rubbish":      17,
	} {
		if report := play(t, "exit 0", steps, env); report.Subscribed != subscribed {
			t.Errorf("%s: subscribed to %d events, want %d", env, report.Subscribed, subscribed)
		}
	}
}
