package state

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Manifest describes a session: who runs in it and where. It is written by the
// programs that start sessions. Time stamps are as NowUTC gives them.
type Manifest struct {
	SessionID   string           `json:"session_id"`
	CreatedAt   string           `json:"created_at,omitempty"`
	UpdatedAt   string           `json:"updated_at,omitempty"`
	Title       string           `json:"title,omitempty"`
	Cwd         string           `json:"cwd,omitempty"`
	WindowName  string           `json:"window_name,omitempty"`
	Agents      []AgentManifest  `json:"agents,omitempty"`
	AgentPath   string           `json:"agent_path,omitempty"`
	SessionType string           `json:"session_type,omitempty"`
	Workers     []string         `json:"workers,omitempty"`
	Display     *DisplayMetadata `json:"display,omitempty"`

	// Extra holds the keys that have no field here, as they were read, such as
	// parent_session and initial_prompt.
	Extra map[string]json.RawMessage `json:"-"`
}

func (m *Manifest) layout() layout {
	return layout{
		members: []member{
			text("session_id", &m.SessionID),
			optional(text("created_at", &m.CreatedAt)),
			optional(text("updated_at", &m.UpdatedAt)),
			optional(text("title", &m.Title)),
			optional(text("cwd", &m.Cwd)),
			optional(text("window_name", &m.WindowName)),
			objects("agents", &m.Agents),
			optional(text("agent_path", &m.AgentPath)),
			optional(text("session_type", &m.SessionType)),
			texts("workers", &m.Workers),
			pointer("display", &m.Display),
		},
		unknown: (*extraMap)(&m.Extra),
		sorted:  true,
	}
}

// MarshalJSON writes the manifest with its unknown keys. Where it has any, all
// keys are in order of name.
func (m Manifest) MarshalJSON() ([]byte, error) { return encode(&m) }

// UnmarshalJSON reads a manifest. Resume ids, in agents and in the keys that
// older programs use, pass through SanitizeResumeID; an older key that it
// empties is dropped. A value of the wrong kind is kept in Extra.
func (m *Manifest) UnmarshalJSON(data []byte) error {
	if err := decode(data, m); err != nil {
		return err
	}
	for i := range m.Agents {
		m.Agents[i].ResumeID = SanitizeResumeID(m.Agents[i].ResumeID)
	}
	for _, key := range []string{"claude_session_id", "codex_thread_id", "pi_session_id"} {
		if isText(m.Extra[key]) && SanitizeResumeID(m.ExtraString(key)) == "" {
			delete(m.Extra, key)
		}
	}
	return nil
}

// ExtraString returns the text under an unknown key, or "" where there is none
// or something else.
func (m Manifest) ExtraString(key string) string {
	var s string
	if isText(m.Extra[key]) {
		_, _ = (*textValue)(&s).readFrom(newDecoder(m.Extra[key]))
	}
	return s
}

// SetExtra puts text under an unknown key.
func (m *Manifest) SetExtra(key, value string) {
	if m.Extra == nil {
		m.Extra = make(map[string]json.RawMessage)
	}
	m.Extra[key] = appendQuoted(nil, value)
}

func isText(raw json.RawMessage) bool {
	return jsontext.Value(raw).Kind() == jsontext.KindString
}

// DisplayColor returns the session's own colour, one of DisplayColorOptions,
// or "" if it has none.
func (m Manifest) DisplayColor() string {
	if m.Display == nil || strings.TrimSpace(m.Display.Color) == "" {
		return ""
	}
	return NormalizeDisplayColor(m.Display.Color)
}

// AgentManifest is one agent of a session. Window is the number of its
// terminal window.
type AgentManifest struct {
	Name string `json:"name"`
	Role string `json:"role"`
	CLI  string `json:"cli"`
	// ResumeID is with what the agent takes up its conversation again.
	ResumeID string `json:"resume_id,omitempty"`
	Window   int    `json:"window"`

	unknown string
}

func (a *AgentManifest) layout() layout {
	return layout{
		members: []member{
			text("name", &a.Name),
			text("role", &a.Role),
			text("cli", &a.CLI),
			optional(text("resume_id", &a.ResumeID)),
			number("window", &a.Window),
		},
		unknown: (*extraText)(&a.unknown),
	}
}

// MarshalJSON writes the agent with its unknown keys.
func (a AgentManifest) MarshalJSON() ([]byte, error) { return encode(&a) }

// UnmarshalJSON reads an agent; unknown keys are written again by MarshalJSON.
func (a *AgentManifest) UnmarshalJSON(data []byte) error {
	err := decode(data, a)
	a.ResumeID = SanitizeResumeID(a.ResumeID)
	return err
}
