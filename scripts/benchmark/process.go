//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A program is run again and again. Root and session are where a hook keeps
// its state; programs that are no hooks have none.
type program struct {
	name          string
	argv          []string
	root, session string
}

func (b *bench) plain(name, file string) *program {
	return &program{name: name, argv: []string{filepath.Join(b.programs, file)}}
}

// panehook is a hook of its own state root, in which the session begins.
func (b *bench) panehook(name string) *program {
	return &program{
		name:    name,
		argv:    []string{filepath.Join(b.programs, "panehook"), "hook", "claude", "PreToolUse"},
		root:    b.newRoot(),
		session: "qm-bench",
	}
}

func (b *bench) newRoot() string {
	root, err := os.MkdirTemp(b.work, "root-")
	if err != nil {
		panic(err)
	}
	return root
}

func (p *program) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.root,
		"QUESTMASTER_STATE_ROOT=" + p.root, "QUESTMASTER_SESSION=" + p.session,
	}
}

// pipeSize is what a pipe surely takes before anyone reads from it.
const pipeSize = 4096

// run starts the program with the payload on its stdin, waits for its end, and
// returns how long that took.
func (b *bench) run(p *program, payload []byte) (time.Duration, error) {
	stdin, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer nothing.Close()
	// A large payload is written while the program runs, a small one before:
	// then no other thread of ours is in its way.
	written := make(chan error, 1)
	write := func() {
		_, err := w.Write(payload)
		written <- errors.Join(err, w.Close())
	}
	if len(payload) <= pipeSize {
		write()
	}
	env, files := p.env(), []uintptr{stdin.Fd(), nothing.Fd(), b.stderr.Fd()}
	start := time.Now()
	pid, err := syscall.ForkExec(p.argv[0], p.argv, &syscall.ProcAttr{Env: env, Files: files})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.argv[0], err)
	}
	if len(payload) > pipeSize {
		go write()
	}
	var status syscall.WaitStatus
	for {
		if _, err = syscall.Wait4(pid, &status, 0, nil); err != syscall.EINTR {
			break
		}
	}
	took := time.Since(start)
	stdin.Close() // or a program that reads nothing would keep the writer
	switch writeErr := <-written; {
	case err != nil:
		return 0, err
	case status != 0:
		return 0, fmt.Errorf("%s: status %#x", p.name, int(status))
	case writeErr != nil && p.root != "":
		return 0, fmt.Errorf("%s left before its payload was written: %w", p.name, writeErr)
	}
	return took, nil
}
