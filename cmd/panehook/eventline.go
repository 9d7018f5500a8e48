package main

import (
	"fmt"
	"strings"
	"time"

	"panehook/adapters"
	"panehook/state"
)

// readEvent reads a line of a session's log and makes its texts safe to print.
// A torn line, or one that is no event, is passed over.
func readEvent(line []byte) (ev state.StateEvent, ok bool) {
	if ev.UnmarshalJSON(line) != nil || ev.Action == "" && ev.Kind == "" {
		return ev, false
	}
	ev.Ts = safeTime(ev.Ts)
	ev.Agent = adapters.Word(ev.Agent)
	ev.Role = adapters.Word(ev.Role)
	ev.Action = adapters.Word(ev.Action)
	ev.State = adapters.Word(ev.State)
	ev.Activity = adapters.Clean(ev.Activity)
	ev.Tool = adapters.Word(ev.Tool)
	ev.Kind = adapters.Word(ev.Kind)
	fields := ev.Fields
	ev.Fields = nil
	if len(fields) > 0 {
		ev.Fields = safeValue(fields).(map[string]any)
	}
	return ev, true
}

// safeValue makes all texts in a value of JSON safe to print.
func safeValue(v any) any {
	switch v := v.(type) {
	case string:
		return adapters.Clean(v)
	case []any:
		safe := make([]any, len(v))
		for i := range v {
			safe[i] = safeValue(v[i])
		}
		return safe
	case map[string]any:
		safe := make(map[string]any, len(v))
		for key, value := range v {
			safe[adapters.Word(key)] = safeValue(value)
		}
		return safe
	}
	return v
}

// eventJSON is a line of a log in the output for programs, as it is stored but
// safe to print.
type eventJSON struct {
	Session  string         `json:"session"`
	Ts       time.Time      `json:"ts"`
	Agent    string         `json:"agent"`
	Role     string         `json:"role"`
	Action   string         `json:"action"`
	Kind     string         `json:"kind"`
	Rule     string         `json:"rule"`
	State    string         `json:"state"`
	Activity string         `json:"activity"`
	Tool     string         `json:"tool"`
	Fields   map[string]any `json:"fields"`
}

func eventForJSON(session string, ev *state.StateEvent) eventJSON {
	fields := ev.Fields
	if fields == nil {
		fields = map[string]any{}
	}
	return eventJSON{
		Session: session, Ts: ev.Ts, Agent: ev.Agent, Role: ev.Role, Action: ev.Action, Kind: ev.Kind,
		Rule: fieldText(ev, "rule"), State: ev.State, Activity: ev.Activity, Tool: ev.Tool, Fields: fields,
	}
}

func fieldText(ev *state.StateEvent, name string) string {
	text, _ := ev.Fields[name].(string)
	return text
}

// eventLine is a line of a log for people: when, what the agent said, which
// rule decided, and what the pane showed from then on.
func eventLine(ev *state.StateEvent) string {
	now := ev.State
	if from := fieldText(ev, "from"); from != "" && from != ev.State {
		now = from + " > " + ev.State
	}
	var more []string
	if ev.Tool != "" {
		more = append(more, "["+ev.Tool+"]")
	}
	if claim := fieldText(ev, "claim"); claim != "" {
		more = append(more, "<"+claim+">")
	}
	if ev.Activity != "" {
		more = append(more, ev.Activity)
	}
	line := fmt.Sprintf("%s  %s  %s  %s  %s", ev.Ts.Local().Format("2006-01-02 15:04:05.000"),
		padded(ev.Kind, 22), padded(fieldText(ev, "rule"), 26), padded(now, 18), strings.Join(more, " "))
	return strings.TrimRight(line, " ")
}

// padded fills a text up to a width; a longer one stays as it is.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-columns(text)))
}
