//go:build unix

package state

import "syscall"

// Every file of a session is opened with these. A symbolic link could lead out
// of the state root, and opening a FIFO would wait for its other end.
// (It is also the cheaper way: without O_NONBLOCK package os switches the mode
// back and forth.)
const (
	openNoFollow = syscall.O_NOFOLLOW
	openNoWait   = syscall.O_NONBLOCK
)

// refuseLink has nothing to do where opening itself refuses links.
func refuseLink(string) error { return nil }
