package mock

import (
	"bufio"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// ask posts a request and returns the whole answer.
func ask(t *testing.T, s *Server, path, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(s.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func TestScriptsInEveryProtocol(t *testing.T) {
	const (
		claude = `{"model":"m","stream":true,"tools":[{}],"messages":[`
		codex  = `{"model":"m","stream":true,"input":[`
		pi     = `{"model":"m","stream":true,"messages":[`
	)
	for _, test := range []struct {
		name, path, body string
		status           int
		want             []string
		picked           string
	}{
		{
			name: "Claude Code, first step", path: "/v1/messages",
			body:   claude + `{"role":"user","content":[{"type":"text","text":"<system-reminder>play:plain</system-reminder>"},{"type":"text","text":"play:bash"}]}]}`,
			status: 200, picked: "bash/0",
			want: []string{"event: message_start\n", `"name":"Bash"`, `"id":"call_bash_0_0"`, `./await gate`, `"stop_reason":"tool_use"`, "event: message_stop\n"},
		},
		{
			name: "Claude Code, after the call", path: "/v1/messages",
			body: claude + `{"role":"user","content":"play:bash"},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"call_bash_0_0"}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_bash_0_0","content":"open"}]}]}`,
			status: 200, picked: "bash/1",
			want: []string{"The command ran.", `"stop_reason":"end_turn"`},
		},
		{
			name: "Claude Code, a side request", path: "/v1/messages",
			body:   `{"messages":[{"role":"user","content":"A title for: play:bash"}]}`,
			status: 200, picked: "/0", want: []string{"in particular"},
		},
		{
			name: "Codex, first step", path: "/v1/responses",
			body:   codex + `{"type":"message","role":"user","content":[{"type":"input_text","text":"play:permit"}]}]}`,
			status: 200, picked: "permit/0",
			want: []string{`"name":"exec_command"`, `"call_id":"call_permit_0_0"`, "require_escalated", "event: response.completed\n"},
		},
		{
			name: "Codex, waiting for what it spawned", path: "/v1/responses",
			body: codex + `{"type":"message","role":"user","content":[{"type":"input_text","text":"play:spawn"}]},` +
				`{"type":"function_call","call_id":"call_spawn_0_0"},` +
				`{"type":"function_call_output","call_id":"call_spawn_0_0","output":"{\"agent_id\":\"child-1\"}"}]}`,
			status: 200, picked: "spawn/1",
			want: []string{`"name":"wait_agent"`, `[\"child-1\"]`},
		},
		{
			name: "Codex, the title of a prompt", path: "/v1/responses",
			body:   codex + `{"type":"message","role":"user","content":[{"type":"input_text","text":"Generate a concise, single-line task title for: play:slow"}]}]}`,
			status: 200, picked: "title/0", want: []string{"Mock title"},
		},
		{
			name: "Pi, a new prompt after another's call", path: "/v1/chat/completions",
			body: pi + `{"role":"user","content":"play:bash"},` +
				`{"role":"assistant","tool_calls":[{"id":"call_bash_0_0"}]},{"role":"tool","content":"open"},` +
				`{"role":"user","content":"play:parallel"}]}`,
			status: 200, picked: "parallel/0",
			want: []string{`"name":"bash"`, `call_parallel_0_1`, `"finish_reason":"tool_calls"`, "data: [DONE]\n"},
		},
		{
			name: "an error", path: "/v1/chat/completions",
			body:   pi + `{"role":"user","content":"play:error400"}]}`,
			status: 400, picked: "error400/0", want: []string{"mock says no"},
		},
		{
			name: "no JSON", path: "/v1/messages", body: `{`, status: 400, want: []string{"unexpected end"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Start()
			defer s.Close()
			status, answer := ask(t, s, test.path, test.body)
			if status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			for _, want := range test.want {
				if !strings.Contains(answer, want) {
					t.Errorf("no %q in\n%s", want, answer)
				}
			}
			if test.picked != "" && !slices.Equal(s.Requests(), []string{test.picked}) {
				t.Errorf("picked %q, want %q", s.Requests(), test.picked)
			}
		})
	}
}

func TestHeldAnswerWaitsForRelease(t *testing.T) {
	s := Start()
	defer s.Close()
	resp, err := http.Post(s.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(`{"messages":[{"role":"user","content":"play:slow"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "A slow answer.") {
	}
	if err := s.Release(); err != nil {
		t.Fatal(err)
	}
	rest := ""
	for lines.Scan() {
		rest += lines.Text()
	}
	if !strings.Contains(rest, "[DONE]") {
		t.Errorf("after the release: %q", rest)
	}
}

func TestRequestsAreBounded(t *testing.T) {
	s := Start()
	defer s.Close()
	for range maxRequests {
		if status, answer := ask(t, s, "/v1/messages", `{"messages":[]}`); status != 200 {
			t.Fatalf("status %d: %s", status, answer)
		}
	}
	if status, _ := ask(t, s, "/v1/messages", `{"messages":[]}`); status != 400 {
		t.Errorf("request %d gets status %d", maxRequests+1, status)
	}
}
