package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// An event whose session stays locked waits as a file of its own, in
// <root>/<id>/waiting. Names sort in the order of the events. Whoever next
// holds the lock through Record applies the files and removes them.

const (
	waitingSuffix = ".json"
	// waitingTime is of fixed width, so that names sort by time.
	waitingTime = "20060102T150405.000000000Z"
	// waitingAtOnce bounds one write of the log.
	waitingAtOnce = 64
	// maxWaitingSize bounds what is read of a waiting file.
	maxWaitingSize = 1 << 20
	// abandoned is the age of a temporary file whose writer must be gone.
	abandoned = time.Minute
	// clockSetBack is longer than any hook runs.
	clockSetBack = 5 * time.Second
)

// waitingCount tells apart the waiting events of one process and instant.
var waitingCount atomic.Int64

// WaitingEvents returns how many events are safe but not yet in state.json:
// those put aside because the session was locked, and those whose process was
// killed after it had logged them. RecordWaiting applies both. An event that is
// just being recorded may be counted.
func WaitingEvents(id string) (int, error) {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return 0, err
	}
	names, err := s.waitingNames()
	if err != nil {
		return 0, err
	}
	unwritten, err := s.unwrittenNow()
	return len(names) + len(unwritten), err
}

// unwrittenNow looks without the lock for events that are only in the log.
func (s *session) unwrittenNow() ([]StateEvent, error) {
	log, err := openLog(s, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer log.close()
	ss, _, err := s.loadForUpdate()
	if err != nil {
		return nil, err
	}
	return log.unwritten(ss)
}

func (s *session) waitingDir() string { return filepath.Join(s.dir, waitingName) }

// waitingNames returns the files of waiting events, oldest first, and nil when
// there is not even a folder for them: while nothing waits, this is one system
// call.
func (s *session) waitingNames() ([]string, error) {
	dir := s.waitingDir()
	all, err := readNames(dir) // a folder that has just been removed was empty
	if os.IsNotExist(err) {    // at a fraction of what errors.Is costs a fresh process
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(all, func(name string) bool {
		if strings.HasSuffix(name, tempSuffix) {
			removeAbandoned(filepath.Join(dir, name))
		}
		return !strings.HasSuffix(name, waitingSuffix)
	})
	slices.Sort(names)
	return names, nil
}

// removeAbandoned removes a temporary file whose writer is gone, or must be.
// In another container the writer's number means nothing; one whose file is
// removed under its hands makes it again.
func removeAbandoned(path string) {
	info, err := os.Lstat(path)
	if err == nil && (now().Sub(info.ModTime()) > abandoned || !runs(writerOf(filepath.Base(path)))) {
		_ = os.Remove(path)
	}
}

// waitingFile names the file of an event. Names sort by time.
func waitingFile(at time.Time) string {
	return fmt.Sprintf("%s-%d-%06d%s", at.Format(waitingTime), os.Getpid(), waitingCount.Add(1), waitingSuffix)
}

// writerOf is the process that a file is named after, 0 for none.
func writerOf(name string) int {
	_, rest, _ := strings.Cut(name, "-")
	number, _, _ := strings.Cut(rest, "-")
	pid, _ := strconv.Atoi(number)
	return pid
}

// runs tells whether there is such a process, as far as can be known.
func runs(pid int) bool {
	if pid <= 0 {
		return true
	}
	p, err := os.FindProcess(pid)
	return err != nil || !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// placeInLine is the time by which an event sorts among those that wait. It is
// the event's own, unless the clock was set back meanwhile: then it is after
// the newest. Hooks that run side by side differ by less than clockSetBack.
func (s *session) placeInLine(at time.Time) time.Time {
	names, err := s.waitingNames()
	if err != nil || len(names) == 0 {
		return at
	}
	stamp, _, _ := strings.Cut(names[len(names)-1], "-")
	newest, err := time.Parse(waitingTime, stamp)
	if err == nil && newest.Sub(at) > clockSetBack {
		return newest.Add(1)
	}
	return at
}

// putAside writes ev as a waiting file. It needs no lock.
func (s *session) putAside(ev *StateEvent) error {
	line, err := ev.line()
	if err != nil {
		return err
	}
	dir := s.waitingDir()
	path := filepath.Join(dir, waitingFile(s.placeInLine(ev.Ts)))
	for range maxRemovals {
		if err = makeFolder(s.dir); err == nil {
			err = makeFolder(dir)
		}
		if err == nil {
			err = replaceFile(path, line, rename)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// Whoever emptied a folder has just removed it: make it again.
	}
	return err
}

// readWaiting returns the event of a waiting file. One that makes no sense is
// set aside in the session's folder, and then there is no event.
func (s *session) readWaiting(name string) (*StateEvent, error) {
	path := filepath.Join(s.waitingDir(), name)
	data, err := readFile(path, maxWaitingSize)
	var ev storedEvent
	if err == nil && decode(data, &ev) == nil {
		return &ev.StateEvent, nil
	}
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, err
	}
	return nil, setAside(path, s.waitingDir())
}
