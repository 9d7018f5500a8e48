package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"panehook/adapters"
)

// A recording is a file of JSON objects, one a line: a head, and then a line for
// each hook call and for whatever else was seen of the session, in the order of
// their times. hook --record writes head and calls; the rest is for recordings
// of which somebody has watched the session, and replay plays it all. Keys that
// a reader does not know it passes over, and so a line that is not whole.

// recordingHead is the first line.
type recordingHead struct {
	Agent    string `json:"agent"`
	Version  string `json:"version"`  // of the agent, "" if unknown
	Scenario string `json:"scenario"` // a name for what the recording is of
	// Started is the zero of the times. Only who goes on with a recording needs
	// it.
	Started time.Time `json:"started,omitzero"`
}

// recordedLine is any other line.
type recordedLine struct {
	// T is in seconds since the start of the recording, to a tenth of a
	// millisecond.
	T *float64 `json:"t"`
	// Event is the agent's name of a hook call, "" in a line that is of none,
	// and Payload what the call had on stdin, null if that was not whole.
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload,omitempty"`
	// Truth is the state of the pane from here on, as somebody saw it: a state,
	// or one with a remark as in agrees. Without it that of the line before
	// holds.
	Truth string `json:"truth,omitempty"`
	// Note says in a few words what happened outside the hooks.
	Note string `json:"note,omitempty"`
	// Status is what the agent's own status file holds from here on, without
	// session, process and time, and null where the file is gone.
	Status json.RawMessage `json:"session_file,omitempty"`
}

// recordPayload adds a hook call to a recording, which panehook replay plays.
// Unless the person asks for the payload as it is, every text in it is made
// safe first.
func (h *hookCall) recordPayload(event string, payload []byte, whole bool, at time.Time) error {
	started, err := h.recordingStart(at)
	if err != nil {
		return err
	}
	if !whole || !json.Valid(payload) {
		payload = []byte("null")
	} else if !h.raw {
		payload = adapters.SafeCopy(payload)
	}
	t := max(0, math.Round(at.Sub(started).Seconds()*1e4)/1e4)
	line, err := json.Marshal(recordedLine{T: &t, Event: event, Payload: payload})
	if err != nil {
		return err
	}
	f, err := openPlain(h.record, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return err
	}
	if isTorn(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// isTorn tells whether the last line of a file lacks its end, as a full disk or
// a power cut leaves it.
func isTorn(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// recordingStart reads when the recording began. The first of several hooks
// makes the file, whole, so that no other ever sees a part of its head.
func (h *hookCall) recordingStart(at time.Time) (time.Time, error) {
	f, _, err := openRegular(h.record)
	if errors.Is(err, os.ErrNotExist) {
		if err := h.beginRecording(at); err != nil {
			return time.Time{}, err
		}
		f, _, err = openRegular(h.record)
	}
	if err != nil {
		return time.Time{}, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := f.Read(head)
	if err != nil && !errors.Is(err, io.EOF) {
		return time.Time{}, err
	}
	first, _, _ := bytes.Cut(head[:n], []byte("\n"))
	var r recordingHead
	if json.Unmarshal(first, &r) != nil || r.Started.IsZero() {
		return time.Time{}, fmt.Errorf("%s is not a recording that a hook began", h.record)
	}
	return r.Started, nil
}

func (h *hookCall) beginRecording(at time.Time) error {
	head, err := json.Marshal(recordingHead{Agent: h.agent.Name, Scenario: "recorded", Started: at.UTC()})
	if err != nil {
		return err
	}
	temp := fmt.Sprintf("%s.tmp-%d", h.record, os.Getpid())
	defer os.Remove(temp)
	f, err := openPlain(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.Write(append(head, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	err = os.Link(temp, h.record)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}
