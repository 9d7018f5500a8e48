//go:build linux || darwin

package main

import (
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Node, and so Claude Code, gives its hooks one end of a socket pair.
func TestReadPayloadFromSocket(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, w := os.NewFile(uintptr(fds[0]), "reader"), os.NewFile(uintptr(fds[1]), "writer")
	defer r.Close()
	defer w.Close()
	if _, err := io.WriteString(w, "{\"a\":1}\n"); err != nil {
		t.Fatal(err)
	}
	if payload, complete := readPayload(r, time.Now().Add(ample)); string(payload) != `{"a":1}` || !complete {
		t.Errorf("got %q, %v", payload, complete)
	}
}

func TestReadPayloadAfterTheDeadlineTakesWhatIsThere(t *testing.T) {
	r, w := pipe(t)
	if _, err := io.WriteString(w, `{"a":1}`); err != nil {
		t.Fatal(err)
	}
	if payload, complete := readPayload(r, time.Now().Add(-time.Second)); !complete {
		t.Errorf("got %q", payload)
	}
}

// The mode of the descriptor may be shared with the agent.
func TestReadPayloadLeavesTheModeAlone(t *testing.T) {
	for _, nonblocking := range []bool{true, false} {
		r, w := pipe(t)
		fd := int(r.Fd())
		if err := unix.SetNonblock(fd, nonblocking); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, `{"a":`); err != nil {
			t.Fatal(err)
		}
		readPayload(r, time.Now().Add(short))
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err != nil || flags&unix.O_NONBLOCK != 0 != nonblocking {
			t.Errorf("nonblocking was %v, now flags %#x, %v", nonblocking, flags, err)
		}
	}
}

func TestIsTerminal(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer tty.Close()
	if !isTerminal(tty) {
		t.Error("a pseudo-terminal is none")
	}
	if payload, complete := readPayload(tty, time.Now().Add(ample)); len(payload) > 0 || complete {
		t.Errorf("a terminal was read: %q", payload)
	}
	r, _ := pipe(t)
	if isTerminal(r) {
		t.Error("a pipe is a terminal")
	}
}
