package main

import (
	"time"

	"panehook/state"
)

// paneJSON is a pane in the output of ls, watch and show. Its members are only
// ever added to; readers pass over those that they don't know. Times that are
// not known are left out, texts are "".
type paneJSON struct {
	Session  string `json:"session"`
	Role     string `json:"role"`
	Agent    string `json:"agent"`
	State    string `json:"state"`
	Activity string `json:"activity"`
	Tool     string `json:"tool"`
	// Since is when the state began, ForS how many seconds ago.
	Since        time.Time `json:"since,omitzero"`
	ForS         float64   `json:"for_s"`
	WorkingSince time.Time `json:"working_since,omitzero"`
	// LastEvent is when the agent last did something that shows, SilentS how
	// many seconds ago.
	LastEvent time.Time `json:"last_event,omitzero"`
	SilentS   float64   `json:"silent_s"`
	// Rule is why the state is not as it is stored, "" where it is.
	Rule    string     `json:"rule"`
	Stored  storedJSON `json:"stored"`
	Problem string     `json:"problem"`

	Title     string    `json:"title"`
	Name      string    `json:"name"` // what ls shows: title, directory or id
	Cwd       string    `json:"cwd"`
	Color     string    `json:"color"`
	ColorFrom string    `json:"color_from"` // session, repository or default
	Quest     string    `json:"quest"`
	Loop      *loopJSON `json:"loop"`

	AgentSession string    `json:"agent_session"`
	PID          int       `json:"pid"`
	OpenCalls    int       `json:"open_calls"`
	Questions    int       `json:"questions"`
	Subagents    int       `json:"subagents"`
	Paths        pathsJSON `json:"paths"`
}

type storedJSON struct {
	State     string    `json:"state"`
	Activity  string    `json:"activity"`
	Tool      string    `json:"tool"`
	Since     time.Time `json:"since,omitzero"`
	LastKind  string    `json:"last_kind"`
	LastEvent time.Time `json:"last_event,omitzero"`
	Seq       int64     `json:"seq"`
}

type loopJSON struct {
	Since       time.Time `json:"since,omitzero"`
	Iterations  int       `json:"iterations"`
	LastVerdict string    `json:"last_verdict"`
	Phase       string    `json:"phase"`
}

type pathsJSON struct {
	State      string `json:"state"`
	Log        string `json:"log"`
	Manifest   string `json:"manifest"`
	Transcript string `json:"transcript"`
}

// json is the pane for programs, as of now.
func (p *shownPane) json(root string, now time.Time) paneJSON {
	out := paneJSON{
		Session:      p.Session,
		Role:         p.Role,
		Agent:        p.Shown.Agent,
		State:        p.Shown.State,
		Activity:     p.Shown.Activity,
		Tool:         p.Shown.Tool,
		Since:        p.since(),
		WorkingSince: p.Shown.WorkingSince,
		LastEvent:    p.Shown.LastEvent,
		SilentS:      seconds(p.silence(now)),
		Rule:         p.Rule,
		Problem:      p.Problem,
		Title:        p.Title,
		Name:         p.name(),
		Cwd:          p.Cwd,
		Color:        p.Color,
		ColorFrom:    p.ColorFrom,
		Quest:        p.Quest,
		AgentSession: p.Stored.Memory.Owner.Session,
		PID:          p.Stored.Memory.Owner.PID,
		OpenCalls:    len(p.Stored.Memory.Calls),
		Questions:    len(p.Stored.Memory.Prompts),
		Subagents:    len(p.Stored.Memory.Children),
		Stored: storedJSON{
			State:     p.Stored.State,
			Activity:  p.Stored.Activity,
			Tool:      p.Stored.Tool,
			Since:     p.Stored.Memory.Since,
			LastKind:  p.Stored.LastKind,
			LastEvent: p.Stored.LastEvent,
			Seq:       p.Stored.Seq,
		},
		Paths: pathsJSON{
			State:      state.SessionStatePath(root, p.Session),
			Log:        state.SessionStateLogPath(root, p.Session),
			Manifest:   state.ManifestPath(root, p.Session),
			Transcript: p.Stored.Memory.Owner.Transcript,
		},
	}
	if !out.Since.IsZero() {
		out.ForS = seconds(max(0, now.Sub(out.Since)))
	}
	if l := p.Loop; l != nil {
		out.Loop = &loopJSON{Since: l.Since, Iterations: l.Iterations, LastVerdict: l.LastVerdict, Phase: l.Phase}
	}
	return out
}

// seconds are rounded to milliseconds, which is as much as anybody can use.
func seconds(d time.Duration) float64 {
	return float64(d.Round(time.Millisecond).Milliseconds()) / 1000
}
