package transitions

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"panehook/state"
)

// What adapters let through at most, in bytes; an event never holds more.
const (
	longestLine = 1024
	longestWord = 64
	longestID   = 48
	longestPath = 1024
	mostLines   = 40
)

// hostile makes events of every kind, filled with texts of every size that an
// adapter lets through, of what takes most room in JSON.
type hostile struct {
	*rand.Rand
	size int // of texts, in percent of the longest
}

func (h hostile) pick(words ...string) string { return words[h.IntN(len(words))] }

func (h hostile) text(longest int) string {
	n := longest * h.size / 100
	if n == 0 || h.IntN(4) == 0 {
		return ""
	}
	unit := h.pick("x", `"`, `\`, "é", "漢", "a\u0301", "<")
	return strings.Repeat(unit, max(1, n/len(unit)))
}

func (h hostile) id() string {
	if h.IntN(3) == 0 {
		return h.pick("", "one", "two", "three")
	}
	return h.text(longestID-1) + string(rune('a'+h.IntN(26)))
}

func (h hostile) event() Event {
	ev := Event{
		Kind: kinds[h.IntN(len(kinds))], Agent: h.pick("agent", "other"), Name: h.text(longestWord),
		Session: h.pick("s1", "s1", "s1", "s1", h.id()), Turn: h.id(), Call: h.id(), Tool: h.text(longestWord),
		Key: h.id(), Activity: h.text(longestLine),
		Ask:        h.pick("", "", AskPermission, AskQuestion, AskPlan, AskElicitation, AskDialog, AskNotice),
		Outcome:    Outcome(h.pick("", "", string(Aborted), string(Failed), string(Retrying), string(Review), string(Settled))),
		Trigger:    Trigger(h.pick("", string(Manual), string(Auto), string(Compacting))),
		Listed:     h.IntN(2) == 0,
		Carried:    h.IntN(2) == 0,
		Cwd:        h.text(longestPath),
		Transcript: h.text(longestPath),
		PID:        h.IntN(3) * 4194304, Started: h.Int64(),
		Inside: h.IntN(20) == 0, OwnerGone: h.IntN(20) == 0,
	}
	if h.IntN(3) == 0 {
		ev.Child = h.id()
	}
	for range h.IntN(2) * h.IntN(mostLines+1) {
		ev.Recent = append(ev.Recent, h.text(longestLine))
	}
	for range h.IntN(2) * h.IntN(200) {
		ev.Running = append(ev.Running, state.Child{ID: h.id(), Kind: h.text(longestWord)})
	}
	return ev
}

var states = []string{"", Starting, Working, Blocked, Done, Idle, Stopped}

// TestWhateverComesIn plays long random stories and looks at what must always
// hold: the bounds of both files, that nothing is changed in place, that time
// goes forward, and that what is shown fits together.
func TestWhateverComesIn(t *testing.T) {
	const (
		maxState = 16 << 10
		maxLine  = 4 << 10
	)
	for _, size := range []int{0, 3, 30, 100} {
		h := hostile{rand.New(rand.NewPCG(1, uint64(size))), size}
		pane := state.PaneState{Role: "primary"}
		at := dawn
		for i := range 1000 {
			at = at.Add(time.Duration(h.IntN(2000)-500) * time.Millisecond)
			ev := h.event()
			before := untouched(pane)
			line := ev.Line()
			line.Ts = at

			next, d := Next(pane, ev, at)
			if !reflect.DeepEqual(before, pane) {
				t.Fatalf("event %d (%s) changed the pane that it was given", i, d.Rule)
			}
			d.WriteTo(&line, pane, next)

			ss := state.SessionState{SessionID: "qm-" + strings.Repeat("s", 97), Version: 1, Panes: map[string]state.PaneState{"primary": next}}
			data, err := ss.MarshalJSON() // encoding/json would write < as \u003c
			if err != nil || len(data) > maxState {
				t.Fatalf("event %d (%s): the state takes %d bytes, %v", i, d.Rule, len(data), err)
			}
			if data, err := line.MarshalJSON(); err != nil || len(data) > maxLine {
				t.Fatalf("event %d (%s, %s): the line takes %d bytes, %v", i, ev.Kind, d.Rule, len(data), err)
			}

			if !slices.Contains(states, next.State) {
				t.Fatalf("event %d (%s): state %q", i, d.Rule, next.State)
			}
			if next.WorkingSince.IsZero() == (next.State == Working) {
				t.Fatalf("event %d (%s): %s, working since %v", i, d.Rule, next.State, next.WorkingSince)
			}
			if next.Tool != "" && next.State != Working && next.State != Blocked {
				t.Fatalf("event %d (%s): %s, with the tool %q", i, d.Rule, next.State, next.Tool)
			}
			if next.LastEvent.Before(pane.LastEvent) || next.Seq < pane.Seq || d.Changed && next.Seq == pane.Seq {
				t.Fatalf("event %d (%s): seq %d after %d, last event %v after %v", i, d.Rule, next.Seq, pane.Seq, next.LastEvent, pane.LastEvent)
			}
			if next.WorkingSince.After(next.LastEvent) || next.Memory.Since.After(next.LastEvent) {
				t.Fatalf("event %d (%s): since %v and %v, of which the last event at %v is older", i, d.Rule, next.WorkingSince, next.Memory.Since, next.LastEvent)
			}
			m := next.Memory
			if len(m.Calls) > maxCalls || len(m.Prompts) > maxPrompts || len(m.Children) > maxChildren || len(m.Ended) > maxEnded || len(m.Nested) > maxNested {
				t.Fatalf("event %d (%s): %d calls, %d prompts, %d children, %d ended, %d nested", i, d.Rule, len(m.Calls), len(m.Prompts), len(m.Children), len(m.Ended), len(m.Nested))
			}
			if d.Changed {
				pane = next
			} else if !reflect.DeepEqual(deepCopy(t, pane), deepCopy(t, next)) {
				t.Fatalf("event %d (%s) changed something and does not say so", i, d.Rule)
			}
		}
	}
}

// untouched is a copy of a pane that shares nothing with it.
func untouched(p state.PaneState) state.PaneState {
	m := &p.Memory
	p.Recent = slices.Clone(p.Recent)
	m.Ended, m.Nested = slices.Clone(m.Ended), slices.Clone(m.Nested)
	m.Calls, m.Prompts, m.Children = slices.Clone(m.Calls), slices.Clone(m.Prompts), slices.Clone(m.Children)
	return p
}

// deepCopy is the pane as it comes back from its file.
func deepCopy(t *testing.T, p state.PaneState) state.PaneState {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var out state.PaneState
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSameFromItsFile: a pane that was stored and read again goes on as one
// that was not.
func TestSameFromItsFile(t *testing.T) {
	h := hostile{rand.New(rand.NewPCG(2, 2)), 5}
	kept := state.PaneState{Role: "primary"}
	stored := kept
	for i := range 500 {
		ev, at := h.event(), dawn.Add(time.Duration(i)*time.Second)
		var a, b Decision
		kept, a = Next(kept, ev, at)
		stored, b = Next(deepCopy(t, stored), ev, at)
		if a != b || !reflect.DeepEqual(deepCopy(t, kept), deepCopy(t, stored)) {
			t.Fatalf("event %d: %+v and %+v:\n%+v\n%+v", i, a, b, kept, stored)
		}
	}
}

// TestLineAndRecall: an event comes back from its line, as it is while it waits
// for its turn, before it is applied.
func TestLineAndRecall(t *testing.T) {
	h := hostile{rand.New(rand.NewPCG(3, 3)), 20}
	for i := range 500 {
		ev := h.event()
		want := ev
		want.Running = newest(want.Running, maxChildren)
		if !opensSession(ev.Kind) {
			want.Cwd, want.Transcript = "", "" // the owner has them
		}
		for _, through := range []func(*testing.T, state.StateEvent) state.StateEvent{asItIs, throughFile} {
			if got := Recall(through(t, ev.Line())); !reflect.DeepEqual(normal(got), normal(want)) {
				t.Fatalf("event %d:\n%+v\nwant\n%+v", i, got, want)
			}
		}
	}
}

// TestLineHoldsEveryField: whatever is added to an event has to be in its line.
func TestLineHoldsEveryField(t *testing.T) {
	full := Event{
		Kind: Opened, Agent: "agent", Name: "Name", Session: "s", Turn: "t", Child: "c", Call: "call", Tool: "Tool", Key: "k",
		Activity: "a", Ask: AskPlan, Outcome: Failed, Trigger: Auto, Running: []state.Child{{ID: "r", Kind: "shell"}}, Listed: true, Carried: true,
		Recent: []string{"one", "two"}, Cwd: "/cwd", Transcript: "/t", PID: 1, Started: 1<<62 + 1, Inside: true, OwnProcess: true, OwnerGone: true,
	}
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("this test leaves %s empty", v.Type().Field(i).Name)
		}
	}
	if got := Recall(throughFile(t, full.Line())); !reflect.DeepEqual(got, full) {
		t.Errorf("came back as %+v, want %+v", got, full)
	}
}

// TestRecallOfForeignLines: a line can hold anything.
func TestRecallOfForeignLines(t *testing.T) {
	rest := play(t, state.PaneState{}, []step{{ev: prompted("t1")}, {ev: Event{Kind: TurnEnded, Turn: "t1"}, state: Done}})
	for _, line := range []string{
		`{}`, `{"action":"status","fields":{"rule":7}}`,
		`{"action":"prompted","fields":{"session":1,"turn":[],"listed":"yes","started":"x","pid":{},"running":7,"recent":"x","cwd":2}}`,
		`{"action":"turn-ended","fields":{"running":[1,null,{"id":3,"kind":[]},"x"],"recent":[1,null,"kept"],"pid":1.5,"started":1e300}}`,
		`{"action":"no such kind","fields":null}`,
	} {
		var ev state.StateEvent
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatal(err)
		}
		got := Recall(throughFile(t, ev))
		if !slices.Contains(kinds, got.Kind) {
			if _, d := Next(rest, got, rest.LastEvent.Add(time.Second)); d.Changed {
				t.Errorf("%s changes the pane", line)
			}
		}
	}
}

func asItIs(_ *testing.T, line state.StateEvent) state.StateEvent { return line }

func throughFile(t *testing.T, line state.StateEvent) state.StateEvent {
	t.Helper()
	data, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	var out state.StateEvent
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return out
}

// normal makes empty lists equal to none.
func normal(ev Event) Event {
	if len(ev.Running) == 0 {
		ev.Running = nil
	}
	if len(ev.Recent) == 0 {
		ev.Recent = nil
	}
	return ev
}
