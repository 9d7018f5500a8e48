package state

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// StateJSONLMaxSize is the size in bytes from which on state.jsonl is renamed to
// state.jsonl.1 before the next append. One such file is kept.
const StateJSONLMaxSize = 1 << 20

const (
	// tailSize is read of the log by every hook. Lines are under 4 KiB, so that
	// it holds the last one whole.
	tailSize = 8 << 10
	// logReadMax bounds what is read of a log where its tail is not enough.
	logReadMax = 4 << 20
)

// AppendStateEvent writes ev at the end of the session's log, as a line of its
// own whatever a killed writer left there, and rotates the log first when it
// has reached StateJSONLMaxSize. It takes the session's lock, and returns
// ErrBusy when that is not to be had. The state root must exist; the session's
// folder is created. A hook uses Record instead.
func AppendStateEvent(id string, ev StateEvent) error {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return err
	}
	if _, err := os.Stat(s.root); err != nil {
		return err
	}
	line, err := ev.line()
	if err != nil {
		return err
	}
	lock, err := s.lock(lockWait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	log, err := openLog(s, logAppend)
	if err != nil {
		return err
	}
	defer log.close()
	return log.append(line)
}

// eventLog is the open state.jsonl of a session whose lock the caller holds.
type eventLog struct {
	path, rolledPath string
	file             *file
	size             int64
	tail             []byte // the last bytes, at most tailSize
}

// logAppend opens a log to read and to append; without the lock it may only be
// opened with os.O_RDONLY.
const logAppend = os.O_RDWR | os.O_APPEND | os.O_CREATE

func openLog(s *session, flags int) (*eventLog, error) {
	l := &eventLog{path: SessionStateLogPath(s.root, s.id)}
	l.rolledPath = SessionStateRolledLogPath(s.root, s.id)
	return l, l.open(flags)
}

func (l *eventLog) open(flags int) error {
	f, st, err := openRegular(l.path, flags)
	if err != nil {
		return err
	}
	if !st.private {
		_ = f.Chmod(fileMode)
	}
	l.file, l.size = f, st.size
	l.tail, err = l.last(tailSize)
	if err != nil {
		f.Close()
	}
	return err
}

func (l *eventLog) close() { l.file.Close() }

// last returns the last n bytes, or all if there are fewer.
func (l *eventLog) last(n int64) ([]byte, error) {
	return readLast(l.file, l.size, n)
}

func readLast(f *file, size, n int64) ([]byte, error) {
	n = min(n, size)
	data := make([]byte, n)
	got, err := f.ReadAt(data, size-n)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return data[:got], nil
}

// append writes whole lines with one call, so that a kill hardly ever leaves a
// part of them: only where the file goes from one page to the next. So may a
// power cut, and a full disk, unless we undo it.
func (l *eventLog) append(lines []byte) error {
	if l.size >= StateJSONLMaxSize {
		if err := l.rotate(); err != nil {
			return err
		}
	}
	if l.size > 0 && (len(l.tail) == 0 || l.tail[len(l.tail)-1] != '\n') {
		lines = append([]byte{'\n'}, lines...)
	}
	n, err := l.file.Write(lines)
	if err != nil {
		if n > 0 {
			_ = l.file.Truncate(l.size)
		}
		return err
	}
	l.size += int64(n)
	l.tail = lines[max(0, len(lines)-tailSize):]
	return nil
}

func (l *eventLog) rotate() error {
	l.close()
	if info, err := os.Lstat(l.rolledPath); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "rotate", Path: l.rolledPath, Err: errNotRegular}
	}
	if err := rename(l.path, l.rolledPath); err != nil {
		return err
	}
	return l.open(logAppend)
}

// Fields that Record adds to its lines. They tell, after a kill, what of the
// log is not yet in state.json; see doc.go.
const (
	// seqField is the pane's Seq after the event.
	seqField = "seq"
	// unchangedField is true where the event left state.json as it was.
	unchangedField = "unchanged"
	// batchField is the line's place among those written at once, from 2 on.
	batchField = "batch"
	// waitedField names the waiting file from which the event came.
	waitedField = "waited"
)

// unwritten returns the latest events of the log that should be in state.json
// and are not, oldest first: their writer was killed between the two.
func (l *eventLog) unwritten(ss *SessionState) ([]StateEvent, error) {
	batch, found := lastBatch(l.tail, int64(len(l.tail)) == l.size)
	if !found && l.size > int64(len(l.tail)) {
		data, err := l.last(logReadMax)
		if err != nil {
			return nil, err
		}
		batch, found = lastBatch(data, true)
	}
	if !found {
		// Lines without our fields: another program may have rotated the log.
		data, err := readLog(l.rolledPath)
		if err != nil {
			return nil, err
		}
		batch, _ = lastBatch(data, true)
	}
	due := batch[:0]
	for _, ev := range batch {
		seq, _ := wholeNumber(ev.Fields[seqField])
		if ev.Fields[unchangedField] != true && seq > ss.Panes[ev.Role].Seq {
			due = append(due, ev)
		}
	}
	return due, nil
}

// lastBatch returns the events of Record's last write that data shows. It is
// not found where data begins later than that write, unless it is all there is.
func lastBatch(data []byte, all bool) (batch []StateEvent, found bool) {
	missing := 1
	for missing > 0 {
		line, rest, whole := cutLastLine(data)
		if !whole && !all {
			return nil, false
		}
		if line == nil {
			break
		}
		data = rest
		var ev storedEvent
		if !bytes.Contains(line, []byte(`"`+seqField+`":`)) || decode(line, &ev) != nil {
			continue
		}
		if _, ours := wholeNumber(ev.Fields[seqField]); !ours {
			continue
		}
		if batch == nil {
			if n, ok := wholeNumber(ev.Fields[batchField]); ok {
				missing = int(n)
			}
		}
		batch = append(batch, ev.StateEvent)
		missing--
	}
	slices.Reverse(batch)
	return batch, len(batch) > 0
}

// cutLastLine splits data before its last line, which is nil when there is none.
// The line is whole when data shows where it begins.
func cutLastLine(data []byte) (line, rest []byte, whole bool) {
	if len(data) == 0 {
		return nil, nil, false
	}
	body := bytes.TrimSuffix(data, []byte{'\n'})
	start := bytes.LastIndexByte(body, '\n') + 1
	return body[start:len(body):len(body)], data[:start], start > 0
}

// readLog returns a log as far as it matters; a missing one is empty.
func readLog(path string) ([]byte, error) {
	f, st, err := openRegular(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLast(f, st.size, logReadMax)
}

// stampRecorded adds to an event what Record has to know of it later.
func stampRecorded(ev *StateEvent, ss *SessionState, place int, waitedFile string) {
	fields := make(map[string]any, len(ev.Fields)+4)
	for key, v := range ev.Fields {
		switch key {
		case unchangedField, batchField, waitedField:
			// Left by an earlier life of the event.
		default:
			fields[key] = v
		}
	}
	if pane, ok := ss.Panes[ev.Role]; ok {
		fields[seqField] = pane.Seq
	}
	if place > 1 {
		fields[batchField] = place
	}
	if waitedFile != "" {
		fields[waitedField] = waitedFile
	}
	ev.Fields = fields
}
