package transitions

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"panehook/state"
)

var dawn = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// step is one event of a story, and what the pane must be after it. Empty
// wants are not looked at; "-" wants nothing there.
type step struct {
	ev       Event
	after    time.Duration // since the step before; a second where zero
	state    string
	tool     string
	activity string
	rule     string
	claim    Claim
	since    string // "new": now, "kept": as at the last new, "none"
}

// play plays a story. Its events are of the session s1, unless they say so.
func play(t *testing.T, start state.PaneState, steps []step) state.PaneState {
	t.Helper()
	pane, at := start, dawn
	if !start.LastEvent.IsZero() {
		at = start.LastEvent
	}
	began := start.WorkingSince
	for i, s := range steps {
		at = at.Add(cmp.Or(s.after, time.Second))
		ev := s.ev
		ev.Session = cmp.Or(ev.Session, "s1")
		ev.Agent = cmp.Or(ev.Agent, "agent")
		next, d := Next(pane, ev, at)
		at := fmt.Sprintf("step %d (%s, rule %s)", i+1, ev.Kind, d.Rule)
		check := func(what, got, want string) {
			t.Helper()
			if want != "" && got != want && (want != "-" || got != "") {
				t.Errorf("%s: %s %q, want %q", at, what, got, want)
			}
		}
		check("state", next.State, s.state)
		check("tool", next.Tool, s.tool)
		check("activity", next.Activity, s.activity)
		check("rule", d.Rule, s.rule)
		check("claim", string(d.Claim), string(s.claim))
		switch s.since {
		case "new":
			began = next.LastEvent
			fallthrough
		case "kept":
			if !next.WorkingSince.Equal(began) || began.IsZero() {
				t.Errorf("%s: working since %v, want %v", at, next.WorkingSince, began)
			}
		case "none":
			if !next.WorkingSince.IsZero() {
				t.Errorf("%s: working since %v, want none", at, next.WorkingSince)
			}
		}
		if next.State != Working && !next.WorkingSince.IsZero() {
			t.Errorf("%s: %s, and yet working since %v", at, next.State, next.WorkingSince)
		}
		pane = next
	}
	return pane
}

// Events that most stories need.
func prompted(turn string) Event {
	return Event{Kind: Prompted, Turn: turn, Activity: "You: " + turn}
}

func started(turn, call string) Event {
	return Event{Kind: ToolStarted, Turn: turn, Call: call, Tool: "Bash", Key: "k-" + call, Activity: "Bash: " + call}
}

func ended(turn, call string) Event {
	return Event{Kind: ToolEnded, Turn: turn, Call: call, Tool: "Bash", Key: "k-" + call}
}

func permission(call string) Event {
	return Event{Kind: Asked, Ask: AskPermission, Tool: "Bash", Key: "k-" + call, Activity: "Permission: Bash: " + call}
}

// of makes an event another session's, by makes it a subagent's.
func of(session string, ev Event) Event { ev.Session = session; return ev }
func by(child string, ev Event) Event   { ev.Child = child; return ev }

// TestSuccession: another session takes the pane over, announced or not, and
// only the ends of those before it are without effect.
func TestSuccession(t *testing.T) {
	end := func(k Kind) Event { return Event{Kind: k} }
	stories := map[string][]step{
		"after it left": {
			{ev: prompted("t1"), state: Working, claim: Own},
			{ev: end(Left), state: Idle},
			{ev: of("s2", end(Opened)), state: Starting, claim: Own},
			{ev: end(Closed), state: Starting, claim: Foreign},
			{ev: of("s2", end(Closed)), state: Stopped, claim: Own},
		},
		"before it left": {
			{ev: prompted("t1"), state: Working},
			{ev: of("s2", end(Opened)), state: Starting, claim: Successor},
			{ev: end(Left), state: Starting, claim: Foreign},
			{ev: of("s2", prompted("u1")), state: Working, since: "new"},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Working, claim: Foreign},
			{ev: of("s2", Event{Kind: TurnEnded, Turn: "u1"}), state: Done},
		},
		"without a start": {
			{ev: prompted("t1"), state: Working},
			{ev: of("s2", prompted("u1")), state: Working, claim: Successor, activity: "You: u1", since: "new"},
		},
		"without a start or a prompt": {
			{ev: Event{Kind: Opened}, state: Starting},
			{ev: of("s2", started("u1", "d1")), state: Working, claim: Successor, tool: "Bash", since: "new"},
		},
		"another agent, with open questions of the first": {
			{ev: prompted("t1"), state: Working},
			{ev: permission("x"), state: Blocked},
			{ev: Event{Session: "r1", Agent: "other", Kind: Prompted, Activity: "You: hi"}, state: Working, claim: Successor, tool: "-", activity: "You: hi"},
		},
		"the id of an owner that let go comes back": {
			{ev: prompted("t1"), state: Working},
			{ev: end(Left), state: Idle},
			{ev: end(Opened), state: Starting, claim: Own},
		},
		"reminders, notes and ends of others": {
			{ev: prompted("t1"), state: Working},
			{ev: of("s0", end(Reminded)), state: Working, claim: Foreign},
			{ev: of("s0", Event{Kind: Nudged, Ask: AskNotice}), state: Working, claim: Foreign},
			{ev: of("s0", end(Noted)), state: Working, claim: Foreign},
			{ev: of("s0", end(RunEnded)), state: Working, claim: Foreign},
			{ev: of("s0", end(Interrupted)), state: Working, claim: Foreign},
			{ev: of("s0", by("a1", end(ChildEnded))), state: Working, claim: Foreign},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Done, claim: Own},
		},
		"after the owner stopped, whatever it left open": {
			{ev: prompted("t1")},
			{ev: started("t1", "c1"), tool: "Bash"},
			{ev: end(Closed), state: Stopped},
			{ev: of("s2", end(Opened)), state: Starting, claim: Successor},
		},
	}
	for name, steps := range stories {
		t.Run(name, func(t *testing.T) { play(t, state.PaneState{}, steps) })
	}
}

// TestSuccessorStartsAfresh: nothing of the session before is left.
func TestSuccessorStartsAfresh(t *testing.T) {
	pane := play(t, state.PaneState{Role: "primary"}, []step{
		{ev: Event{Kind: Opened, Cwd: "/one", Transcript: "/one.jsonl", PID: 7, Started: 8}},
		{ev: prompted("t1")},
		{ev: Event{Kind: Spoke, Recent: []string{"said"}, Activity: "said"}},
		{ev: by("a1", Event{Kind: ChildStarted})},
		{ev: permission("x"), state: Blocked},
		{ev: of("s2", Event{Kind: Prompted, Turn: "u1", Activity: "You: two"}), state: Working},
	})
	m := pane.Memory
	if m.Owner != (state.Owner{Session: "s2"}) {
		t.Errorf("owner %+v", m.Owner)
	}
	if len(m.Calls)+len(m.Prompts)+len(m.Children)+len(m.Ended)+len(pane.Recent) > 0 || m.Asks {
		t.Errorf("left over: %+v, recent %q", m, pane.Recent)
	}
	if pane.Role != "primary" || pane.Agent != "agent" {
		t.Errorf("role %q, agent %q", pane.Role, pane.Agent)
	}
}

// TestNesting: an agent inside a tool of the owner's reports a session of its
// own from the pane of the owner, and has no say in it.
func TestNesting(t *testing.T) {
	inner := func(k Kind) Event { return of("n1", Event{Kind: k, Turn: "x1"}) }
	open := []step{
		{ev: prompted("t1"), state: Working, since: "new"},
		{ev: started("t1", "c1"), state: Working, tool: "Bash", since: "kept"},
	}
	stories := map[string][]step{
		"begins and ends within the tool": {
			{ev: inner(Opened), claim: Nested, state: Working, tool: "Bash", since: "kept"},
			{ev: inner(Prompted), claim: Nested, state: Working, activity: "Bash: c1"},
			{ev: of("n1", permission("x")), claim: Nested, state: Working},
			{ev: inner(TurnEnded), claim: Nested, state: Working},
			{ev: inner(Closed), claim: Nested, state: Working, tool: "Bash", since: "kept"},
			{ev: ended("t1", "c1"), claim: Own, state: Working, tool: "-"},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, claim: Own, state: Done},
		},
		"outlives the tool and the turn": {
			{ev: inner(Opened), claim: Nested},
			{ev: ended("t1", "c1"), state: Working},
			{ev: of("n1", started("x1", "d1")), claim: Nested, state: Working, tool: "-"},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Done},
			{ev: inner(Prompted), claim: Nested, state: Done},
			{ev: inner(TurnEnded), claim: Nested, state: Done},
			{ev: inner(Closed), claim: Nested, state: Done},
		},
		"outlives the owner": {
			{ev: inner(Prompted), claim: Nested},
			{ev: Event{Kind: Closed}, state: Stopped},
			{ev: of("n1", started("x1", "d1")), claim: Successor, state: Working, tool: "Bash"},
		},
		"a person resumes it when the tool has ended": {
			{ev: inner(Opened), claim: Nested},
			{ev: inner(Closed), claim: Nested},
			{ev: ended("t1", "c1"), state: Working},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Done},
			{ev: inner(Opened), claim: Successor, state: Starting},
		},
		"more of them than are remembered": {
			{ev: of("n1", Event{Kind: Opened}), claim: Nested},
			{ev: of("n2", Event{Kind: Opened}), claim: Nested},
			{ev: of("n3", Event{Kind: Opened}), claim: Nested},
			{ev: of("n4", Event{Kind: Opened}), claim: Nested},
			{ev: of("n5", Event{Kind: Opened}), claim: Nested},
			{ev: of("n5", Event{Kind: Closed}), claim: Nested, state: Working},
			{ev: of("n1", Event{Kind: Closed}), claim: Foreign, state: Working},
		},
		"the process tells, without any open call": {
			{ev: ended("t1", "c1"), tool: "-"},
			{ev: of("n1", Event{Kind: Opened, Inside: true}), claim: Nested, state: Working},
			{ev: of("n1", Event{Kind: Spoke, Inside: true, Activity: "inner"}), claim: Nested, activity: "Bash: c1"},
		},
		"the owner was killed in the call, and its like started anew": {
			{ev: of("s2", Event{Kind: Opened, OwnerGone: true}), claim: Successor, state: Starting, tool: "-"},
			{ev: of("s2", prompted("u1")), claim: Own, state: Working, since: "new"},
		},
		"the owner was killed, and what it had started goes on": {
			{ev: inner(Opened), claim: Nested},
			{ev: of("n1", Event{Kind: Prompted, Turn: "x1", OwnerGone: true}), claim: Successor, state: Working},
		},
		"the call is a subagent's": {
			{ev: ended("t1", "c1")},
			{ev: by("a1", started("t1", "k1")), claim: OfChild},
			{ev: inner(Opened), claim: Nested, state: Working},
		},
	}
	for name, steps := range stories {
		t.Run(name, func(t *testing.T) { play(t, state.PaneState{}, append(open[:len(open):len(open)], steps...)) })
	}
}

// TestNestedLeavesNoTrace: but for the list of those inside.
func TestNestedLeavesNoTrace(t *testing.T) {
	before := play(t, state.PaneState{}, []step{{ev: prompted("t1")}, {ev: started("t1", "c1")}})
	for _, k := range kinds {
		ev := Event{Kind: k, Session: "n1", Agent: "other", Name: "Inner", Turn: "x1", Call: "d1", Tool: "Edit", Inside: true,
			Activity: "inner", Ask: AskPermission, Cwd: "/inner", Transcript: "/inner", PID: 99, Started: 99}
		after, d := Next(before, ev, before.LastEvent.Add(time.Minute))
		if d.Claim != Nested || d.Rule != "nested" {
			t.Errorf("%s: claim %s, rule %s", k, d.Claim, d.Rule)
		}
		after.Memory.Nested, after.LastEvent, after.LastKind, after.Seq = nil, before.LastEvent, before.LastKind, before.Seq
		if !reflect.DeepEqual(after, before) {
			t.Errorf("%s changed the pane:\n%+v\n%+v", k, before, after)
		}
	}
}

// TestLateEvents: after an end only a beginning opens the pane again.
func TestLateEvents(t *testing.T) {
	ends := map[string]struct {
		ev   Event
		rest string
	}{
		"ended":       {Event{Kind: TurnEnded, Turn: "t1"}, Done},
		"interrupted": {Event{Kind: Interrupted, Turn: "t1"}, Idle},
		"failed":      {Event{Kind: TurnEnded, Turn: "t1", Outcome: Failed}, Blocked},
		"reminded":    {Event{Kind: Reminded}, Idle},
		"closed":      {Event{Kind: Closed}, Stopped},
	}
	late := []Event{
		started("t1", "c2"), ended("t1", "c1"), ended("", "c1"), started("", "c2"), ended("t9", "c9"),
		{Kind: ToolDenied, Turn: "t1", Call: "c1"}, {Kind: ToolsSettled, Turn: "t1"}, {Kind: ToolsSettled},
		{Kind: Spoke, Activity: "late"}, {Kind: Noted}, {Kind: Answered, Ask: AskDialog},
		{Kind: Nudged, Ask: AskNotice, Activity: "late"},
	}
	openers := []Event{
		prompted("t2"), started("t2", "c2"), {Kind: RunStarted}, {Kind: ModelAsked, Turn: "t2"}, {Kind: Woken},
		{Kind: Steered}, permission("x"), {Kind: ToolStarted, Turn: "t1", Call: "c2", Tool: "Ask", Ask: AskQuestion}, {Kind: Opened},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			rest := play(t, state.PaneState{}, []step{
				{ev: prompted("t1"), state: Working},
				{ev: started("t1", "c1"), state: Working},
				{ev: end.ev, state: end.rest, tool: "-", since: "none"},
			})
			for _, ev := range late {
				after := play(t, rest, []step{{ev: ev, state: end.rest, tool: "-", since: "none"}})
				if after.Activity != rest.Activity {
					t.Errorf("%s: activity %q, want %q", ev.Kind, after.Activity, rest.Activity)
				}
			}
			for _, ev := range openers {
				after := play(t, rest, []step{{ev: ev}})
				want := Working
				switch {
				case ev.Ask != "":
					want = Blocked
				case ev.Kind == Opened:
					want = Starting
				}
				if after.State != want {
					t.Errorf("%s: %s, want %s", ev.Kind, after.State, want)
				}
			}
		})
	}
}

// TestUnseen: hooks that begin in the middle of a session. Any tool event opens
// the turn.
func TestUnseen(t *testing.T) {
	for _, c := range []struct {
		ev   Event
		want string
	}{
		{started("t1", "c1"), Working},
		{started("", ""), Working},
		{ended("t1", "c1"), Working},
		{Event{Kind: ToolDenied}, Working},
		{Event{Kind: ToolsSettled}, Working},
		{by("a1", started("t1", "k1")), Working},
		{by("a1", ended("t1", "k1")), Working},
		{by("a1", Event{Kind: ToolsSettled}), Working},
		{by("a1", Event{Kind: ChildStarted}), Working},
		{Event{Kind: Spoke}, Working},
		{Event{Kind: RunEnded, Outcome: Retrying}, Working},
		{permission("x"), Blocked},
		{Event{Kind: TurnEnded}, Done},
		{Event{Kind: TurnEnded, Outcome: Failed}, Blocked},
		{Event{Kind: Interrupted}, Idle},
		{Event{Kind: Closed}, Stopped},
		{Event{Kind: Reloaded}, Starting},
		{Event{Kind: Swapped}, Idle},
		{Event{Kind: CompactionStarted, Trigger: Manual}, Working},
		{Event{Kind: Noted}, ""},
	} {
		for _, start := range []state.PaneState{{}, {State: Starting}} {
			after, d := Next(start, c.ev, dawn)
			want := cmp.Or(c.want, start.State)
			if c.ev.Kind == Reloaded {
				want = Starting
			}
			if after.State != want {
				t.Errorf("%s on %q: %s by %s, want %s", c.ev.Kind, start.State, after.State, d.Rule, want)
			}
		}
	}
}

// TestQuestions: which events settle which question.
func TestQuestions(t *testing.T) {
	ask := func(call string) Event {
		return Event{Kind: ToolStarted, Turn: "t1", Call: call, Tool: "Ask", Key: "k-" + call, Ask: AskQuestion, Activity: "Question: " + call}
	}
	begin := []step{{ev: prompted("t1"), state: Working, since: "new"}}
	stories := map[string][]step{
		"the request adopts the call with its key": {
			{ev: started("t1", "c1")}, {ev: started("t1", "c2")},
			{ev: permission("c1"), state: Blocked, activity: "Permission: Bash: c1"},
			{ev: ended("t1", "c2"), state: Blocked, activity: "Permission: Bash: c1"},
			{ev: ended("t1", "c1"), state: Working, since: "kept"},
		},
		"an end without a key finds the call by its id": {
			{ev: started("t1", "c1")}, {ev: permission("c1"), state: Blocked},
			{ev: Event{Kind: ToolEnded, Turn: "t1", Call: "c1"}, state: Working, tool: "-"},
		},
		"an end without an id finds it by its key": {
			{ev: started("t1", "c1")}, {ev: started("t1", "c2")}, {ev: permission("c1"), state: Blocked},
			{ev: Event{Kind: ToolEnded, Turn: "t1", Tool: "Bash", Key: "k-c1"}, state: Working, tool: "Bash"},
		},
		"a request that was cut is about the newest call of its tool": {
			{ev: started("t1", "c1")}, {ev: started("t1", "c2")},
			{ev: Event{Kind: Asked, Ask: AskPermission, Tool: "Bash", Key: "k-cut"}, state: Blocked},
			{ev: ended("t1", "c1"), state: Blocked}, {ev: ended("t1", "c2"), state: Working},
		},
		"calls that are alike": {
			{ev: Event{Kind: ToolStarted, Turn: "t1", Call: "c1", Tool: "Bash", Key: "k"}},
			{ev: Event{Kind: ToolStarted, Turn: "t1", Call: "c2", Tool: "Bash", Key: "k"}},
			{ev: Event{Kind: Asked, Ask: AskPermission, Tool: "Bash", Key: "k"}, state: Blocked},
			{ev: Event{Kind: Asked, Ask: AskPermission, Tool: "Bash", Key: "k"}, state: Blocked},
			{ev: Event{Kind: ToolEnded, Turn: "t1", Call: "c2", Tool: "Bash", Key: "k"}, state: Blocked},
			{ev: Event{Kind: ToolEnded, Turn: "t1", Call: "c1", Tool: "Bash", Key: "k"}, state: Working},
		},
		"a request that is repeated, beside another call": {
			{ev: started("t1", "c1")}, {ev: started("t1", "c2")},
			{ev: permission("c1")}, {ev: permission("c1"), state: Blocked},
			{ev: ended("t1", "c1"), state: Working},
		},
		"the same call of a subagent is another": {
			{ev: started("t1", "c1")}, {ev: by("a1", Event{Kind: ToolStarted, Call: "k1", Tool: "Bash", Key: "k-c1"})},
			{ev: by("a1", permission("c1")), state: Blocked},
			{ev: ended("t1", "c1"), state: Blocked},
			{ev: by("a1", Event{Kind: ToolEnded, Call: "k1", Tool: "Bash", Key: "k-c1"}), state: Working},
		},
		"newest on top": {
			{ev: started("t1", "c1")}, {ev: started("t1", "c2")}, {ev: permission("c1")},
			{ev: permission("c2"), activity: "Permission: Bash: c2"},
			{ev: ended("t1", "c2"), state: Blocked, activity: "Permission: Bash: c1"},
		},
		"a refusal settles its own": {
			{ev: started("t1", "c1")}, {ev: started("t1", "c2")}, {ev: permission("c1")},
			{ev: Event{Kind: ToolDenied, Turn: "t1", Call: "c2"}, state: Blocked},
			{ev: Event{Kind: ToolDenied, Turn: "t1", Call: "c1"}, state: Working, tool: "-"},
		},
		"the end of a batch settles the agent's own": {
			{ev: permission("x"), state: Blocked}, {ev: by("a1", permission("y"))},
			{ev: Event{Kind: ToolsSettled, Turn: "t1"}, state: Blocked, activity: "Permission: Bash: y"},
			{ev: by("a1", Event{Kind: ToolsSettled}), state: Working},
		},
		"a request to the model settles the lead's": {
			{ev: started("t1", "c1")}, {ev: permission("c1")}, {ev: by("a1", permission("y"))},
			{ev: Event{Kind: ModelAsked, Turn: "t1"}, state: Blocked, tool: "Bash"},
			{ev: by("a1", Event{Kind: ModelAsked}), state: Working, tool: "-"},
		},
		"a question goes with its asker's next tool": {
			{ev: ask("q1"), state: Blocked, tool: "Ask", activity: "Question: q1"},
			{ev: by("a1", started("t1", "k1")), state: Blocked},
			{ev: started("t1", "c1"), state: Working, tool: "Bash", since: "kept"},
			{ev: ended("t1", "c1"), state: Working, tool: "-"},
		},
		"questions side by side": {
			{ev: ask("q1"), state: Blocked}, {ev: ask("q2"), activity: "Question: q2"},
			{ev: ended("t1", "q1"), state: Blocked, activity: "Question: q2"},
			{ev: ended("t1", "q2"), state: Working},
		},
		"the dialog around a question doubles nothing": {
			{ev: ask("q1")},
			{ev: Event{Kind: Asked, Ask: AskQuestion, Tool: "Ask", Key: "k-q1", Activity: "Ask"}, state: Blocked, activity: "Question: q1"},
			{ev: ended("t1", "q1"), state: Working},
		},
		"a question under way does not mind the end of an older call": {
			{ev: started("t1", "c1")}, {ev: ask("q1")},
			{ev: ended("t1", "c1"), state: Blocked, activity: "Question: q1"},
		},
		"a notice goes with any work, and never replaces a text": {
			{ev: Event{Kind: Nudged, Ask: AskNotice, Activity: "needs you"}, state: Blocked, activity: "needs you"},
			{ev: started("t1", "c1"), state: Working},
			{ev: permission("c1"), activity: "Permission: Bash: c1"},
			{ev: Event{Kind: Nudged, Ask: AskNotice, Activity: "needs you"}, state: Blocked, activity: "Permission: Bash: c1"},
			{ev: ended("t1", "c1"), state: Working},
			{ev: Event{Kind: Nudged, Ask: AskNotice, Activity: "needs you"}, state: Working},
		},
		"a dialog outlives tools, batches and messages": {
			{ev: Event{Kind: Asked, Ask: AskDialog, Activity: "Sure?"}, state: Blocked},
			{ev: started("t1", "c1"), state: Blocked}, {ev: ended("t1", "c1"), state: Blocked},
			{ev: Event{Kind: ToolsSettled}, state: Blocked}, {ev: Event{Kind: Spoke, Activity: "so"}, state: Blocked, activity: "Sure?"},
			{ev: Event{Kind: Answered, Ask: AskDialog}, state: Working, activity: "so", since: "kept"},
		},
		"an elicitation is answered by its id, else the newest": {
			{ev: Event{Kind: Asked, Ask: AskElicitation, Call: "e1", Activity: "one"}}, {ev: Event{Kind: Asked, Ask: AskElicitation, Call: "e2", Activity: "two"}},
			{ev: Event{Kind: Answered, Ask: AskElicitation, Call: "e1"}, state: Blocked, activity: "two"},
			{ev: Event{Kind: Answered, Ask: AskElicitation}, state: Working},
			{ev: Event{Kind: Answered, Ask: AskElicitation}, state: Working},
		},
		"a prompt sweeps everything": {
			{ev: permission("x")}, {ev: by("a1", permission("y"))}, {ev: ask("q1")},
			{ev: prompted("t2"), state: Working, tool: "-", activity: "You: t2", since: "new"},
		},
		"a subagent's questions go with it": {
			{ev: by("a1", permission("y")), state: Blocked},
			{ev: by("a1", Event{Kind: ChildEnded}), state: Working},
		},
	}
	for name, steps := range stories {
		t.Run(name, func(t *testing.T) { play(t, state.PaneState{}, append(begin[:1:1], steps...)) })
	}
}

// TestSubagents: they never end, start or restart the lead's turn.
func TestSubagents(t *testing.T) {
	running := func(ids ...string) Event {
		ev := Event{Kind: TurnEnded, Turn: "t1", Listed: true, Activity: "waits"}
		for _, id := range ids {
			ev.Running = append(ev.Running, state.Child{ID: id, Kind: "subagent"})
		}
		return ev
	}
	stories := map[string][]step{
		"their ends are not the lead's": {
			{ev: prompted("t1"), since: "new"},
			{ev: by("a1", Event{Kind: ChildStarted})},
			{ev: by("a1", Event{Kind: TurnEnded, Outcome: Failed}), state: Working, since: "kept"},
			{ev: by("a1", Event{Kind: Interrupted}), state: Working, since: "kept"},
			{ev: by("a1", Event{Kind: Prompted}), state: Working, since: "kept"},
			{ev: by("a1", Event{Kind: ToolEnded, Outcome: Aborted}), state: Working, since: "kept"},
			{ev: by("a1", Event{Kind: ChildEnded}), state: Working, since: "kept"},
		},
		"what is listed works on": {
			{ev: prompted("t1"), since: "new"},
			{ev: running("a1", "a2"), state: Working, since: "kept", tool: "-"},
			{ev: by("a1", Event{Kind: ChildEnded}), state: Working, since: "kept"},
			{ev: by("a2", Event{Kind: ChildEnded}), state: Done, since: "none"},
		},
		"what is not listed has ended": {
			{ev: prompted("t1")},
			{ev: by("a1", Event{Kind: ChildStarted})}, {ev: by("a1", permission("y")), state: Blocked},
			{ev: running(), state: Done},
		},
		"where nothing is listed, questions stay": {
			{ev: prompted("t1")},
			{ev: by("a1", Event{Kind: ChildStarted})}, {ev: by("a1", permission("y")), state: Blocked},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Blocked},
			{ev: by("a1", Event{Kind: ChildEnded}), state: Done},
		},
		"one that nobody knows brings the work back": {
			{ev: prompted("t1")}, {ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Done},
			{ev: by("a9", started("t1", "k1")), state: Working, since: "new", tool: "-"},
			{ev: by("a9", permission("k1")), state: Blocked, tool: "Bash"},
			{ev: by("a9", ended("t1", "k1")), state: Working, since: "kept"},
			{ev: by("a9", Event{Kind: ChildEnded}), state: Done},
		},
		"woken by one, the work never paused": {
			{ev: prompted("t1"), since: "new"},
			{ev: running("a1"), state: Working, since: "kept"},
			{ev: Event{Kind: Woken, Turn: "t2", Activity: "woken"}, state: Working, since: "kept", activity: "woken"},
			{ev: Event{Kind: TurnEnded, Turn: "t2", Listed: true}, state: Done},
			{ev: Event{Kind: Woken, Turn: "t3"}, state: Working, since: "new"},
		},
		"a reminder says nothing of them": {
			{ev: prompted("t1"), since: "new"},
			{ev: running("a1"), state: Working},
			{ev: Event{Kind: Reminded}, state: Working, since: "kept"},
		},
		"the lead's tool is shown before theirs": {
			{ev: prompted("t1")},
			{ev: Event{Kind: ToolStarted, Turn: "t1", Call: "c1", Tool: "Agent", Activity: "Agent: x"}, tool: "Agent"},
			{ev: by("a1", Event{Kind: ChildStarted})},
			{ev: by("a1", started("t1", "k1")), tool: "Agent"},
			{ev: Event{Kind: ToolEnded, Turn: "t1", Call: "c1", Tool: "Agent"}, tool: "Bash"},
		},
		"an interrupt takes them along": {
			{ev: prompted("t1")}, {ev: by("a1", Event{Kind: ChildStarted})},
			{ev: Event{Kind: Interrupted, Turn: "t1"}, state: Idle, activity: "Interrupted"},
			{ev: by("a1", Event{Kind: ChildEnded}), state: Idle},
		},
	}
	for name, steps := range stories {
		t.Run(name, func(t *testing.T) { play(t, state.PaneState{}, steps) })
	}
}

// TestWorkingSince: the time at which the turn's work began.
func TestWorkingSince(t *testing.T) {
	stories := map[string][]step{
		"kept through tools and questions": {
			{ev: prompted("t1"), since: "new"},
			{ev: started("t1", "c1"), since: "kept"},
			{ev: permission("c1"), since: "none", after: time.Hour},
			{ev: ended("t1", "c1"), since: "kept", after: time.Hour},
			{ev: Event{Kind: Spoke, Activity: "so"}, since: "kept"},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, since: "none"},
		},
		"kept through a compaction": {
			{ev: prompted("t1"), since: "new"},
			{ev: Event{Kind: CompactionStarted, Trigger: Auto}, since: "kept", after: time.Hour},
			{ev: Event{Kind: Reloaded}, since: "kept"},
			{ev: Event{Kind: CompactionEnded}, since: "kept"},
		},
		"kept through Pi's retries and its compaction": {
			{ev: Event{Kind: RunStarted}, since: "new"},
			{ev: Event{Kind: RunEnded, Outcome: Retrying}, since: "kept"},
			{ev: Event{Kind: RunStarted}, since: "kept"},
			{ev: Event{Kind: CompactionStarted}, since: "kept"},
			{ev: Event{Kind: CompactionEnded}, since: "kept"},
			{ev: Event{Kind: RunStarted}, since: "kept"},
			{ev: Event{Kind: RunEnded}, since: "kept"},
			{ev: Event{Kind: TurnEnded, Outcome: Settled}, since: "none"},
		},
		"kept when the running turn is steered": {
			{ev: prompted("t1"), since: "new"},
			{ev: prompted("t1"), since: "kept"},
			{ev: Event{Kind: Steered, Turn: "t1"}, since: "kept"},
			{ev: Event{Kind: ModelAsked, Turn: "t1"}, since: "kept"},
		},
		"new at a prompt": {
			{ev: prompted("t1"), since: "new"},
			{ev: prompted("t2"), since: "new"},
			{ev: prompted(""), since: "new"},
			{ev: prompted(""), since: "new"},
		},
		"new for work of its own": {
			{ev: prompted("t1"), since: "new"},
			{ev: Event{Kind: TurnEnded, Turn: "t1"}, since: "none"},
			{ev: Event{Kind: ModelAsked, Turn: "t2"}, since: "new", after: time.Hour},
			{ev: Event{Kind: TurnEnded, Turn: "t2"}, since: "none"},
			{ev: Event{Kind: CompactionStarted, Trigger: Manual}, since: "new", after: time.Hour},
			{ev: Event{Kind: CompactionEnded}, since: "none"},
			{ev: by("a1", Event{Kind: ChildStarted}), since: "new", after: time.Hour},
		},
		"a question outside a turn begins it": {
			{ev: Event{Kind: Opened}, since: "none"},
			{ev: permission("x"), since: "none"},
			{ev: ended("", "x"), state: Working},
		},
	}
	for name, steps := range stories {
		t.Run(name, func(t *testing.T) { play(t, state.PaneState{}, steps) })
	}
}

// TestWorkingSinceOfOlderFile: a pane that is working without it takes the time
// of its last event, or where it has none of that either, the present.
func TestWorkingSinceOfOlderFile(t *testing.T) {
	old := dawn.Add(-time.Hour)
	for _, pane := range []state.PaneState{
		{State: Working, LastEvent: old},
		{State: Working, LastEvent: old, Memory: state.PaneMemory{Turn: state.Turn{Open: true}}},
		{State: Working, LastEvent: dawn.Add(-time.Minute), WorkingSince: old},
		{State: Working, LastEvent: dawn.Add(-time.Minute), WorkingSince: old, Memory: state.PaneMemory{Turn: state.Turn{Open: true}}},
	} {
		after, _ := Next(pane, started("t1", "c1"), dawn)
		if !after.WorkingSince.Equal(old) {
			t.Errorf("%+v: working since %v, want %v", pane, after.WorkingSince, old)
		}
	}
	after, _ := Next(state.PaneState{State: Working}, started("t1", "c1"), dawn)
	if !after.WorkingSince.Equal(dawn) {
		t.Errorf("no stamp at all: working since %v, want %v", after.WorkingSince, dawn)
	}
}

// TestClockRunsBackwards: what a pane says of time never does.
func TestClockRunsBackwards(t *testing.T) {
	pane := state.PaneState{}
	events := []Event{prompted("t1"), started("t1", "c1"), permission("c1"), ended("t1", "c1"), {Kind: TurnEnded, Turn: "t1"}, prompted("t2"), {Kind: Closed}}
	for i, ev := range events {
		at := dawn.Add(-time.Duration(i) * time.Hour)
		next, d := Next(pane, ev, at)
		if !d.Changed {
			t.Fatalf("%s changed nothing", ev.Kind)
		}
		if next.LastEvent.Before(pane.LastEvent) || next.Memory.Since.Before(pane.Memory.Since) {
			t.Errorf("%s: last event %v after %v, since %v after %v", ev.Kind, next.LastEvent, pane.LastEvent, next.Memory.Since, pane.Memory.Since)
		}
		if next.Seq <= pane.Seq {
			t.Errorf("%s: seq %d after %d", ev.Kind, next.Seq, pane.Seq)
		}
		if !next.WorkingSince.IsZero() && next.WorkingSince.After(next.LastEvent) {
			t.Errorf("%s: works since %v, but the last event is of %v", ev.Kind, next.WorkingSince, next.LastEvent)
		}
		pane = next
	}
}

// TestSeqAtItsEnd: another program may have written any number, and any time.
func TestSeqAtItsEnd(t *testing.T) {
	const last = 1<<63 - 1
	for _, pane := range []state.PaneState{
		{Seq: last}, {Seq: last - 1}, {Seq: -5},
		{LastEvent: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), Seq: 5},
		{LastEvent: time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), Seq: 5},
	} {
		after, _ := Next(pane, prompted("t1"), dawn)
		if after.Seq < pane.Seq || after.Seq == pane.Seq && pane.Seq != last {
			t.Errorf("seq %d after %d", after.Seq, pane.Seq)
		}
		if after.LastEvent.Before(pane.LastEvent) {
			t.Errorf("last event %v after %v", after.LastEvent, pane.LastEvent)
		}
	}
}

// TestForeignEdits: another program may have changed the pane since, one that
// knows the fields of the reference alone. What it wrote holds.
func TestForeignEdits(t *testing.T) {
	busy := play(t, state.PaneState{}, []step{
		{ev: prompted("t1")}, {ev: by("a1", Event{Kind: ChildStarted})}, {ev: started("t1", "c1")}, {ev: permission("c1"), state: Blocked},
	})
	done := play(t, state.PaneState{}, []step{{ev: prompted("t1")}, {ev: Event{Kind: TurnEnded, Turn: "t1", Activity: "Yes."}, state: Done}})
	edit := func(p state.PaneState, shown, activity string) state.PaneState {
		p.State, p.Activity, p.Tool, p.WorkingSince = shown, activity, "", time.Time{}
		if shown == Working {
			p.WorkingSince = p.LastEvent
		}
		return p
	}
	for name, c := range map[string]struct {
		pane  state.PaneState
		steps []step
	}{
		"a reader marks done as seen": {edit(done, Idle, "Yes."), []step{
			{ev: Event{Kind: Noted}, state: Idle, activity: "Yes."},
			{ev: Event{Kind: ToolEnded, Turn: "t1", Call: "c1"}, state: Idle, activity: "Yes."},
			{ev: Event{Kind: Reminded}, state: Idle},
			{ev: prompted("t2"), state: Working, since: "new"},
		}},
		"another says that it stopped": {edit(busy, Stopped, "gone"), []step{
			{ev: by("a1", ended("t1", "k1")), state: Stopped, activity: "gone"},
			{ev: ended("t1", "c1"), state: Stopped},
			{ev: prompted("t2"), state: Working, tool: "-"},
		}},
		"another says that it is idle": {edit(busy, Idle, "Interrupted"), []step{
			{ev: Event{Kind: Noted}, state: Idle, activity: "Interrupted", tool: "-"},
			{ev: ended("t1", "c1"), state: Idle},
			{ev: started("t2", "c2"), state: Working},
		}},
		"another says that it works": {edit(done, Working, "by hand"), []step{
			{ev: Event{Kind: Noted}, state: Working, activity: "by hand"},
			{ev: started("t2", "c2"), state: Working, tool: "Bash"},
			{ev: Event{Kind: TurnEnded, Turn: "t2"}, state: Done},
		}},
		"another says that it is blocked": {edit(done, Blocked, "asks something"), []step{
			{ev: Event{Kind: Noted}, state: Blocked, activity: "asks something"},
			{ev: started("t2", "c2"), state: Working, tool: "Bash"},
		}},
		"a pane of a program that knows the reference alone, working": {
			state.PaneState{Role: "primary", Agent: "agent", State: Working, Activity: "Edit: a.go", Tool: "Edit", LastEvent: dawn, WorkingSince: dawn.Add(-time.Hour)},
			[]step{
				{ev: ended("", "c1"), state: Working, since: "kept", tool: "-"},
				{ev: Event{Kind: TurnEnded}, state: Done},
			}},
		"a pane of a program that knows the reference alone, done": {
			state.PaneState{Role: "primary", Agent: "agent", State: Done, Activity: "Yes.", LastEvent: dawn},
			[]step{
				{ev: ended("", "c1"), state: Done, activity: "Yes."},
				{ev: prompted(""), state: Working, since: "new"},
			}},
		"a state that nobody knows": {
			state.PaneState{State: "dreaming", Activity: "zzz", LastEvent: dawn},
			[]step{
				{ev: Event{Kind: Noted}, state: "dreaming", activity: "zzz"},
				{ev: prompted("t1"), state: Working},
				{ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Done},
			}},
	} {
		t.Run(name, func(t *testing.T) { play(t, c.pane, c.steps) })
	}
}

// TestRestGivenBack: a dialog or a compaction outside of turns gives back what
// was there before.
func TestRestGivenBack(t *testing.T) {
	for name, c := range map[string]struct {
		events []Event
		rest   string
		after  string // a compaction by hand
	}{
		"starting": {[]Event{{Kind: Opened}}, Starting, Idle},
		"done":     {[]Event{prompted("t1"), {Kind: TurnEnded, Turn: "t1"}}, Done, Done},
		"idle":     {[]Event{prompted("t1"), {Kind: Interrupted, Turn: "t1"}}, Idle, Idle},
		"failed":   {[]Event{prompted("t1"), {Kind: TurnEnded, Turn: "t1", Outcome: Failed}}, Blocked, Idle},
	} {
		t.Run(name, func(t *testing.T) {
			var steps []step
			for _, ev := range c.events {
				steps = append(steps, step{ev: ev})
			}
			rest := play(t, state.PaneState{}, steps)
			for _, ask := range []string{AskDialog, AskElicitation} {
				play(t, rest, []step{
					{ev: Event{Kind: Asked, Ask: ask, Activity: "outer"}, state: Blocked, activity: "outer"},
					{ev: Event{Kind: Asked, Ask: ask, Activity: "inner"}, state: Blocked, activity: "inner"},
					{ev: Event{Kind: Answered, Ask: ask}, state: Blocked, activity: "outer"},
					{ev: Event{Kind: Answered, Ask: ask}, state: c.rest, activity: cmp.Or(rest.Activity, "-")},
				})
			}
			play(t, rest, []step{
				{ev: Event{Kind: CompactionStarted, Trigger: Manual}, state: Working, since: "new"},
				{ev: Event{Kind: Reloaded}, state: c.after},
				{ev: Event{Kind: CompactionEnded}, state: c.after},
			})
			play(t, rest, []step{
				{ev: Event{Kind: CompactionStarted}, state: Working, since: "new"},
				{ev: Event{Kind: CompactionEnded}, state: c.rest},
			})
		})
	}
}

// TestSince: when State last changed, so that readers can say for how long.
func TestSince(t *testing.T) {
	pane := play(t, state.PaneState{}, []step{{ev: prompted("t1")}})
	began := pane.Memory.Since
	pane = play(t, pane, []step{{ev: started("t1", "c1")}, {ev: ended("t1", "c1")}})
	if !pane.Memory.Since.Equal(began) {
		t.Errorf("since %v, though it worked all along since %v", pane.Memory.Since, began)
	}
	pane = play(t, pane, []step{{ev: permission("x")}})
	if !pane.Memory.Since.Equal(pane.LastEvent) {
		t.Errorf("blocked since %v, want %v", pane.Memory.Since, pane.LastEvent)
	}
}

// TestRepeats: an event that changes nothing visible is not worth a write, and
// leaves the stamps alone.
func TestRepeats(t *testing.T) {
	for name, events := range map[string][]Event{
		"note":           {prompted("t1"), {Kind: Noted, Name: "Other"}},
		"late tool":      {prompted("t1"), {Kind: TurnEnded, Turn: "t1"}, ended("t1", "c1")},
		"foreign end":    {prompted("t1"), of("s0", Event{Kind: Closed})},
		"known question": {prompted("t1"), permission("x"), {Kind: Nudged, Ask: AskNotice}},
		"second end":     {prompted("t1"), {Kind: Closed}, {Kind: Closed}},
		"nested again":   {prompted("t1"), started("t1", "c1"), of("n1", Event{Kind: Opened}), of("n1", Event{Kind: Prompted})},
	} {
		t.Run(name, func(t *testing.T) {
			last := len(events) - 1
			var steps []step
			for _, ev := range events[:last] {
				steps = append(steps, step{ev: ev})
			}
			before := play(t, state.PaneState{}, steps)
			ev := events[last]
			ev.Session, ev.Agent = cmp.Or(ev.Session, "s1"), "agent"
			after, d := Next(before, ev, before.LastEvent.Add(time.Hour))
			if d.Changed || !reflect.DeepEqual(before, after) {
				t.Errorf("changed by %s:\n%+v\n%+v", d.Rule, before, after)
			}
		})
	}
}

// TestOwner: what is known of whose pane it is.
func TestOwner(t *testing.T) {
	pane := play(t, state.PaneState{}, []step{
		{ev: Event{Kind: Opened, Cwd: "/one", Transcript: "/t.jsonl", PID: 7, Started: 70}},
		{ev: Event{Kind: Noted, Cwd: "/noted", PID: 8, Started: 80}},
		{ev: Event{Kind: Prompted, Turn: "t1", Cwd: "/two"}},
		{ev: by("a1", Event{Kind: ChildStarted, Cwd: "/child", Transcript: "/child.jsonl"})},
	})
	want := state.Owner{Session: "s1", PID: 7, Started: 70, Cwd: "/two", Transcript: "/t.jsonl"}
	if pane.Memory.Owner != want {
		t.Errorf("owner %+v, want %+v", pane.Memory.Owner, want)
	}
	pane = play(t, pane, []step{{ev: Event{Kind: Left}, state: Idle}})
	if o := pane.Memory.Owner; o.Session != "" || o.PID != 7 {
		t.Errorf("after it was let go: %+v", o)
	}
}

func TestRuleIDs(t *testing.T) {
	ids := RuleIDs()
	if len(ids) != len(rules) || ids[0] != rules[0].ID {
		t.Errorf("%d ids for %d rules, the first %q", len(ids), len(rules), ids[0])
	}
	for _, id := range ids {
		if id != strings.ToLower(id) || strings.ContainsAny(id, " _.") {
			t.Errorf("rule id %q", id)
		}
	}
}
