package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"panehook/state"
)

// logReader reads the event log of a session line by line, over any rotation,
// and goes on where it stopped when there is more. It takes no lock: a log is
// only appended to, until it is renamed and another takes its place.
type logReader struct {
	path, rolledPath string

	file *os.File // the one in hand, nil before the first
	rest []byte   // of a line that is not whole yet
}

func newLogReader(root, id string) *logReader {
	return &logReader{
		path:       state.SessionStateLogPath(root, id),
		rolledPath: state.SessionStateRolledLogPath(root, id),
	}
}

func (l *logReader) close() {
	if l.file != nil {
		l.file.Close()
	}
}

// read hands over all whole lines that there are and have not been read, those
// of the rolled file first. Without a log there are none.
func (l *logReader) read(take func(line []byte)) error {
	for {
		if err := l.drain(take); err != nil {
			return err
		}
		files, err := l.following()
		if err != nil || len(files) == 0 {
			return err
		}
		// Nobody appends to a renamed log any more, but somebody may have
		// between the last read and the renaming.
		if err := l.drain(take); err != nil {
			return err
		}
		l.rest = nil // a torn line is at its end
		for _, f := range files {
			l.close()
			l.file = f
			if err := l.drain(take); err != nil {
				return err
			}
		}
	}
}

// last reads all events that there are and returns the last n, all if n is
// negative.
func (l *logReader) last(n int) ([]state.StateEvent, error) {
	var kept []state.StateEvent
	err := l.read(func(line []byte) {
		ev, ok := readEvent(line)
		switch {
		case !ok || n == 0:
		case n > 0 && len(kept) == n:
			kept = append(kept[1:], ev)
		default:
			kept = append(kept, ev)
		}
	})
	return kept, err
}

// drain reads the file in hand to its end.
func (l *logReader) drain(take func(line []byte)) error {
	if l.file == nil {
		return nil
	}
	if err := l.restartIfCut(); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := l.file.Read(buf)
		l.rest = append(l.rest, buf[:n]...)
		for {
			line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
			if !whole {
				break
			}
			if line = bytes.TrimSpace(line); len(line) > 0 {
				take(line)
			}
			l.rest = rest
		}
		l.rest = bytes.Clone(l.rest)
		if len(l.rest) > maxLine {
			l.rest = nil // no line of ours is that long
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// restartIfCut reads a file that somebody has emptied from its beginning.
func (l *logReader) restartIfCut() error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	at, err := l.file.Seek(0, io.SeekCurrent)
	if err != nil || info.Size() >= at {
		return err
	}
	l.rest = nil
	_, err = l.file.Seek(0, io.SeekStart)
	return err
}

// following are the files to read after the one in hand, oldest first: none
// while it is still the log, else the log, and before it the rolled file if
// that is another one than was in hand.
func (l *logReader) following() ([]*os.File, error) {
	for range maxLooks {
		current, err := openLogFile(l.path)
		if err != nil {
			return nil, err
		}
		rolled, err := openLogFile(l.rolledPath)
		if err != nil {
			closeAll(current)
			return nil, err
		}
		switch {
		case current != nil && sameOpenFile(l.file, current):
			closeAll(current, rolled)
			return nil, nil
		case !stillAt(current, l.path):
			// Rotated between the two: look again.
			closeAll(current, rolled)
		case current == nil && l.file != nil:
			// Renamed, and nobody has written since, or removed.
			closeAll(rolled)
			return nil, nil
		default:
			var files []*os.File
			if rolled != nil && l.file != nil && sameOpenFile(l.file, rolled) {
				closeAll(rolled)
			} else if rolled != nil {
				files = append(files, rolled)
			}
			if current != nil {
				files = append(files, current)
			}
			return files, nil
		}
	}
	return nil, nil // the next notice of a change brings another look
}

const maxLooks = 10

// openLogFile opens a log, nil where there is none.
func openLogFile(path string) (*os.File, error) {
	f, _, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// stillAt tells whether a file, or no file, is still at its path.
func stillAt(f *os.File, path string) bool {
	there, err := os.Stat(path)
	if f == nil || err != nil {
		return f == nil && errors.Is(err, fs.ErrNotExist)
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(info, there)
}

func sameOpenFile(a, b *os.File) bool {
	if a == nil || b == nil {
		return false
	}
	infoA, errA := a.Stat()
	infoB, errB := b.Stat()
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
