package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The rollouts under testdata/evidence are the ends of those that Codex 0.171.0
// wrote on 2026-11-30.
func TestEnding(t *testing.T) {
	sample := func(name string) string {
		data, err := os.ReadFile(filepath.Join("testdata", "evidence", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	aborted := sample("rollout-tui_esc_stream.jsonl")
	tests := []struct {
		name, tail, state, activity string
	}{
		{"a finished turn", sample("rollout-tui_plain.jsonl"), "done", ""},
		{"an API error", sample("rollout-exec_error_429.jsonl"), "blocked", "Error: "},
		{"killed in a turn", sample("rollout-tui_exit_kill_busy.jsonl"), "", ""},
		{"recovered after errors", sample("rollout-tui_errors.jsonl"), "done", "fine"},
		{"aborted", `{"timestamp":"2026-11-30T13:00:00Z","type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}`, "idle", ""},
		{"a new turn after the end", aborted + `{"type":"event_msg","payload":{"type":"task_started"}}` + "\n", "", ""},
		{"no JSON", "x\ny\n", "", ""},
		{"an error that is a text", `{"timestamp":"2026-11-30T13:00:00Z","type":"event_msg","payload":{"type":"task_complete","error":"x"}}`, "done", ""},
	}
	for _, tt := range tests {
		got := ending([]byte(tt.tail))
		if got.State != tt.state || !strings.HasPrefix(got.Activity, tt.activity) || got.At.IsZero() != (tt.state == "") {
			t.Errorf("%s: got %+v, want state %q, activity %q…", tt.name, got, tt.state, tt.activity)
		}
	}
}
