package state

import (
	"encoding/json"
	"time"
)

// PaneState is what a reader shows for one role within a session: one agent in
// one terminal pane.
type PaneState struct {
	// Role is the pane's place in its session, "primary" for a hook's.
	Role string `json:"role"`
	// Agent is claude, codex or pi.
	Agent string `json:"agent"`
	// State is starting, working, blocked, done, idle or stopped, and "" before
	// the first event.
	State string `json:"state"`
	// Activity is one line of safe text, of at most 100 columns.
	Activity string `json:"activity"`
	// Tool is the tool in use, "" for none.
	Tool string `json:"tool,omitempty"`
	// Seq grows with every change of the pane. It is the change's time in
	// nanoseconds since 1970, or one more than before where that is later.
	Seq int64 `json:"seq"`
	// LastEvent is when the pane last changed, and LastKind the agent's name of
	// the event that changed it.
	LastEvent time.Time `json:"last_event"`
	LastKind  string    `json:"last_kind"`
	// WorkingSince is zero unless State is working.
	WorkingSince time.Time `json:"working_since,omitempty"`

	// Recent is the end of the latest message, oldest line first. It and the
	// next two are known for Pi alone.
	Recent []string `json:"recent,omitempty"`
	// SessionFile is the path of the session's transcript.
	SessionFile string `json:"session_file,omitempty"`
	PiSessionID string `json:"pi_session_id,omitempty"`

	// Memory is what the next event needs to know and no reader shows. It is
	// written under the one key "panehook", so that a reader of the reference
	// format passes over it.
	Memory PaneMemory `json:"-"`

	// Extra holds the keys that this version does not know, as they were read.
	Extra map[string]json.RawMessage `json:"-"`
}

// PaneMemory is what a pane remembers between events. All of it is bounded, so
// that a state file stays small whatever an agent sends.
type PaneMemory struct {
	// Since is when State last changed.
	Since time.Time `json:"since,omitzero"`
	// Rest is the state that the last end left, shown when nothing is open.
	Rest string `json:"rest,omitempty"`
	// Text is the last activity that was not a question to the person.
	Text string `json:"text,omitempty"`
	// Owner is the agent session whose events move this pane.
	Owner Owner `json:"owner,omitzero"`
	// Turn is the lead's latest turn.
	Turn Turn `json:"turn,omitzero"`
	// Ended holds the ids of the latest turns that are over, oldest first.
	Ended []string `json:"ended,omitempty"`
	// Calls are the tool calls that have begun and not ended, oldest first.
	Calls []Call `json:"calls,omitempty"`
	// Prompts are the questions to the person not yet answered, oldest first.
	Prompts []Prompt `json:"prompts,omitempty"`
	// Children are the subagents and other background work known to run.
	Children []Child `json:"children,omitempty"`
	// Compacting tells that the person asked for a compaction that still runs.
	Compacting bool `json:"compacting,omitempty"`
	// Asks tells that this session announces its permission questions itself,
	// so that a reminder of one is never taken for a new question.
	Asks bool `json:"asks,omitempty"`
	// Outcome is how the latest run ended, where a later event makes it final.
	Outcome string `json:"outcome,omitempty"`
	// Retries is how many times in a row a run has failed and was tried again.
	Retries int `json:"retries,omitempty"`
	// Nested holds the agent sessions known to run inside the owner's tools.
	Nested []string `json:"nested,omitempty"`
	// Former holds the latest sessions that owned the pane before.
	Former []string `json:"former,omitempty"`

	// Extra holds what a later version added here.
	Extra map[string]json.RawMessage `json:"-"`
}

// Owner identifies an agent's session and the process that runs it.
type Owner struct {
	Session string `json:"session,omitempty"`
	// PID and Started identify the agent's process: a number alone is reused.
	// Started is in the system's own unit and is only compared for equality.
	PID        int    `json:"pid,omitempty"`
	Started    int64  `json:"started,omitempty"`
	Cwd        string `json:"cwd,omitempty"`
	Transcript string `json:"transcript,omitempty"`
}

// Turn is one stretch of work, from a prompt to its end.
type Turn struct {
	ID string `json:"id,omitempty"`
	// Start is when the work began; subagents that outlive a turn keep it.
	Start time.Time `json:"start,omitzero"`
	Open  bool      `json:"open,omitempty"`
}

// Call is a tool call in progress. Child is the subagent that made it, "" for
// the lead. Key is the same for two events that speak of the same call.
type Call struct {
	ID       string `json:"id,omitempty"`
	Child    string `json:"child,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Activity string `json:"activity,omitempty"`
	Key      string `json:"key,omitempty"`
}

// Prompt is a question to the person. ID is that of the call it belongs to, or
// the question's own; Kind is permission, question, plan, elicitation, dialog
// or notice.
type Prompt struct {
	ID       string `json:"id,omitempty"`
	Child    string `json:"child,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Activity string `json:"activity,omitempty"`
	Key      string `json:"key,omitempty"`
}

// Child is a subagent or a background task. Kind is the agent's word for it.
type Child struct {
	ID   string `json:"id,omitempty"`
	Kind string `json:"kind,omitempty"`
}

func (p *PaneState) layout() layout {
	return layout{
		members: []member{
			text("role", &p.Role),
			text("agent", &p.Agent),
			text("state", &p.State),
			text("activity", &p.Activity),
			optional(text("tool", &p.Tool)),
			number("seq", &p.Seq),
			stamp("last_event", &p.LastEvent),
			text("last_kind", &p.LastKind),
			stamp("working_since", &p.WorkingSince),
			texts("recent", &p.Recent),
			optional(text("session_file", &p.SessionFile)),
			optional(text("pi_session_id", &p.PiSessionID)),
			optional(object("panehook", &p.Memory)),
		},
		unknown: (*extraMap)(&p.Extra),
	}
}

func (m *PaneMemory) layout() layout {
	return layout{
		members: []member{
			optional(stamp("since", &m.Since)),
			optional(text("rest", &m.Rest)),
			optional(text("text", &m.Text)),
			optional(object("owner", &m.Owner)),
			optional(object("turn", &m.Turn)),
			texts("ended", &m.Ended),
			objects("calls", &m.Calls),
			objects("prompts", &m.Prompts),
			objects("children", &m.Children),
			optional(flag("compacting", &m.Compacting)),
			optional(flag("asks", &m.Asks)),
			optional(text("outcome", &m.Outcome)),
			optional(number("retries", &m.Retries)),
			texts("nested", &m.Nested),
			texts("former", &m.Former),
		},
		unknown: (*extraMap)(&m.Extra),
	}
}

func (o *Owner) layout() layout {
	return layout{members: []member{
		optional(text("session", &o.Session)),
		optional(number("pid", &o.PID)),
		optional(number("started", &o.Started)),
		optional(text("cwd", &o.Cwd)),
		optional(text("transcript", &o.Transcript)),
	}}
}

func (t *Turn) layout() layout {
	return layout{members: []member{
		optional(text("id", &t.ID)),
		optional(stamp("start", &t.Start)),
		optional(flag("open", &t.Open)),
	}}
}

func (c *Call) layout() layout {
	return layout{members: []member{
		optional(text("id", &c.ID)),
		optional(text("child", &c.Child)),
		optional(text("tool", &c.Tool)),
		optional(text("activity", &c.Activity)),
		optional(text("key", &c.Key)),
	}}
}

func (p *Prompt) layout() layout {
	return layout{members: []member{
		optional(text("id", &p.ID)),
		optional(text("child", &p.Child)),
		optional(text("kind", &p.Kind)),
		optional(text("tool", &p.Tool)),
		optional(text("activity", &p.Activity)),
		optional(text("key", &p.Key)),
	}}
}

func (c *Child) layout() layout {
	return layout{members: []member{
		optional(text("id", &c.ID)),
		optional(text("kind", &c.Kind)),
	}}
}

// MarshalJSON writes the pane with its memory and unknown keys.
func (p PaneState) MarshalJSON() ([]byte, error) { return encode(&p) }

// UnmarshalJSON reads a pane. A value of the wrong kind is kept in Extra.
func (p *PaneState) UnmarshalJSON(data []byte) error { return decode(data, p) }

// MarshalJSON writes the memory with its unknown keys.
func (m PaneMemory) MarshalJSON() ([]byte, error) { return encode(&m) }

// UnmarshalJSON reads a memory. A value of the wrong kind is kept in Extra.
func (m *PaneMemory) UnmarshalJSON(data []byte) error { return decode(data, m) }
