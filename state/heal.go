package state

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrDamaged is what readers get of a file that is empty, cut, not JSON, or not
// the object it should be. They may treat it as missing: the next writer of a
// session's state.json sets such a file aside and starts afresh.
var ErrDamaged = errors.New("damaged")

const (
	corruptInfix = ".corrupt-"
	corruptTime  = "20060102T150405.000000000Z"
	corruptKept  = 3
)

// SetAsideFrom returns what a file of a session's folder was before it was set
// aside, by its name: state.json, or waiting for an event that waited. For any
// other file it is "".
func SetAsideFrom(name string) string {
	was, _, ok := strings.Cut(name, corruptInfix)
	if !ok {
		return ""
	}
	return was
}

// setAside renames a file that cannot be used to <as>.corrupt-<UTC time>, and
// removes the oldest of those beyond three. The caller holds the file's lock.
func setAside(path, as string) error {
	if err := os.Rename(path, as+corruptInfix+now().UTC().Format(corruptTime)); err != nil {
		return err
	}
	dir, prefix := filepath.Dir(as), filepath.Base(as)+corruptInfix
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // it is set aside; clearing up can wait for the next time
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), prefix)
	})
	for i := range max(0, len(entries)-corruptKept) {
		_ = os.Remove(filepath.Join(dir, entries[i].Name()))
	}
	return nil
}
