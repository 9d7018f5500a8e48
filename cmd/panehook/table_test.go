package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/rivo/uniseg"

	"panehook/state"
)

// unsafeRune is the first character of a text that has no business on a
// terminal, or -1. Emoji are joined by characters that show nothing.
func unsafeRune(text string) rune {
	for _, r := range text {
		if r != zeroWidthJoiner && r != emojiSelector && (!strconv.IsPrint(r) || unicode.Is(unicode.Cf, r)) {
			return r
		}
	}
	return -1
}

// golden compares with a file of wanted output, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and read the diff. Got:\n%s", name, got)
	}
}

// Hostile text stays in its column and does nothing, at any width.
func TestTableOfHostileText(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	panes := hostilePanes(t, now)
	short := map[string]string{}
	for _, p := range panes {
		short[p.Session] = strings.TrimPrefix(p.Session, "qm-hostile-")
	}
	for _, width := range []int{0, 1, 2, 10, 30, 40, 80, 120, 200, 400} {
		lines := table(panes, short, tableLook{width: width}, now)
		if len(lines) != len(panes)+1 {
			t.Fatalf("%d lines for %d panes", len(lines), len(panes))
		}
		for _, line := range lines {
			if bad := unsafeRune(line); bad >= 0 {
				t.Errorf("width %d: a line with %q: %q", width, bad, line)
			}
			if w := columns(line); width > 0 && w > width {
				t.Errorf("width %d: a line of %d columns: %q", width, w, line)
			}
		}
		if width == 0 || width == 120 {
			golden(t, "hostile-"+strconv.Itoa(width)+".txt", strings.Join(lines, "\n")+"\n")
		}
	}
	styled := table(panes, short, tableLook{width: 120, color: true, terminal: true}, now)
	golden(t, "hostile-terminal.txt", strings.ReplaceAll(strings.Join(styled, "\n"), "\x1b", "ESC")+"\n")
}

// Off a terminal columns are filled with spaces, by the book.
func TestColumnsLineUp(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	panes := hostilePanes(t, now)
	lines := table(panes, nil, tableLook{}, now)
	at := columns(lines[0][:strings.Index(lines[0], "ACTIVITY")])
	for i, p := range panes {
		line := lines[i+1]
		if text := p.activity(); text != "" && p.Rule == "" && !strings.Contains(line, "(silent") {
			before, _, ok := strings.Cut(line, "  "+text)
			if n := strings.LastIndex(line, text); n > 0 {
				before, ok = line[:n], true
			}
			if !ok || columns(before) != at {
				t.Errorf("%q begins at column %d, want %d", text, columns(before), at)
			}
		}
	}
}

// What programs get is one line of JSON that says the same as the texts.
func TestListJSONOfHostileText(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	panes := hostilePanes(t, now)
	var out bytes.Buffer
	if err := writeJSON(&out, listOf("/root\u202e\u009b/x", panes, now)); err != nil {
		t.Fatal(err)
	}
	for i := range out.Len() - 1 {
		if c := out.Bytes()[i]; c < ' ' || c == 0x7f {
			t.Fatalf("byte %d is %q", i, c)
		}
	}
	if bad := unsafeRune(strings.TrimSuffix(out.String(), "\n")); bad >= 0 {
		t.Errorf("JSON with %q", bad)
	}
	var list listJSON
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if list.Root != "/root\u202e\u009b/x" || len(list.Panes) != len(panes) {
		t.Errorf("root %q and %d panes", list.Root, len(list.Panes))
	}
	for i, p := range list.Panes {
		if p.Activity != panes[i].Shown.Activity || p.Cwd != panes[i].Cwd && !strings.Contains(panes[i].Cwd, "\xff") {
			t.Errorf("pane %d is not the same: %q, %q", i, p.Activity, p.Cwd)
		}
	}
}

func TestFit(t *testing.T) {
	for _, text := range append(hostileTexts, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "e\u0301e\u0301e\u0301", "日日日") {
		text = safePane(state.PaneState{Activity: text}).Activity
		for width := range 40 {
			got := fit(text, width)
			if w := mostColumns(got); w > width {
				t.Errorf("fit(%q, %d) takes %d columns", text, width, w)
			}
			if got != text && width > 0 && !strings.HasSuffix(got, "…") {
				t.Errorf("fit(%q, %d) = %q, without an ellipsis", text, width, got)
			}
			whole := strings.TrimSuffix(got, "…")
			if !strings.HasPrefix(text, whole) || !atBoundary(text, len(whole)) {
				t.Errorf("fit(%q, %d) = %q, cut within a character", text, width, got)
			}
		}
	}
}

func atBoundary(text string, n int) bool {
	at, rest, state := 0, text, -1
	for rest != "" && at < n {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(cluster)
	}
	return at == n
}

func TestAgeText(t *testing.T) {
	tests := []struct {
		age  time.Duration
		want string
	}{
		{-time.Hour, "0s"}, {0, "0s"}, {59*time.Second + 999*time.Millisecond, "59s"}, {time.Minute, "1m00s"},
		{time.Hour - 1, "59m59s"}, {time.Hour, "1h00m"}, {23*time.Hour + 59*time.Minute, "23h59m"},
		{24 * time.Hour, "1d00h"}, {99*24*time.Hour + 23*time.Hour, "99d23h"}, {2400 * time.Hour, "100d"}, {1<<63 - 1, "106751d"},
	}
	for _, tt := range tests {
		got := ageText(tt.age)
		if got != tt.want {
			t.Errorf("ageText(%v) = %q, want %q", tt.age, got, tt.want)
		}
	}
}

func TestShortIDs(t *testing.T) {
	ids := []string{"qm-a", "qm-ab", "qm-claude-1111-2222", "qm-claude-1133", "qm-x"}
	want := map[string]string{
		"qm-a": "a", "qm-ab": "ab", "qm-claude-1111-2222": "claude-111", "qm-claude-1133": "claude-113", "qm-x": "x",
	}
	short := shortIDs(ids)
	root := newRoot(t)
	for _, id := range ids {
		put(t, id, "idle", "")
	}
	b, err := readBoard(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for id, w := range want {
		if short[id] != w {
			t.Errorf("%s is short %q, want %q", id, short[id], w)
		}
		if found, err := b.sessionNamed(short[id]); found != id {
			t.Errorf("%q names %q, %v; want %s below %s", short[id], found, err, id, root)
		}
	}
}
