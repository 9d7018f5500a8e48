//go:build linux || darwin

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// canDraw tells whether watch can take over a terminal of this system.
const canDraw = true

// isTerminal tells whether f is a terminal.
func isTerminal(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	terminal := false
	err = conn.Control(func(fd uintptr) {
		_, err := unix.IoctlGetTermios(int(fd), getTermios)
		terminal = err == nil
	})
	return err == nil && terminal
}

// terminalSize is the size of the terminal that f is, or zero.
func terminalSize(f *os.File) (width, height int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Col), int(size.Row)
}

// terminalMode is how a terminal treats what is typed.
type terminalMode = unix.Termios

// rawMode makes a terminal give every key at once and not show it, and returns
// how it was. Keys that send signals still do.
func rawMode(f *os.File) (*terminalMode, error) {
	was, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return nil, err
	}
	raw := *was
	raw.Lflag &^= unix.ICANON | unix.ECHO
	raw.Iflag &^= unix.IXON
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 1, 0
	return was, unix.IoctlSetTermios(int(f.Fd()), setTermios, &raw)
}

// restoreMode undoes rawMode.
func restoreMode(f *os.File, mode *terminalMode) {
	_ = unix.IoctlSetTermios(int(f.Fd()), setTermios, mode)
}

func quitSignals() []os.Signal {
	return []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT}
}

func screenSignals() []os.Signal {
	return []os.Signal{unix.SIGWINCH, unix.SIGTSTP, unix.SIGCONT}
}

func isResize(s os.Signal) bool   { return s == unix.SIGWINCH }
func isSuspend(s os.Signal) bool  { return s == unix.SIGTSTP }
func isContinue(s os.Signal) bool { return s == unix.SIGCONT }

// stopSelf stops the program as Ctrl-Z would have, had it not been caught. A
// caught SIGTSTP can't be given back to the system in Go.
func stopSelf() { _ = unix.Kill(unix.Getpid(), unix.SIGSTOP) }

// canBeContinued tells whether a shell of this terminal looks after the
// program, so that it would not stay stopped for good. The system asks the same
// before it stops anybody at a terminal.
func canBeContinued() bool {
	pid := os.Getpid()
	session, err := unix.Getsid(pid)
	if err != nil {
		return false
	}
	for range maxAncestors {
		s, ok := readStat(pid)
		if !ok || s.parent <= 1 {
			return false
		}
		pid = s.parent
		if of, err := unix.Getsid(pid); err != nil || of != session {
			return false
		}
		if group, err := unix.Getpgid(pid); err != nil || group != unix.Getpgrp() {
			return err == nil
		}
	}
	return false
}
