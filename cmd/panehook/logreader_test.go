package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"panehook/state"
)

// appendNumbered writes an event of about a kilobyte that carries a number.
func appendNumbered(t *testing.T, id string, number int) {
	t.Helper()
	err := state.AppendStateEvent(id, state.StateEvent{
		Agent: "claude", Action: "noted", Kind: "n", Fields: map[string]any{"number": number, "padding": strings.Repeat("x", 1000)},
	})
	if err != nil {
		t.Error(err)
	}
}

// numbers collects the numbers of the events that are read.
type numbers struct{ got []int }

func (n *numbers) take(line []byte) {
	ev, ok := readEvent(line)
	if !ok {
		n.got = append(n.got, -1)
		return
	}
	number, _ := ev.Fields["number"].(float64)
	n.got = append(n.got, int(number))
}

func (n *numbers) want(t *testing.T, upTo int) {
	t.Helper()
	for i, number := range n.got {
		if i != number {
			t.Fatalf("line %d has the number %d", i, number)
		}
	}
	if len(n.got) != upTo {
		t.Fatalf("%d lines were read, want %d", len(n.got), upTo)
	}
}

// rollLog renames the log as a writer does when it is full.
func rollLog(t *testing.T, root, id string) {
	t.Helper()
	path := state.SessionStateLogPath(root, id)
	rename(t, path, path+".1")
}

func TestLogReaderOverRotations(t *testing.T) {
	root := newRoot(t)
	r := newLogReader(root, "qm-a")
	defer r.close()
	got, written := &numbers{}, 0
	write := func(n int) {
		for range n {
			appendNumbered(t, "qm-a", written)
			written++
		}
	}
	read := func() {
		t.Helper()
		if err := r.read(got.take); err != nil {
			t.Fatal(err)
		}
		got.want(t, written)
	}
	read() // nothing is there
	write(3)
	rollLog(t, root, "qm-a")
	read() // only a rolled log
	write(3)
	read()
	write(2)
	rollLog(t, root, "qm-a")
	read() // the rest of what is in hand
	write(2)
	rollLog(t, root, "qm-a")
	write(2)
	read() // one rotation
	write(2)
	rollLog(t, root, "qm-a")
	write(2)
	rollLog(t, root, "qm-a")
	write(2)
	read() // two rotations between two looks
	read()
}

// A new reader begins with the rolled log.
func TestLogReaderBeginsWithRolledLog(t *testing.T) {
	root := newRoot(t)
	for i := range 4 {
		appendNumbered(t, "qm-a", i)
		if i == 1 {
			rollLog(t, root, "qm-a")
		}
	}
	r, got := newLogReader(root, "qm-a"), &numbers{}
	defer r.close()
	if err := r.read(got.take); err != nil {
		t.Fatal(err)
	}
	got.want(t, 4)
}

// A line that is being written is read when it is whole; one that was torn by a
// kill is passed over, and swallows nothing.
func TestLogReaderTornLines(t *testing.T) {
	root := newRoot(t)
	appendNumbered(t, "qm-a", 0)
	path := state.SessionStateLogPath(root, "qm-a")
	more := func(text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	r := newLogReader(root, "qm-a")
	defer r.close()
	read := func() {
		t.Helper()
		err := r.read(func(line []byte) {
			if ev, ok := readEvent(line); ok {
				got = append(got, ev.Kind)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	read()
	more(`{"ts":"2026-11-30T12:00:00Z","agent":"a","action":"noted",`)
	read()
	more(`"kind":"whole"}` + "\n" + `{"ts":"2026-11-30T12:0`)
	read()
	appendNumbered(t, "qm-a", 1)
	more(`{"torn`)
	rollLog(t, root, "qm-a")
	appendNumbered(t, "qm-a", 2)
	read()
	if text := strings.Join(got, " "); text != "n whole n n" {
		t.Errorf("read %q", text)
	}

	// Somebody empties the log.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	read()
	more(`{"ts":"2026-11-30T12:00:00Z","agent":"a","action":"noted","kind":"after"}` + "\n")
	read()
	if got[len(got)-1] != "after" {
		t.Errorf("read %q", got)
	}
}

// The folder goes and comes back.
func TestLogReaderFolderMadeAnew(t *testing.T) {
	root := newRoot(t)
	appendNumbered(t, "qm-a", 0)
	appendNumbered(t, "qm-a", 1)
	r, got := newLogReader(root, "qm-a"), &numbers{}
	defer r.close()
	for i := 2; i < 4; i++ {
		if err := r.read(got.take); err != nil {
			t.Fatal(err)
		}
		remove(t, state.SessionStateDir(root, "qm-a"))
		if err := r.read(got.take); err != nil {
			t.Fatal(err)
		}
		appendNumbered(t, "qm-a", i)
	}
	if err := r.read(got.take); err != nil {
		t.Fatal(err)
	}
	got.want(t, 4)
}

// A reader that follows while many write sees every line once, in order, over
// real rotations.
func TestLogReaderFollowsWriters(t *testing.T) {
	root := newRoot(t)
	const lines = 3000 // about 3 MB, so that the log is rolled twice
	notices := watchFile(state.SessionStateLogPath(root, "qm-a"))
	defer notices.folders.close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range lines {
			appendNumbered(t, "qm-a", i)
		}
	}()
	r, got := newLogReader(root, "qm-a"), &numbers{}
	defer r.close()
	for ended := false; !ended || len(got.got) < lines && !t.Failed(); {
		select {
		case <-done:
			ended = true
		default:
			notices.wait()
		}
		if err := r.read(got.take); err != nil {
			t.Fatal(err)
		}
		if ended {
			break
		}
	}
	got.want(t, lines)
	if _, err := os.Stat(state.SessionStateRolledLogPath(root, "qm-a")); err != nil {
		t.Error("the log was not rolled; the test shows nothing")
	}
}

// What is printed of a log is a line an event, whatever is in it.
func FuzzEventLine(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(fmt.Sprintf(`{"ts":"2026-11-30T12:00:00Z","agent":%q,"action":%q,"state":%q,"activity":%q,"tool":%q,"kind":%q,"fields":{"rule":%q,"from":%q,"x":[%q]}}`,
			text, text, text, text, text, text, text, text, text))
	}
	f.Add(`{"ts":"9999-12-31T23:59:59-23:59","kind":"k","fields":{"n":1e400}}`)
	f.Fuzz(func(t *testing.T, line string) {
		ev, ok := readEvent([]byte(line))
		if !ok {
			return
		}
		text := eventLine(&ev)
		if bad := unsafeRune(text); bad >= 0 {
			t.Errorf("a line with %q: %q", bad, text)
		}
		var out bytes.Buffer
		if err := writeJSON(&out, eventForJSON("qm-a", &ev)); err != nil {
			t.Fatal(err)
		}
		json, more, _ := strings.Cut(out.String(), "\n")
		if bad := unsafeRune(json); bad >= 0 || more != "" {
			t.Errorf("JSON with %q: %q", bad, out.String())
		}
	})
}
