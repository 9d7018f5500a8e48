package state

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// ApplyFunc brings a session from before an event to after it, and completes
// the event: State, Activity, Tool and Fields as they shall stand in the log. It
// returns true where state.json has to be written.
type ApplyFunc func(*SessionState, *StateEvent) (changed bool)

// Record is what a hook does: under one lock it lets apply bring the session
// from before ev to after it, appends ev to the log, and replaces state.json if
// apply returned true.
//
// apply is first called for the events that wait, in their order (see below),
// and may be called for an event that was logged by a process that was killed
// before it could write state.json: that event comes with the Fields with which
// it was logged, and is not logged again.
// Of stored events, objects and arrays in Fields are json.RawMessage. An event
// that did not set ev.Ts happened now.
//
// Another process that holds the lock delays Record by at most wait. Then ev is
// put aside in the session's folder, to be applied by the next Record or
// RecordWaiting. So nil means that the event is safe, not that it is applied.
// Without a state root Record does nothing.
func Record(id string, ev StateEvent, wait time.Duration, apply ApplyFunc) error {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return err
	}
	if ev.Ts.IsZero() {
		ev.Ts = now()
	}
	ev.Ts = ev.Ts.UTC()
	deadline := time.Now().Add(wait)
	lock, err := s.lock(wait)
	if errors.Is(err, ErrBusy) {
		return s.recordLater(&ev, apply)
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return s.record(&ev, deadline, apply)
}

// RecordWaiting applies the events that WaitingEvents counts, as Record does
// before its own. It returns ErrBusy when the lock is not to be had within wait.
// A session without a folder is left without.
func RecordWaiting(id string, wait time.Duration, apply ApplyFunc) error {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return err
	}
	if n, err := WaitingEvents(id); n == 0 || err != nil {
		return err
	}
	lock, err := s.lock(wait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return s.record(nil, time.Now().Add(wait), apply)
}

// recordLater puts ev aside. The lock may have been released meanwhile, and
// then nobody else would come to apply it: one more look.
func (s *session) recordLater(ev *StateEvent, apply ApplyFunc) error {
	if err := s.putAside(ev); err != nil {
		return err
	}
	err := RecordWaiting(s.id, 0, apply)
	if errors.Is(err, ErrBusy) {
		return nil
	}
	return err
}

// recording is a session whose lock is held, between reading and writing.
type recording struct {
	*session
	ss       *SessionState
	unusable bool // the state.json that is there
	log      *eventLog
	apply    ApplyFunc
}

// record applies what the log has and the state has not, what waits, and ev
// unless it is nil. After the deadline ev is put aside behind what still waits.
func (s *session) record(ev *StateEvent, deadline time.Time, apply ApplyFunc) error {
	ss, unusable, err := s.loadForUpdate()
	if err != nil {
		return err
	}
	log, err := openLog(s, logAppend)
	if err != nil {
		return err
	}
	defer log.close()
	r := &recording{session: s, ss: ss, unusable: unusable, log: log, apply: apply}
	if err := r.recover(); err != nil {
		return err
	}
	for {
		batch, more, err := r.waitingBatch()
		if err != nil {
			return err
		}
		if !more && ev != nil {
			batch = append(batch, recorded{event: ev})
		}
		if err := r.commit(batch); err != nil {
			return err
		}
		if !more {
			return nil
		}
		if !time.Now().Before(deadline) {
			if ev == nil {
				return nil
			}
			return s.putAside(ev)
		}
	}
}

// recover applies the events that were logged by a process that was killed
// before it wrote the state. The result is written before anything else is
// logged: only the log's last write is ever compared with the state.
func (r *recording) recover() error {
	events, err := r.log.unwritten(r.ss)
	if err != nil || len(events) == 0 {
		return err
	}
	for i := range events {
		ev := &events[i]
		seq, _ := wholeNumber(ev.Fields[seqField])
		r.apply(r.ss, ev)
		if pane, ok := r.ss.Panes[ev.Role]; ok && pane.Seq < seq {
			pane.Seq = seq // or it would be applied once more
			r.ss.Panes[ev.Role] = pane
		}
	}
	return r.save()
}

// recorded is one event of a batch. A waiting one has a file; it has no event
// where the file was of no use or its event is in the log already.
type recorded struct {
	event *StateEvent
	file  string
}

// waitingBatch reads the oldest waiting events. An event of which the log has
// the line was applied by a process that was killed before it removed the file.
func (r *recording) waitingBatch() (batch []recorded, more bool, err error) {
	names, err := r.waitingNames()
	if err == nil && names != nil && len(names) == 0 {
		_ = os.Remove(r.waitingDir()) // left by a process that was killed
	}
	if err != nil || len(names) == 0 {
		return nil, false, err
	}
	logged, err := r.loggedText()
	if err != nil {
		return nil, false, err
	}
	if more = len(names) > waitingAtOnce; more {
		names = names[:waitingAtOnce]
	}
	for _, name := range names {
		item := recorded{file: name}
		if !bytes.Contains(logged, []byte(`"`+waitedField+`":"`+name+`"`)) {
			if item.event, err = r.readWaiting(name); err != nil {
				return nil, false, err
			}
		}
		batch = append(batch, item)
	}
	return batch, more, nil
}

func (r *recording) loggedText() ([]byte, error) {
	rolled, err := readLog(r.log.rolledPath)
	if err != nil {
		return nil, err
	}
	current, err := r.log.last(logReadMax)
	return append(rolled, current...), err
}

// commit applies the events, writes their lines, then the state, and then
// removes the waiting files. Whatever of that a kill leaves out, the next
// Record finds out from the log.
func (r *recording) commit(batch []recorded) error {
	var lines []byte
	changed := false
	place := 0
	for _, item := range batch {
		if item.event == nil {
			continue
		}
		place++
		changes := r.apply(r.ss, item.event)
		changed = changed || changes
		stampRecorded(item.event, r.ss, place, item.file)
		if !changes {
			item.event.Fields[unchangedField] = true
		}
		line, err := item.event.line()
		if err != nil {
			return err
		}
		lines = append(lines, line...)
	}
	if len(lines) > 0 {
		if err := r.log.append(lines); err != nil {
			return err
		}
	}
	if changed {
		if err := r.save(); err != nil {
			return err
		}
	}
	return r.removeWaiting(batch)
}

func (r *recording) save() error {
	if err := r.replace(r.ss, r.unusable); err != nil {
		return err
	}
	r.unusable = false
	return nil
}

func (r *recording) removeWaiting(batch []recorded) error {
	removed := false
	for _, item := range batch {
		if item.file == "" {
			continue
		}
		if err := os.Remove(filepath.Join(r.waitingDir(), item.file)); err != nil && !os.IsNotExist(err) {
			return err
		}
		removed = true
	}
	if removed {
		_ = os.Remove(r.waitingDir()) // fails while anything else waits there
	}
	return nil
}
