package transitions

import (
	"slices"

	"panehook/state"
)

// The bounds of a pane's memory; the oldest goes first.
const (
	maxCalls    = 32
	maxPrompts  = 8
	maxChildren = 32
	maxEnded    = 4
	maxNested   = 4
	maxFormer   = 4
)

// maxPaneBytes bounds what a pane can take in its state file, so that the file
// stays under 16 KiB with room for the session around it.
const maxPaneBytes = 12 << 10

// bound drops what a pane can best do without until it fits: lines of the
// latest message, the texts of old calls, then old calls and old questions.
// Each part is bounded by itself; this is for a payload made to fill them all.
func (s *scene) bound() {
	p, m := s.pane, s.mem
	for paneBytes(p) > maxPaneBytes {
		switch {
		case len(p.Recent) > 0:
			p.Recent = p.Recent[(len(p.Recent)+1)/2:]
		case dropOldestText(m.Calls):
		case len(m.Calls) > 1:
			m.Calls = slices.Delete(m.Calls, 0, (len(m.Calls)+1)/2)
		case len(m.Children) > 1:
			m.Children = slices.Delete(m.Children, 0, (len(m.Children)+1)/2)
		case len(m.Prompts) > 1:
			m.Prompts = slices.Delete(m.Prompts, 0, 1)
		default:
			m.Owner.Cwd, m.Owner.Transcript = "", ""
			return
		}
	}
}

func dropOldestText(calls []state.Call) bool {
	for i := range calls {
		if calls[i].Activity != "" {
			calls[i].Activity = ""
			return true
		}
	}
	return false
}

// paneBytes estimates the pane's JSON from above: quotes and backslashes
// double, and every member costs its name.
func paneBytes(p *state.PaneState) int {
	n := 1024
	add := func(texts ...string) { n += textBytes(texts...) }
	m := &p.Memory
	add(p.Activity, p.Tool, p.SessionFile, p.PiSessionID, m.Text)
	add(p.Recent...)
	add(m.Owner.Session, m.Owner.Cwd, m.Owner.Transcript, m.Turn.ID)
	add(m.Ended...)
	add(m.Nested...)
	add(m.Former...)
	for _, c := range m.Calls {
		add(c.ID, c.Child, c.Tool, c.Activity, c.Key)
	}
	for _, q := range m.Prompts {
		add(q.ID, q.Child, q.Kind, q.Tool, q.Activity, q.Key)
	}
	for _, c := range m.Children {
		add(c.ID, c.Kind)
	}
	for key, value := range p.Extra {
		add(key, string(value))
	}
	return n
}

// textBytes estimates what texts take in JSON, with the names of their members.
func textBytes(texts ...string) int {
	n := 0
	for _, t := range texts {
		n += 16 + len(t)
		for i := range len(t) {
			if t[i] == '"' || t[i] == '\\' {
				n++
			}
		}
	}
	return n
}
