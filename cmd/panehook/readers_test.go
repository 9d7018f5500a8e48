package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"panehook/state"
	"panehook/transitions"
)

// newRoot makes an empty state root the current one.
func newRoot(t testing.TB) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	t.Setenv(state.StateRootEnv, root)
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	return root
}

// put stores a pane, as another program might.
func put(t testing.TB, id, name, activity string) {
	t.Helper()
	putPane(t, id, state.PaneState{Role: role, Agent: "claude", State: name, Activity: activity})
}

func putPane(t testing.TB, id string, p state.PaneState) {
	t.Helper()
	if p.LastEvent.IsZero() {
		p.LastEvent = time.Now().UTC()
	}
	err := state.UpdateSessionState(id, func(ss *state.SessionState) bool {
		p.Seq = ss.Panes[p.Role].Seq + 1
		ss.Panes[p.Role] = p
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runCommand runs a subcommand in this process and returns what it printed.
func runCommand(t testing.TB, run func(*process, []string) int, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, problems bytes.Buffer
	p := &process{stdin: os.Stdin, stdout: &out, stderr: &problems, env: os.Getenv, now: time.Now}
	status = run(p, args)
	return out.String(), problems.String(), status
}

// hostileTexts are what agents and other programs may put into a state file.
var hostileTexts = []string{
	"plain text",
	"日本語のテキストがとても長くて端末の幅を超えてしまう場合でも列はそろう",
	"👨‍👩‍👧‍👦 family, 🇩🇪 flag, 👍🏽 tone, ❤️ heart, 1️⃣ key",
	"\u202eright to left\u202c and \u2066isolated\u2069",
	"שלום עולם مرحبا",
	"\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J \u009b31mc1",
	"#(touch pwned) #{E:@x} #[fg=red] ##x",
	"e\u0301\u0301\u0301\u0301\u0301\u0301\u0301 zalgo",
	"tab\tnew\nline\r\nreturn",
	"\xff\xfe bad bytes \xc3",
	"zero\u200bwidth\ufeff\u00ad joiner\u200d",
	strings.Repeat("x", 500),
	"",
}

// hostilePanes has each of the texts in each place of a pane.
func hostilePanes(t testing.TB, now time.Time) []*shownPane {
	t.Helper()
	newRoot(t)
	states := []string{"blocked", "done", "working", "idle", "starting", "stopped", "\x1b[31mevil"}
	for i, text := range hostileTexts {
		putPane(t, "qm-hostile-"+strconv.Itoa(i), state.PaneState{
			Role: role, Agent: text, State: states[i%len(states)], Activity: text, Tool: text, LastKind: text,
			LastEvent: now.Add(-time.Duration(i*i) * time.Minute),
			Memory:    state.PaneMemory{Owner: state.Owner{Cwd: "/home/dev/" + text}},
		})
		if err := state.StampQuest("qm-hostile-"+strconv.Itoa(i), text); err != nil {
			t.Fatal(err)
		}
	}
	b, err := readBoard(now)
	if err != nil {
		t.Fatal(err)
	}
	return b.sorted(true)
}

// fillRoot makes a root with n sessions as agents leave them.
func fillRoot(t testing.TB, n int) string {
	root := newRoot(t)
	states := []string{"working", "blocked", "idle", "done", "stopped", "working", "idle", "idle"}
	started := time.Now().UTC().Add(-time.Hour)
	for i := range n {
		s := strconv.Itoa(i)
		id := fmt.Sprintf("qm-claude-%08x-0000-4000-8000-%012d", i*2654435761, i)
		calls := []state.Call{{ID: "toolu_" + s, Tool: "Bash", Activity: "Bash: go test ./...", Key: "0123456789abcdef"}}
		putPane(t, id, state.PaneState{
			Role: role, Agent: "claude", State: states[i%len(states)], Tool: "Bash",
			Activity:     "Bash: go test ./... in package number " + s,
			LastEvent:    started.Add(time.Duration(i) * time.Second),
			LastKind:     "PreToolUse",
			WorkingSince: started,
			Recent:       []string{"one line of the latest message", "and another one"},
			Memory: state.PaneMemory{
				Since: started.Add(time.Duration(i) * time.Second), Rest: "idle", Text: "Bash: go test ./...",
				Owner: state.Owner{
					Session: "5b1f0c9e-1111-4a6b-9c3d-" + s, PID: os.Getpid(), Started: ownStart(),
					Cwd: "/home/dev/project-" + s, Transcript: "/home/dev/.claude/projects/x/" + s + ".jsonl",
				},
				Turn:  state.Turn{Start: started, Open: true},
				Calls: calls,
			},
		})
		if i%2 == 0 {
			manifest := fmt.Sprintf(`{"session_id":%q,"title":"Session number %d","cwd":"/home/dev/project-%d","display":{"color":"pink"}}`, id, i, i)
			if err := os.WriteFile(filepath.Join(root, id+".json"), []byte(manifest), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func ownStart() int64 {
	s, _ := readStat(os.Getpid())
	return s.started
}

func BenchmarkLs(b *testing.B) {
	for _, n := range []int{50, 200, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			fillRoot(b, n)
			for b.Loop() {
				if _, _, status := runCommand(b, runLs); status != 0 {
					b.Fatal("ls failed")
				}
			}
		})
	}
}

func BenchmarkStatusLine(b *testing.B) {
	fillRoot(b, 50)
	for b.Loop() {
		if _, _, status := runCommand(b, runStatusLine); status != 0 {
			b.Fatal("status-line failed")
		}
	}
}

// BenchmarkEvidence is the work of watch for evidence about every session.
func BenchmarkEvidence(b *testing.B) {
	root := fillRoot(b, 1000)
	l := watchLive(root, time.Now)
	defer l.folders.watcher.Close()
	l.refresh(paneListed)
	for b.Loop() {
		for id := range l.board.sessions {
			l.observe(id)
		}
	}
}

// The columns of the log are wide enough for each rule, each change of state and
// the longest name of an event.
func TestEventLineColumns(t *testing.T) {
	at := strings.Index(eventLine(&state.StateEvent{Kind: "k", State: "s", Activity: "HERE"}), "HERE")
	for _, kind := range []string{"session_before_compact", "UserPromptExpansion", "PostToolUseFailure"} {
		for _, id := range transitions.RuleIDs() {
			ev := &state.StateEvent{Kind: kind, State: "working", Activity: "HERE", Fields: map[string]any{"rule": id, "from": "starting"}}
			if line := eventLine(ev); strings.Index(line, "HERE") != at {
				t.Errorf("%q has its text elsewhere than at %d", line, at)
			}
		}
	}
}

// However low the terminal is, whoever waits longest is on it.
func TestScreenOfFewRows(t *testing.T) {
	now := time.Now()
	s := &screen{process: &process{now: func() time.Time { return now }}, panes: map[string][]shownPane{}, width: 60}
	s.look = tableLook{width: 60}
	for i, name := range []string{"idle", "blocked", "working"} {
		id := "qm-" + string(rune('a'+i))
		s.panes[id] = []shownPane{{Session: id, Role: role, Shown: state.PaneState{State: name, Agent: "claude"}}}
	}
	s.sort()
	counts := "panehook: " + s.counts
	heads, asks, works := "STATE    AGENT   SESSION  ID", "blocked  claude  b        b", "working  claude  c        c"
	last := "q quit  a all"
	for height, want := range map[int][]string{
		1: {asks},
		2: {asks, "1-1 of 3  " + last},
		3: {counts, asks, "1-1 of 3  " + last},
		4: {counts, heads, asks, "1-1 of 3  " + last},
		5: {counts, heads, asks, works, "1-2 of 3  " + last},
	} {
		s.height = height
		if got := s.lines(); !slices.Equal(got, want) {
			t.Errorf("%d rows are %q, want %q", height, got, want)
		}
	}
	s.height = 1
	s.press("j")
	if got := s.lines(); !slices.Equal(got, []string{works}) {
		t.Errorf("below the first is %q, want %q", got, works)
	}
	clear(s.panes)
	s.sort()
	if got := s.lines(); !slices.Equal(got, []string{"panehook: no pane is open"}) {
		t.Errorf("without panes it is %q", got)
	}
}

// BenchmarkScreen is the work of watch for each second in which nothing happens.
func BenchmarkScreen(b *testing.B) {
	fillRoot(b, 1000)
	board, err := readBoard(time.Now())
	if err != nil {
		b.Fatal(err)
	}
	s := &screen{process: &process{now: time.Now}, panes: map[string][]shownPane{}, width: 120, height: 50}
	s.look = tableLook{width: 120, color: true, terminal: true}
	for id, session := range board.sessions {
		s.panes[id] = session.panes
	}
	s.sort()
	for b.Loop() {
		s.lines()
	}
}
