package transitions

import (
	"encoding/json"

	"panehook/state"
)

// field is one member of an event as the log has it, under "fields".
type field struct {
	name string
	text *string
	flag *bool
	num  *int64
}

// fields lists the members of an event that a log line keeps beside its fixed
// columns, so that the log can be played again. What they mean stands with the
// type; docs/json.md has them for readers of the log.
func (ev *Event) fields() []field {
	return []field{
		{name: "session", text: &ev.Session},
		{name: "turn", text: &ev.Turn},
		{name: "child", text: &ev.Child},
		{name: "call", text: &ev.Call},
		{name: "on_tool", text: &ev.Tool},
		{name: "key", text: &ev.Key},
		{name: "text", text: &ev.Activity},
		{name: "ask", text: &ev.Ask},
		{name: "outcome", text: (*string)(&ev.Outcome)},
		{name: "trigger", text: (*string)(&ev.Trigger)},
		{name: "listed", flag: &ev.Listed},
		{name: "carried", flag: &ev.Carried},
		{name: "inside", flag: &ev.Inside},
		{name: "own_process", flag: &ev.OwnProcess},
		{name: "owner_gone", flag: &ev.OwnerGone},
		{name: "started", num: &ev.Started},
	}
}

// recentField holds the latest message for as long as the event waits to be
// applied; it is too long for the log.
const recentField = "recent"

// Line is the log line of an event, before anything is decided about it. Its
// fields hold the whole event, except what the pane's owner already has.
func (ev Event) Line() state.StateEvent {
	fields := make(map[string]any, 8)
	for _, f := range ev.fields() {
		switch {
		case f.text != nil && *f.text != "":
			fields[f.name] = *f.text
		case f.flag != nil && *f.flag:
			fields[f.name] = true
		case f.num != nil && *f.num != 0:
			fields[f.name] = *f.num
		}
	}
	if ev.PID != 0 {
		fields["pid"] = ev.PID
	}
	if opensSession(ev.Kind) {
		if ev.Cwd != "" {
			fields["cwd"] = ev.Cwd
		}
		if ev.Transcript != "" {
			fields["transcript"] = ev.Transcript
		}
	}
	if len(ev.Running) > 0 {
		fields["running"] = runningValue(ev.Running)
	}
	if len(ev.Recent) > 0 {
		fields[recentField] = ev.Recent
	}
	return state.StateEvent{Agent: ev.Agent, Action: string(ev.Kind), Kind: ev.Name, Fields: fields}
}

func opensSession(k Kind) bool {
	return k == Opened || k == Swapped || k == Prompted || k == RunStarted
}

// Recall is the event that a log line was made of. A line of another program
// gives an event of no known kind, which changes nothing.
func Recall(line state.StateEvent) Event {
	ev := Event{Kind: Kind(line.Action), Agent: line.Agent, Name: line.Kind}
	for _, f := range ev.fields() {
		value, ok := line.Fields[f.name]
		if !ok {
			continue
		}
		switch {
		case f.text != nil:
			*f.text, _ = value.(string)
		case f.flag != nil:
			*f.flag, _ = value.(bool)
		case f.num != nil:
			*f.num = number(value)
		}
	}
	ev.PID = int(number(line.Fields["pid"]))
	ev.Cwd, _ = line.Fields["cwd"].(string)
	ev.Transcript, _ = line.Fields["transcript"].(string)
	ev.Recent = texts(line.Fields[recentField])
	if list, ok := plain(line.Fields["running"]).([]any); ok {
		for _, member := range list {
			if m, ok := member.(map[string]any); ok {
				id, _ := m["id"].(string)
				kind, _ := m["kind"].(string)
				ev.Running = append(ev.Running, state.Child{ID: id, Kind: kind})
			}
		}
	}
	return ev
}

// plain unpacks a value that was stored as raw JSON.
func plain(value any) any {
	raw, ok := value.(json.RawMessage)
	if !ok {
		return value
	}
	var v any
	_ = json.Unmarshal(raw, &v)
	return v
}

// texts reads a list of texts in either of the types it can come in.
func texts(value any) []string {
	if list, ok := value.([]string); ok {
		return list
	}
	list, _ := plain(value).([]any)
	var out []string
	for _, v := range list {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

func runningValue(children []state.Child) []any {
	list := make([]any, 0, len(children))
	for _, c := range newest(children, maxChildren) {
		list = append(list, map[string]any{"id": c.ID, "kind": c.Kind})
	}
	return list
}

// number reads a number of a log line in any of the types it can come in.
func number(value any) int64 {
	switch v := value.(type) {
	case int64:
		return v
	case int:
		return int64(v)
	case float64:
		return int64(v)
	case json.Number:
		n, _ := v.Int64()
		return n
	}
	return 0
}

// WriteTo fills in what was decided about the line's event: what the pane
// shows from then on, and in the fields the rule and where it came from.
func (d Decision) WriteTo(line *state.StateEvent, before, after state.PaneState) {
	line.State, line.Activity, line.Tool = after.State, after.Activity, after.Tool
	if line.Fields == nil {
		line.Fields = make(map[string]any, 4)
	}
	delete(line.Fields, recentField)
	line.Fields["rule"] = d.Rule
	if d.Claim != Own {
		line.Fields["claim"] = string(d.Claim)
	}
	if d.Claim == Nested {
		line.Fields["nested"] = true // readers of the reference format know this word
	}
	if before.State != after.State && before.State != "" {
		line.Fields["from"] = before.State
	}
	boundLine(line)
}

// maxLineBytes keeps a line of the log under the 4 KiB that package state looks
// back for the last one, with room for the fields that it adds.
const maxLineBytes = 3 << 10

// boundLine drops of a line made to be long what the pane has anyway, then the
// background work that would be played again last.
func boundLine(line *state.StateEvent) {
	for _, name := range []string{"transcript", "cwd", "text"} {
		if lineBytes(line) > maxLineBytes {
			delete(line.Fields, name)
		}
	}
	list, _ := plain(line.Fields["running"]).([]any)
	for lineBytes(line) > maxLineBytes && len(list) > 0 {
		list = list[:len(list)/2]
		line.Fields["running"] = list
	}
}

// lineBytes estimates a line's JSON from above.
func lineBytes(line *state.StateEvent) int {
	n := 256 + textBytes(line.Agent, line.Action, line.State, line.Activity, line.Tool, line.Kind)
	for name, value := range line.Fields {
		n += len(name) + 24
		switch v := value.(type) {
		case string:
			n += textBytes(v)
		case json.RawMessage:
			n += len(v)
		case []any:
			for _, member := range v {
				m, _ := member.(map[string]any)
				id, _ := m["id"].(string)
				kind, _ := m["kind"].(string)
				n += textBytes(id, kind)
			}
		}
	}
	return n
}
