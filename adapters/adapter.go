// Package adapters holds what the adapters of all agents share.
//
// For a hook these are the shape of an Adapter, the reading of payloads of any
// size that may hold anything, and the making of text that is safe to store
// and to show, with secrets masked. For an installation they are the shape of
// an Installation, the editing of hooks files that leaves what is not ours
// byte for byte, what it takes to know our entries again, such as the words of
// a shell, and the comparing of versions.
//
// It touches no file, no clock and no environment; each agent's own knowledge
// is in a folder below.
package adapters

import (
	"cmp"
	"slices"

	"panehook/state"
	"panehook/transitions"
)

// Adapter is all that the command knows of one agent.
type Adapter struct {
	// Name is the word on the hook's command line.
	Name string
	// NameKey is the payload's member that names the event.
	NameKey string
	// Common reads what every payload of the agent holds.
	Common func(*Payload, *transitions.Event)
	// Hooks are the events that mean something. Any other name is noted.
	Hooks []Hook
	// Consult completes a reading with the head and the tail of the file that
	// it asked for. Nil where no event of the agent asks.
	Consult func(r *Reading, head, tail []byte)
	// StatusFile is the path of the file in which the agent itself says what
	// it is doing, "" where there is none, and Status reads it. Nil where the
	// agent keeps no such file.
	StatusFile func(state.Owner) string
	Status     func(data []byte, owner state.Owner) transitions.Sighting
	// Ending reads from the last part of a transcript how it ends. Nil where
	// it does not tell.
	Ending func(tail []byte) transitions.Sighting
	// Borrowed tells that the hook runs in an environment that is not its
	// session's own, so that nothing in it says which pane this is. Nil where
	// the agent never does that.
	Borrowed func(Surroundings) bool
}

// Hook is one event of an agent: how it is read, and how the agent is asked to
// report it.
type Hook struct {
	// Name is the agent's own name of the event.
	Name string
	// Words are the action words that questmaster's hook scripts use for it.
	Words []string
	// Read fills the event from the payload, which may lack everything.
	Read func(*Payload, *transitions.Event)
	// Since is the agent version that brought the event, "" where every
	// version that matters knows it.
	Since string
	// Timeout is how long the agent waits for the hook, in seconds. Zero is for
	// an event that is read but not registered.
	Timeout int
}

// Surroundings are what can be known of a hook's process.
type Surroundings struct {
	Env    func(string) string
	Parent func() []string // the command line of the calling process
}

// Reading is what became of one payload.
type Reading struct {
	Event transitions.Event
	// Consult is the path of a file whose ends say more, "" for none.
	Consult string
	// Odd says, a line each, what in the payload was not understood. No line
	// holds a value of the payload.
	Odd []string
}

// Translate reads one hook call: the event's name from the command line, and
// the payload, which is whole or was cut. The name in the payload wins; the
// one on the command line serves where there is none.
func (a *Adapter) Translate(name string, payload []byte, whole bool) Reading {
	p := ParsePayload(payload, whole)
	if own := p.Text(a.NameKey); own != "" {
		name = own
	}
	ev := transitions.Event{Kind: transitions.Noted, Agent: a.Name, Name: Word(name)}
	a.Common(&p, &ev)
	if hook := a.hook(name); hook != nil {
		ev.Name = hook.Name
		hook.Read(&p, &ev)
	} else {
		p.odd(Clean("event " + cmp.Or(ev.Name, "without a name") + " is not known: noted, not applied"))
	}
	return Reading{Event: ev, Consult: p.consult, Odd: p.oddities}
}

func (a *Adapter) hook(name string) *Hook {
	if name == "" {
		return nil
	}
	for i := range a.Hooks {
		if a.Hooks[i].Name == name {
			return &a.Hooks[i]
		}
	}
	for i := range a.Hooks {
		if slices.Contains(a.Hooks[i].Words, name) {
			return &a.Hooks[i]
		}
	}
	return nil
}
