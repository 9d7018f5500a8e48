package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

// hookUsage is what panehook help hook prints. A hook itself never does.
const hookUsage = `usage: panehook hook [--session ID] [--record FILE [--raw]] AGENT [EVENT] < payload
       panehook hook [--session ID] [--record FILE [--raw]] --stream AGENT < events

What an agent's hook runs; panehook install puts it there. Writes what the event
says into the state of the pane. Prints nothing and exits with 0 whatever
happens, on --help too; a problem is one line on stderr.

  --session ID   the session to write to, whatever the environment says
  --record FILE  also adds the call to a recording, which panehook replay plays;
                 PANEHOOK_RECORD=FILE in the environment does the same. Every
                 text in it is shortened and freed of secrets
  --raw          records payloads as they are, with the secrets in them
  --stream       one payload a line until the end of stdin, which is the end of
                 the agent too
`

const (
	// hookTime is how long a hook takes at most. Agents kill the hooks of a
	// session's end after 1 to 1.5 s.
	hookTime = 1100 * time.Millisecond
	// payloadTime is how much of it waiting for the payload may take.
	payloadTime = 900 * time.Millisecond
)

// hookCall is one call of panehook by an agent.
type hookCall struct {
	*process
	agent    *agent
	event    string // from the command line
	session  string // from the command line
	stream   bool
	record   string // the file to record into, "" for none
	raw      bool   // whether to record payloads as they are
	deadline time.Time
}

// runHook is `panehook hook AGENT [EVENT]`. It returns 0 whatever happens:
// the pane's state is never worth a blocked tool.
func runHook(p *process, args []string) int {
	roomyStack(false)
	defer func() {
		if r := recover(); r != nil {
			p.fail(fmt.Errorf("internal error: %v", r))
		}
	}()
	p.stderr = newAside(p.stderr)
	start := p.now()
	h, err := newHookCall(p, args)
	if err != nil {
		p.fail(err)
		// An agent whose pipe closes before it has written everything reports
		// an error of its own.
		_, _ = readPayload(p.stdin, time.Now().Add(payloadTime))
		return 0
	}
	h.deadline = time.Now().Add(hookTime)
	if h.stream {
		err = h.serve()
	} else {
		err = h.once(start)
	}
	if err != nil {
		p.fail(err)
	}
	return 0
}

// newHookCall reads the command line. Flags that are not known, as of another
// version, are passed over: the event is what counts.
func newHookCall(p *process, args []string) (*hookCall, error) {
	h := &hookCall{process: p, record: p.env("PANEHOOK_RECORD")}
	fs := flag.NewFlagSet("hook", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&h.session, "session", "", "")
	fs.BoolVar(&h.stream, "stream", false, "")
	fs.StringVar(&h.record, "record", h.record, "")
	fs.BoolVar(&h.raw, "raw", false, "")
	var words []string
	for len(args) > 0 {
		err := fs.Parse(args)
		rest := fs.Args()
		switch {
		case err == nil && len(rest) > 0:
			words = append(words, rest[0])
			rest = rest[1:]
		case err != nil && len(rest) == len(args):
			rest = rest[1:] // a dash, and then nothing that could be a flag
		}
		args = rest
	}
	if len(words) == 0 {
		return nil, errors.New("hook needs an agent: " + agentList("or"))
	}
	// The value of a flag that is not known looks like a word of its own.
	i := slices.IndexFunc(words, func(word string) bool { return agentNamed(word) != nil })
	if i < 0 {
		return nil, unknownAgent(words[0])
	}
	h.agent = agentNamed(words[i])
	if len(words) > i+1 {
		h.event = words[i+1]
	}
	return h, nil
}

// once applies the payload of a hook that is run for each event.
func (h *hookCall) once(at time.Time) error {
	until := time.Now().Add(payloadTime)
	payload, whole := readPayload(h.stdin, until)
	late := !whole && !time.Now().Before(until)
	err := h.take(h.read(payload, whole), payload, whole, at)
	if late {
		err = errors.Join(err, fmt.Errorf("the payload did not end within %v: what came of it counts", payloadTime))
	}
	return err
}

// take applies what was read of one payload.
func (h *hookCall) take(r adapters.Reading, payload []byte, whole bool, at time.Time) error {
	err := h.apply(&r, at)
	if h.record != "" {
		err = errors.Join(err, h.recordPayload(r.Event.Name, payload, whole, at))
	}
	return err
}

func (h *hookCall) read(payload []byte, whole bool) adapters.Reading {
	r := h.agent.Translate(h.event, payload, whole)
	if r.Consult != "" && h.agent.Consult != nil {
		if head, tail, err := fileEnds(r.Consult); err == nil {
			h.agent.Consult(&r, head, tail)
		}
	}
	return r
}

// apply is the whole effect of an event: a line in the log of its session and,
// where the pane changes, a new state. An event without a name is none.
func (h *hookCall) apply(r *adapters.Reading, at time.Time) error {
	if r.Event.Name == "" {
		return nil
	}
	id := h.sessionID(&r.Event)
	if id == "" {
		return errors.New("nothing says which pane this is: no session, no terminal pane, no readable payload")
	}
	ev := &r.Event
	switch ev.Kind {
	case transitions.Opened, transitions.Swapped, transitions.Prompted, transitions.RunStarted:
		ev.PID, ev.Started = agentProcess()
	}
	line := ev.Line()
	line.Ts = at.UTC()
	line.Role = role
	err := state.Record(id, line, time.Until(h.deadline), applyLine)
	if ev.Kind == transitions.Opened && err == nil {
		err = recordResumeID(id, ev)
	}
	return err
}

// role is the pane's place in its session. A session has one agent in the
// terms of a hook; the others of a team have sessions of their own.
const role = "primary"

// applyLine runs the machine for one line of the log, which may be that of an
// earlier event that had to wait for its turn. A fault of ours in it leaves the
// pane as it was and says so in the log: an event that waits would otherwise
// stop every later hook of its session.
func applyLine(ss *state.SessionState, line *state.StateEvent) (changed bool) {
	if line.Fields == nil {
		line.Fields = map[string]any{}
	}
	defer func() {
		if r := recover(); r != nil {
			line.Fields["problem"] = oneLine(fmt.Sprint("internal error: ", r))
			changed = false
		}
	}()
	ev := transitions.Recall(*line)
	before := ss.Panes[line.Role]
	before.Role = line.Role
	lookAround(&ev, before.Memory.Owner, line.Fields)
	after, d := transitions.Next(before, ev, line.Ts)
	d.WriteTo(line, before, after)
	if d.Changed {
		ss.Panes[line.Role] = after
	}
	return d.Changed
}

// lookAround finds out about the processes of an event what only the owner of
// its pane makes worth knowing, and notes it in the line's fields, so that the
// log can be played again. The owner's own process is looked for until it is
// known; that of another session, whenever one speaks.
func lookAround(ev *transitions.Event, owner state.Owner, fields map[string]any) {
	other := ev.Session != "" && owner.Session != "" && ev.Session != owner.Session
	if ev.PID == 0 && (other || owner.PID == 0) && ev.Kind != transitions.Noted {
		if ev.PID, ev.Started = agentProcess(); ev.PID != 0 {
			fields["pid"], fields["started"] = ev.PID, ev.Started
		}
	}
	if !other || owner.PID == 0 {
		return
	}
	if ev.OwnProcess = ev.PID == owner.PID && ev.Started == owner.Started && isAgent(ev.PID); ev.OwnProcess {
		fields["own_process"] = true
	} else if ev.OwnerGone = !alive(owner.PID, owner.Started); ev.OwnerGone {
		fields["owner_gone"] = true
	} else if ev.Inside = runsInside(owner.PID); ev.Inside {
		fields["inside"] = true
	}
}

// serve applies a stream of JSON lines, one event each, until its end, which
// is the end of the agent as well. The last line may be torn, so the session is
// that of the last line that named one; and a stream without any event that
// means something is nobody's.
func (h *hookCall) serve() error {
	session, open := "", false
	err := readLines(h.stdin, func(line []byte, whole bool) {
		var scanner adapters.Scanner
		scanner.Feed(line)
		payload, whole := scanner.Payload(), whole && scanner.Complete()
		h.deadline = time.Now().Add(hookTime)
		reading := h.read(payload, whole)
		session = cmp.Or(reading.Event.Session, session)
		if kind := reading.Event.Kind; kind != transitions.Noted {
			open = kind != transitions.Closed
		}
		if err := h.take(reading, payload, whole, h.now()); err != nil {
			h.fail(err)
		}
	})
	if !open || h.agent.streamEnd == "" {
		return err
	}
	h.event = h.agent.streamEnd
	h.deadline = time.Now().Add(hookTime)
	end := h.read(nil, true)
	end.Event.Session = session
	return errors.Join(err, h.apply(&end, h.now()))
}
