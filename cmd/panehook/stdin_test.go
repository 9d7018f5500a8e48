package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// ample is a deadline that no test should reach, short one that it should.
const (
	ample = 30 * time.Second
	short = 50 * time.Millisecond
)

// pipe returns both ends of a pipe, closed at the end of the test.
func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// write writes the chunks and reports the first error, such as EPIPE.
func write(w io.Writer, pause time.Duration, chunks ...string) <-chan error {
	result := make(chan error, 1)
	go func() {
		for i, chunk := range chunks {
			if i > 0 {
				time.Sleep(pause)
			}
			if _, err := io.WriteString(w, chunk); err != nil {
				result <- err
				return
			}
		}
		result <- nil
	}()
	return result
}

// None of these pipes is closed while it is read.
func TestReadPayloadFromOpenPipe(t *testing.T) {
	tests := []struct {
		name     string
		chunks   []string
		deadline time.Duration
		payload  string
		complete bool
	}{
		{"whole", []string{`{"a":1}`}, ample, `{"a":1}`, true},
		{"whole with newline", []string{"{\"a\":1}\n"}, ample, `{"a":1}`, true},
		{"slow writer", []string{`{"a":`, `"x`, `y"}`}, ample, `{"a":"xy"}`, true},
		{"half", []string{`{"session_id":"`}, short, `{"session_id":"`, false},
		{"nothing", nil, short, "", false},
		{"garbage", []string{"usage: panehook"}, short, "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, w := pipe(t)
			written := write(w, 10*time.Millisecond, test.chunks...)
			payload, complete := readPayload(r, time.Now().Add(test.deadline))
			if string(payload) != test.payload || complete != test.complete {
				t.Errorf("got %q, %v; want %q, %v", payload, complete, test.payload, test.complete)
			}
			if err := <-written; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReadPayloadToTheEndOfInput(t *testing.T) {
	for _, input := range []string{"", "\n", "nothing useful", `{"a":`, `{"a":1}`} {
		r, w := pipe(t)
		if _, err := io.WriteString(w, input); err != nil {
			t.Fatal(err)
		}
		w.Close()
		start := time.Now()
		_, complete := readPayload(r, start.Add(ample))
		if complete != (input == `{"a":1}`) {
			t.Errorf("%q: complete is %v", input, complete)
		}
		if time.Since(start) > ample/2 {
			t.Errorf("%q: waited for the deadline", input)
		}
	}
}

// The agent must be able to write all of a large payload, the newline at its
// end included, and the reader's leaving must not break its pipe.
func TestReadPayloadTakesAllThatIsWritten(t *testing.T) {
	for _, size := range []int{1 << 10, 64 << 10, 2 << 20, 16 << 20} {
		for _, trailer := range []string{"", "\n"} {
			for _, first := range []int{0, 1, 2} { // moves the ends of reads
				r, w := pipe(t)
				const head, tail = `{"out":"`, `","tool_use_id":"toolu_01"}`
				text := strings.Repeat("0123456789abcde\\n", size/17) + strings.Repeat(".", first)
				written := write(w, 0, head+text+tail+trailer)
				payload, complete := readPayload(r, time.Now().Add(ample))
				r.Close()
				if err := <-written; err != nil {
					t.Fatalf("%d bytes: the writer got %v", size, err)
				}
				if !complete || !strings.HasSuffix(string(payload), tail) {
					t.Errorf("%d bytes: complete is %v, end is lost", size, complete)
				}
				if len(payload) > 17<<10 {
					t.Errorf("%d bytes: kept %d", size, len(payload))
				}
			}
		}
	}
}

func TestReadPayloadWaitsForTheNewlineOfLargePayloads(t *testing.T) {
	// Whether the newline is late is up to the scheduler: a few times in a hundred.
	for i := range 150 {
		size := []int{firstRead, stdinBuffer, 2 * stdinBuffer}[i%3]
		r, w := pipe(t)
		written := write(w, 0, `"`+strings.Repeat("x", size)+`"`, "\n")
		if _, complete := readPayload(r, time.Now().Add(ample)); !complete {
			t.Errorf("%d bytes: not complete", size)
		}
		r.Close()
		if err := <-written; err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// A writer that never stops must not hold the hook beyond its deadline.
func TestReadPayloadOfEndlessInput(t *testing.T) {
	for _, endless := range []string{"garbage ", "{}\n"} {
		r, w := pipe(t)
		written := make(chan error, 1)
		go func() {
			block := strings.Repeat(endless, 8<<10)
			for {
				if _, err := io.WriteString(w, block); err != nil {
					written <- err
					return
				}
			}
		}()
		readPayload(r, time.Now().Add(short))
		r.Close()
		<-written
	}
}

func TestReadPayloadOfOtherFiles(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if payload, complete := readPayload(null, time.Now().Add(ample)); len(payload) > 0 || complete {
		t.Errorf("null device: %q, %v", payload, complete)
	}

	closed, _ := pipe(t)
	closed.Close()
	if payload, complete := readPayload(closed, time.Now().Add(ample)); len(payload) > 0 || complete {
		t.Errorf("closed file: %q, %v", payload, complete)
	}

	_, writeEnd := pipe(t)
	if payload, complete := readPayload(writeEnd, time.Now().Add(short)); len(payload) > 0 || complete {
		t.Errorf("write end: %q, %v", payload, complete)
	}

	name := t.TempDir() + "/payload.json"
	if err := os.WriteFile(name, []byte(`{"a":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if payload, complete := readPayload(file, time.Now().Add(ample)); string(payload) != `{"a":1}` || !complete {
		t.Errorf("regular file: %q, %v", payload, complete)
	}
}

func BenchmarkReadPayload(b *testing.B) {
	for _, size := range []int{1 << 10, 2 << 20} {
		payload := `{"out":"` + strings.Repeat("0123456789abcde\\n", size/17) + `"}`
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				r, w, err := os.Pipe()
				if err != nil {
					b.Fatal(err)
				}
				written := write(w, 0, payload)
				if _, complete := readPayload(r, time.Now().Add(ample)); !complete {
					b.Fatal("not complete")
				}
				<-written
				r.Close()
				w.Close()
			}
		})
	}
}
