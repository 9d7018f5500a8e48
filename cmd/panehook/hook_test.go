package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"panehook/adapters/adaptertest"
	"panehook/state"
	"panehook/transitions"
)

// hookRun is a hook call within the test's own process.
type hookRun struct {
	args  []string
	stdin []byte
	open  bool // the agent leaves its end of the pipe open
}

// do makes the call in the state root of the test, and insists on what holds
// for every call: 0, nothing on stdout, and valid files.
func (r hookRun) do(t *testing.T) (stderr string) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	written := make(chan error, 1)
	go func() {
		_, err := out.Write(r.stdin)
		if !r.open {
			out.Close()
		}
		written <- err
	}()
	var stdout, said bytes.Buffer
	status := run(&process{
		args:   append([]string{"hook"}, r.args...),
		stdin:  in,
		stdout: &stdout,
		stderr: &said,
		env:    os.Getenv,
		now:    time.Now,
	})
	in.Close() // as the end of its process does
	if err := <-written; err != nil {
		t.Fatalf("%q: the agent met a broken pipe: %v", r.args, err)
	}
	out.Close()
	if status != 0 || stdout.Len() > 0 {
		t.Fatalf("%q: status %d, stdout %q", r.args, status, &stdout)
	}
	if lines := strings.Count(said.String(), "\n"); lines > 1 {
		t.Errorf("%q: %d lines on stderr: %q", r.args, lines, &said)
	}
	checkFiles(t, state.StateRoot())
	return said.String()
}

// checkFiles insists that states and logs are valid, and as small as promised.
func checkFiles(t *testing.T, root string) {
	t.Helper()
	for pattern, most := range map[string]int{"*/state.json": 16 << 10, "*/state.jsonl": 4 << 10} {
		names, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(data) {
				if !json.Valid(line) || !utf8.Valid(line) || len(line) > most {
					t.Fatalf("%s: %d bytes: %.300q", pattern, len(line), line)
				}
			}
		}
	}
}

// atRoot gives a test a state root and a session of its own.
func atRoot(t *testing.T) {
	t.Setenv(state.StateRootEnv, t.TempDir())
	t.Setenv(state.SessionEnv, "qm-t")
}

func shownState(t *testing.T) state.PaneState {
	t.Helper()
	ss, err := state.LoadSessionState("qm-t")
	if err != nil || ss == nil {
		t.Fatalf("no state: %v", err)
	}
	return ss.Panes[role]
}

// TestPipeLeftOpen: agents have been seen to leave it open. A whole value
// counts at once; with less than that the hook gives up, and its event counts.
func TestPipeLeftOpen(t *testing.T) {
	atRoot(t)
	for _, c := range []struct{ event, stdin, want string }{
		{"UserPromptSubmit", `{"session_id":"s1","prompt":"whole"}`, transitions.Working},
		{"Stop", `{"session_id":"s1","last_assistant_message":"Yes."}` + "\n", transitions.Done},
		{"UserPromptSubmit", `{"session_id":"s1","prompt":"ha`, transitions.Working},
		{"Stop", ``, transitions.Done},
	} {
		hookRun{args: []string{"claude", c.event}, stdin: []byte(c.stdin), open: true}.do(t)
		if got := shownState(t).State; got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.event, c.stdin, got, c.want)
		}
	}
}

// TestHugePayloads: however large a member is, wherever it stands, the others
// are read, all of the payload is taken from the agent, and nothing of its size
// is left anywhere.
func TestHugePayloads(t *testing.T) {
	atRoot(t)
	sizes := []int{70 << 10, 1 << 20, 5 << 20, 24 << 20}
	if raceDetector {
		sizes = sizes[:1] // the larger ones take longer than a hook waits
	}
	for _, size := range sizes {
		for name, member := range map[string]string{
			"text":    `"` + strings.Repeat(`line\n\"é `, size/10) + `"`,
			"list":    `[` + strings.Repeat(`{"a":[1,2]},`, size/12) + `0]`,
			"nesting": strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
			"number":  strings.Repeat("7", size),
		} {
			for _, payload := range []string{
				`{"session_id":"s1","tool_use_id":"c1","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":` + member + `}`,
				`{"tool_response":` + member + `,"session_id":"s1","tool_use_id":"c1","tool_name":"Bash","tool_input":{"command":"make"}}`,
			} {
				hookRun{args: []string{"claude", "UserPromptSubmit"}, stdin: []byte(`{"session_id":"s1"}`)}.do(t)
				hookRun{args: []string{"claude", "PreToolUse"}, stdin: []byte(payload)}.do(t)
				if p := shownState(t); p.State != transitions.Working || p.Tool != "Bash" || p.Activity != "Bash: make" {
					t.Errorf("%d bytes of %s: %s, %q, %q", size, name, p.State, p.Tool, p.Activity)
				}
				hookRun{args: []string{"claude", "PostToolUse"}, stdin: []byte(payload)}.do(t)
				if p := shownState(t); p.State != transitions.Working || p.Tool != "" {
					t.Errorf("%d bytes of %s, ended: %s, %q", size, name, p.State, p.Tool)
				}
			}
		}
	}
}

// TestEveryEventWithAnything: each event of each agent, under each of its
// names, with each odd payload.
func TestEveryEventWithAnything(t *testing.T) {
	for _, a := range agents {
		t.Run(a.Name, func(t *testing.T) {
			for _, h := range a.Hooks {
				atRoot(t) // or every check would read the log of all events before
				for _, name := range append([]string{h.Name}, h.Words...) {
					for _, payload := range adaptertest.Odd {
						hookRun{args: []string{a.Name, name}, stdin: []byte(payload)}.do(t)
					}
				}
			}
		})
	}
}

// FuzzHook sends one payload in the middle of a turn, by way of the whole hook.
func FuzzHook(f *testing.F) {
	for i, a := range agents {
		for k, c := range adaptertest.Calls(f, a.Adapter) {
			if k%5 == 0 { // a whole hook takes its time, and they are much alike
				f.Add(i, c.Event, []byte(c.Payload))
			}
		}
	}
	f.Fuzz(func(t *testing.T, agent int, event string, payload []byte) {
		atRoot(t)
		a := agents[uint(agent)%uint(len(agents))]
		hookRun{args: []string{a.Name, "working"}, stdin: []byte(`{"session_id":"s1","pi_session_id":"s1"}`)}.do(t)
		if strings.HasPrefix(event, "-") || strings.Contains(event, "\x00") {
			event = "" // no argument of a process
		}
		hookRun{args: []string{a.Name, event}, stdin: payload}.do(t)
		hookRun{args: []string{a.Name, "stopped"}, stdin: payload}.do(t)
	})
}

// TestLineWithoutFields: an event of which nothing but the name was known has no
// fields when it comes back from waiting. It must not stop those behind it.
func TestLineWithoutFields(t *testing.T) {
	defer func(was func() (int, int64)) { agentProcess = was }(agentProcess)
	agentProcess = func() (int, int64) { return 4711, 99 }
	ss := &state.SessionState{Panes: map[string]state.PaneState{}}
	line := &state.StateEvent{Ts: time.Now(), Agent: "claude", Role: role, Action: "turn-ended", Kind: "Stop"}
	if !applyLine(ss, line) || line.State != transitions.Done {
		t.Errorf("state %q", line.State)
	}
	if got := ss.Panes[role].Memory.Owner; got.PID != 4711 || line.Fields["pid"] != 4711 {
		t.Errorf("owner %+v, fields %v", got, line.Fields)
	}
}

// TestFaultInTheMachine: whatever panics while an event is applied, the event is
// logged, the pane stays, and the next event is applied.
func TestFaultInTheMachine(t *testing.T) {
	defer func(was func() (int, int64)) { agentProcess = was }(agentProcess)
	agentProcess = func() (int, int64) { panic("no process table") }
	ss := &state.SessionState{Panes: map[string]state.PaneState{}}
	line := func() *state.StateEvent {
		return &state.StateEvent{Ts: time.Now(), Agent: "claude", Role: role, Action: "turn-ended", Kind: "Stop"}
	}
	broken := line()
	if applyLine(ss, broken) || broken.Fields["problem"] != "internal error: no process table" || len(ss.Panes) > 0 {
		t.Errorf("fields %v, panes %v", broken.Fields, ss.Panes)
	}
	agentProcess = func() (int, int64) { return 0, 0 }
	if !applyLine(ss, line()) || ss.Panes[role].State != transitions.Done {
		t.Errorf("panes %v", ss.Panes)
	}
}
