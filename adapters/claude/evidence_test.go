package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"panehook/state"
	"panehook/transitions"
)

// The files under testdata/evidence were written by Claude Code 2.1.197 on
// 2026-11-30.

func sample(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "evidence", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestStatus(t *testing.T) {
	owner := state.Owner{Session: "2202ddbf-a0f0-4881-9776-975eb31bd2fb", PID: 19969, Started: 215122}
	at := time.UnixMilli(1796047212585).UTC()
	tests := []struct {
		name  string
		data  []byte
		owner state.Owner
		want  transitions.Sighting
	}{
		{"idle", sample(t, "status-idle-after-esc.json"), owner, transitions.Sighting{State: "idle", At: at}},
		{"busy", sample(t, "status-busy.json"), owner, transitions.Sighting{State: "working", At: time.UnixMilli(1796047211017).UTC()}},
		{"shell", sample(t, "status-shell.json"), owner, transitions.Sighting{State: "done", Activity: "Shell in background", At: time.UnixMilli(1796047201778).UTC()}},
		{"waiting", sample(t, "status-waiting-permission.json"), state.Owner{Session: "91ffa63c-9119-4587-86f8-adbd967a3a65", Started: 216824},
			transitions.Sighting{State: "blocked", Activity: "Waiting: permission prompt", At: time.UnixMilli(1796047218374).UTC()}},
		{"print mode has no status", sample(t, "status-print-mode.json"), state.Owner{Session: "530ed41e-160e-455e-b0db-363cd1cf911d"}, transitions.Sighting{}},
		{"another session", sample(t, "status-busy.json"), state.Owner{Session: "other", Started: 215122}, transitions.Sighting{}},
		{"another process with that number", sample(t, "status-busy.json"), state.Owner{Session: owner.Session, Started: 99}, transitions.Sighting{}},
		{"process start not recorded", sample(t, "status-idle-after-esc.json"), state.Owner{Session: owner.Session}, transitions.Sighting{State: "idle", At: at}},
		{"a word of a later version", []byte(`{"sessionId":"2202ddbf-a0f0-4881-9776-975eb31bd2fb","status":"dreaming"}`), owner, transitions.Sighting{}},
		{"cut while it is rewritten", sample(t, "status-busy.json")[:200], owner, transitions.Sighting{}},
		{"empty", nil, owner, transitions.Sighting{}},
		{"a list", []byte(`[1]`), owner, transitions.Sighting{}},
	}
	for _, tt := range tests {
		if got := status(tt.data, tt.owner); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestStatusFile(t *testing.T) {
	tests := []struct {
		owner state.Owner
		want  string
	}{
		{state.Owner{PID: 7, Transcript: "/home/u/.claude/projects/-home-u-p/x.jsonl"}, "/home/u/.claude/sessions/7.json"},
		{state.Owner{PID: 7, Transcript: "/srv/projects/cfg/projects/-p/x.jsonl"}, "/srv/projects/cfg/sessions/7.json"},
		{state.Owner{Transcript: "/home/u/.claude/projects/-p/x.jsonl"}, ""},
		{state.Owner{PID: 7, Transcript: "/tmp/x.jsonl"}, ""},
		{state.Owner{PID: 7}, ""},
	}
	for _, tt := range tests {
		if got := filepath.ToSlash(statusFile(tt.owner)); got != tt.want {
			t.Errorf("statusFile(%+v) = %q, want %q", tt.owner, got, tt.want)
		}
	}
}

func TestEnding(t *testing.T) {
	esc := string(sample(t, "transcript-i_esc_tool.jsonl"))
	tests := []struct {
		name, tail, want string
	}{
		{"Esc in a tool", esc, "idle"},
		{"Esc while an answer streams", string(sample(t, "transcript-i_esc_stream.jsonl")), "idle"},
		{"a finished turn of print mode", string(sample(t, "transcript-b_bash_p.jsonl")), ""},
		{"a finished turn", string(sample(t, "transcript-g_ask_answer.jsonl")), "done"},
		{"a prompt after the interrupt", esc + `{"type":"user","message":{"content":"go on"},"timestamp":"2026-11-30T14:00:00Z"}` + "\n", ""},
		{"a subagent's records say nothing of the lead", esc + `{"type":"assistant","isSidechain":true,"message":{"content":[]}}` + "\n", "idle"},
		{"a record of an unknown kind", esc + `{"type":"mood"}` + "\n", "idle"},
		{"a line cut at the front", "rupted by user]\"}]}}\n" + esc, "idle"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		got := ending([]byte(tt.tail))
		if got.State != tt.want || got.At.IsZero() != (tt.want == "") {
			t.Errorf("%s: got %+v, want state %q", tt.name, got, tt.want)
		}
	}
	if got := ending([]byte(esc)); !strings.HasPrefix(got.At.Format(time.RFC3339), "2026-11-30T") {
		t.Errorf("the interrupt was at %v", got.At)
	}
}
