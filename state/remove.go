package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// RemoveSession removes a session's folder, if agreed returns true for the
// state that it finds under the session's lock, and reports whether it did. The
// manifest stays. It removes nothing where there is no state.json or where
// events wait to be applied, and returns an error where the state makes no
// sense, or where the folder holds anything that is not described in the package
// comment. A hook that comes at the same time finds the session as it was
// before, or begins it anew.
func RemoveSession(id string, agreed func(*SessionState) bool) (removed bool, err error) {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return false, err
	}
	if err := checkFolder(s.dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	lock, err := s.lock(lockWait)
	if err != nil {
		return false, err
	}
	defer lock.Unlock()
	ss, err := s.load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case ss.Version != SchemaVersion:
		return false, fmt.Errorf("%s: is of version %d", s.statePath, ss.Version)
	}
	files, err := s.removableFiles()
	if err != nil || !agreed(ss) {
		return false, err
	}
	if unwritten, err := s.unwrittenNow(); err != nil || len(unwritten) > 0 {
		return false, err
	}
	if err := os.Remove(s.waitingDir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, nil // an event waits there
	}
	// state.json goes last: what a kill leaves is still a session to remove.
	for _, path := range append(files, s.statePath) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	// The lock file goes while it is held, as in Store.Delete. The folder stays
	// if anybody has begun to use it again.
	lockPath := s.statePath + lockSuffix
	failed := os.Remove(lockPath) != nil
	lock.Unlock()
	if failed {
		_ = os.Remove(lockPath)
	}
	_ = os.Remove(s.dir)
	return true, nil
}

// removableFiles are the session's files but for state.json and its lock, and
// an error where there is anything else.
func (s *session) removableFiles() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	stateName := filepath.Base(s.statePath)
	logName := filepath.Base(SessionStateLogPath(s.root, s.id))
	var files []string
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(s.dir, entry.Name())
		switch {
		case name == waitingName && entry.IsDir():
		case !entry.Type().IsRegular():
			return nil, &fs.PathError{Op: "remove", Path: path, Err: errNotRegular}
		case name == stateName, name == stateName+lockSuffix:
		case name == stateName+tempSuffix, name == logName, name == logName+rolledSuffix,
			strings.HasPrefix(name, stateName+corruptInfix), strings.HasPrefix(name, waitingName+corruptInfix):
			files = append(files, path)
		default:
			return nil, &fs.PathError{Op: "remove", Path: path, Err: errNotOurs}
		}
	}
	return files, nil
}

var errNotOurs = errors.New("not a file of the session")
