package transitions

import (
	"cmp"
	"slices"
	"time"

	"panehook/state"
)

// scene is what a rule looks at and what an effect changes.
type scene struct {
	ev   *Event
	pane *state.PaneState
	mem  *state.PaneMemory // the pane's
	now  time.Time
}

// begin opens a turn whose work starts now. A turn that another hook kept from
// ending is not over after all.
func (s *scene) begin() {
	s.mem.Ended = slices.DeleteFunc(s.mem.Ended, func(id string) bool { return id == s.ev.Turn })
	s.mem.Turn = state.Turn{ID: s.ev.Turn, Start: s.now, Open: true}
	s.mem.Compacting = false
	s.mem.Outcome = ""
	s.mem.Retries = 0
}

// open makes sure that a turn is open. Work that goes on keeps its start, and
// an open turn takes the newest id, since some agents change it under way.
func (s *scene) open() {
	if s.mem.Turn.Open {
		if s.ev.Turn != "" {
			s.mem.Turn.ID = s.ev.Turn
		}
		return
	}
	start := s.mem.Turn.Start
	goesOn := active(s.mem)
	s.begin()
	if goesOn && !start.IsZero() {
		s.mem.Turn.Start = start
	}
}

// takePart: a subagent joins those that run; the lead's turn is open.
func (s *scene) takePart() {
	if byChild(s) {
		s.admit()
	} else {
		s.open()
	}
}

// closeTurn remembers the turn as ended, under its own id and the event's.
func (s *scene) closeTurn() {
	for _, id := range []string{s.mem.Turn.ID, s.ev.Turn} {
		if id != "" && !slices.Contains(s.mem.Ended, id) {
			s.mem.Ended = newest(append(s.mem.Ended, id), maxEnded)
		}
	}
	s.mem.Turn.Open = false
}

// endAll ends everything that can be going on and leaves the given rest.
func (s *scene) endAll(rest string) {
	if s.mem.Turn.Open {
		s.closeTurn()
	}
	s.mem.Calls, s.mem.Prompts, s.mem.Children = nil, nil, nil
	s.mem.Compacting = false
	s.mem.Rest = rest
}

// dropOf forgets the open calls and questions of one agent, "" for the lead.
func (s *scene) dropOf(child string) {
	s.mem.Calls = slices.DeleteFunc(s.mem.Calls, func(c state.Call) bool { return c.Child == child })
	s.dropPrompts(func(p state.Prompt) bool { return p.Child == child && p.Kind != AskDialog })
}

// dropQuestions: whoever uses a tool is no longer waiting for an answer to a
// question of its own, so the call that asked is over as well. A permission is
// another matter: tools run beside it.
func (s *scene) dropQuestions() {
	s.dropPrompts(func(p state.Prompt) bool {
		if p.Child != s.ev.Child || p.Kind != AskQuestion && p.Kind != AskPlan {
			return false
		}
		s.mem.Calls = slices.DeleteFunc(s.mem.Calls, func(c state.Call) bool { return c.ID != "" && c.ID == p.ID })
		return true
	})
	s.dropNotices()
}

// dropNotices: what is known from a nudge alone has no end of its own, so any
// sign of work ends it.
func (s *scene) dropNotices() {
	s.dropPrompts(func(p state.Prompt) bool { return p.Kind == AskNotice })
}

func (s *scene) dropPrompts(drop func(state.Prompt) bool) {
	s.mem.Prompts = slices.DeleteFunc(s.mem.Prompts, drop)
}

func (s *scene) addCall() {
	s.mem.Calls = slices.DeleteFunc(s.mem.Calls, func(c state.Call) bool { return c.ID != "" && c.ID == s.ev.Call })
	s.mem.Calls = newest(append(s.mem.Calls, state.Call{
		ID: s.ev.Call, Child: s.ev.Child, Tool: s.ev.Tool, Activity: s.ev.Activity, Key: s.ev.Key,
	}), maxCalls)
}

// endCall closes the event's call and takes back the question about it. It tells
// whether the call was known to be open.
func (s *scene) endCall() (known bool) {
	call := state.Call{ID: s.ev.Call, Child: s.ev.Child, Tool: s.ev.Tool, Key: s.ev.Key}
	i := s.findCall(call, anyCall)
	if i >= 0 {
		call = s.mem.Calls[i]
		s.mem.Calls = slices.Delete(s.mem.Calls, i, i+1)
		s.mem.Text = cmp.Or(callInUse(s.mem).Activity, s.mem.Text)
	}
	if s.besideQuestion(call, i) {
		s.dropNotices()
	} else {
		s.dropQuestions()
	}
	s.dropPrompts(func(p state.Prompt) bool {
		if p.ID != "" || call.ID != "" && p.Key == "" {
			return p.ID != "" && p.ID == call.ID
		}
		return p.Child == call.Child && p.Tool == call.Tool && p.Key == call.Key
	})
	return i >= 0
}

// besideQuestion tells whether the end of a call says nothing of the questions
// that are open: a call that was under way before they came up, or one that
// asked a question of its own.
func (s *scene) besideQuestion(call state.Call, at int) bool {
	asked := func(c state.Call) bool {
		return c.ID != "" && s.lastPrompt(func(p state.Prompt) bool { return p.ID == c.ID }) >= 0
	}
	return asked(call) || at >= 0 && slices.ContainsFunc(s.mem.Calls[at:], asked)
}

// findCall finds an open call by its id, else by its key, else the newest of
// the same tool. Of several that fit as well it is the newest preferred one.
func (s *scene) findCall(want state.Call, preferred func(state.Call) bool) int {
	same := []func(state.Call) bool{
		func(c state.Call) bool { return want.ID != "" && c.ID == want.ID },
		func(c state.Call) bool { return c.Child == want.Child && want.Key != "" && c.Key == want.Key },
		func(c state.Call) bool { return want.ID == "" && c.Child == want.Child && c.Tool == want.Tool },
	}
	for _, is := range same {
		found := -1
		for i, c := range s.mem.Calls {
			if is(c) && (found < 0 || preferred(c) || !preferred(s.mem.Calls[found])) {
				found = i
			}
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

func anyCall(state.Call) bool { return true }

// unasked: two calls that are alike can each wait for a permission.
func (s *scene) unasked(c state.Call) bool {
	return c.ID == "" || s.lastPrompt(func(p state.Prompt) bool { return p.ID == c.ID }) < 0
}

// raise puts the event's question into the ledger. A permission question does
// not say which call it is about: it is the newest with the same key, else of
// the same tool, that nobody has asked about yet. Codex asks about a patch with
// another input than it calls the tool with.
func (s *scene) raise() {
	if s.ev.Ask == AskPermission {
		s.mem.Asks = true
	}
	call := s.ev.Call
	if call == "" {
		want := state.Call{Child: s.ev.Child, Tool: s.ev.Tool, Key: s.ev.Key}
		if i := s.findCall(want, s.unasked); i >= 0 {
			call = s.mem.Calls[i].ID
		}
	}
	s.addPrompt(call)
}

// addPrompt adds a question about the given call, unless that call already has
// one, which then says more than a permission dialog around it would.
func (s *scene) addPrompt(call string) {
	if call != "" && s.lastPrompt(func(p state.Prompt) bool { return p.ID == call }) >= 0 {
		return
	}
	s.mem.Prompts = newest(append(s.mem.Prompts, state.Prompt{
		ID: call, Child: s.ev.Child, Kind: s.ev.Ask, Tool: s.ev.Tool, Activity: s.ev.Activity, Key: s.ev.Key,
	}), maxPrompts)
}

func (s *scene) lastPrompt(is func(state.Prompt) bool) int {
	for i := len(s.mem.Prompts) - 1; i >= 0; i-- {
		if is(s.mem.Prompts[i]) {
			return i
		}
	}
	return -1
}

// admit adds the event's subagent to those that run.
func (s *scene) admit() {
	if s.ev.Child == "" {
		return
	}
	if !active(s.mem) {
		s.mem.Turn.Start = s.now
	}
	if !slices.ContainsFunc(s.mem.Children, func(c state.Child) bool { return c.ID == s.ev.Child }) {
		s.mem.Children = newest(append(s.mem.Children, state.Child{ID: s.ev.Child}), maxChildren)
	}
}

// newest cuts a list to its last n members.
func newest[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	return slices.Clone(list[len(list)-n:])
}
