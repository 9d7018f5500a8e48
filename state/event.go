package state

import "time"

// StateEvent is one line of state.jsonl: what happened, and what it made of the
// pane. What has no column of its own is in Fields.
//
// Fields may hold anything that JSON can; strings, numbers, truth values,
// []string, map[string]any and json.RawMessage are written without reflection,
// and what JSON cannot hold is written as null. Read back, values are as
// encoding/json gives them, except that a whole number too large for a float64
// is an int64.
type StateEvent struct {
	// Ts is when it happened. It is written in UTC, and as now when zero.
	Ts    time.Time `json:"ts"`
	Agent string    `json:"agent"`
	Role  string    `json:"role,omitempty"`
	// Action is what happened in words that are the same for all agents, Kind
	// in the agent's own.
	Action string `json:"action"`
	// State, Activity and Tool are those of the pane after the event.
	State    string         `json:"state,omitempty"`
	Activity string         `json:"activity,omitempty"`
	Tool     string         `json:"tool,omitempty"`
	Kind     string         `json:"kind,omitempty"`
	Fields   map[string]any `json:"fields,omitempty"`
}

func (ev *StateEvent) layout() layout { return ev.layoutAs(false) }

func (ev *StateEvent) layoutAs(raw bool) layout {
	return layout{members: []member{
		stamp("ts", &ev.Ts),
		text("agent", &ev.Agent),
		optional(text("role", &ev.Role)),
		text("action", &ev.Action),
		optional(text("state", &ev.State)),
		optional(text("activity", &ev.Activity)),
		optional(text("tool", &ev.Tool)),
		optional(text("kind", &ev.Kind)),
		fields("fields", &ev.Fields, raw),
	}}
}

// MarshalJSON writes the event as one line without its newline.
func (ev StateEvent) MarshalJSON() ([]byte, error) { return encode(&ev) }

// UnmarshalJSON reads an event.
func (ev *StateEvent) UnmarshalJSON(data []byte) error { return decode(data, ev) }

// storedEvent is an event that is read to be applied again: its fields come
// back as the kinds of values with which they were handed in.
type storedEvent struct{ StateEvent }

func (ev *storedEvent) layout() layout { return ev.layoutAs(true) }

// line returns the event as it stands in the log.
func (ev *StateEvent) line() ([]byte, error) {
	if ev.Ts.IsZero() {
		ev.Ts = now()
	}
	ev.Ts = ev.Ts.UTC()
	data, err := encode(ev)
	return append(data, '\n'), err
}
