//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// limited is a wrapper that runs a hook under a limit of the shell's ulimit.
func limited(limit string, value int) []string {
	return []string{"sh", "-c", fmt.Sprintf(`ulimit %s %d && exec "$@"`, limit, value), "sh"}
}

// With few descriptors a hook fails, at every step in turn, and says so. Go's
// runtime would end it with status 2, which agents take for "block this tool".
func TestFaultTooFewDescriptors(t *testing.T) {
	r := newFaultRoot(t)
	failed := 0
	for round, prepare := range []func(){
		func() {},
		func() { r.works(); r.works() },
		func() { r.put("state.json", ""); r.lossy = true },
	} {
		prepare()
		for n := range 16 {
			if said := r.hook(limited("-n", n)...); strings.Contains(said, "too many open files") {
				failed++
			} else if said != "" {
				t.Errorf("round %d, %d descriptors: %s", round, n, said)
			}
		}
		r.check(0)
	}
	if failed == 0 {
		t.Error("no hook failed")
	}
}

// An error that nobody reads, because the other end is closed or the pipe is
// full, is dropped. The hook reads its payload and ends as ever.
func TestFaultNobodyReadsErrors(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.extra = []string{"QUESTMASTER_STATE_ROOT=/dev/null"} // so that every hook has something to say
	for name, broken := range map[string]func(errors, reader *os.File){
		"closed": func(_, reader *os.File) { reader.Close() },
		"full": func(errors, _ *os.File) {
			errors.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
			for full := error(nil); full == nil; {
				_, full = errors.Write(make([]byte, 4096))
			}
		},
	} {
		reader, errors, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		broken(errors, reader)
		cmd := r.command(r.event())
		cmd.Stderr = errors
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		reader.Close()
		errors.Close()
	}
}

// An agent that keeps its payload back gets its hook back in time. The event is
// not taken in silence: its name alone was applied.
func TestFaultLatePayload(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	stdin, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer stdin.Close()
	cmd := r.command(r.event())
	cmd.Stdin = stdin
	out, err := cmd.CombinedOutput()
	want := "panehook: error: the payload did not end within 900ms: what came of it counts\n"
	if err != nil || string(out) != want {
		t.Errorf("said %q, %v", out, err)
	}
	r.check(0)
}

// A log or a state beyond the limit is an error. What is there stays whole.
func TestFaultFileSizeLimit(t *testing.T) {
	r := newFaultRoot(t)
	failed := 0
	for range 12 {
		for blocks := range 12 { // of 512 bytes, or 1024 in some shells
			if said := r.hook(limited("-f", blocks)...); strings.Contains(said, "file too large") {
				failed++
			} else if said != "" {
				t.Errorf("%d blocks: %s", blocks, said)
			}
		}
		r.works()
	}
	if failed == 0 {
		t.Error("no hook failed")
	}
	r.check(0)
	r.checkOrder()
}
