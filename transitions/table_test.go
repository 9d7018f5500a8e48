package transitions

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"panehook/state"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// kinds are all kinds of events in the order of the table.
var kinds = []Kind{
	Opened, Swapped, Reloaded, Left, Closed,
	Prompted, Woken, Steered, RunStarted, ModelAsked, Spoke,
	ToolStarted, ToolEnded, ToolDenied, ToolsSettled,
	Asked, Answered, Nudged, Reminded,
	RunEnded, TurnEnded, Interrupted,
	ChildStarted, ChildEnded, CompactionStarted, CompactionEnded, Noted,
}

func TestTableIsSound(t *testing.T) {
	ids := map[string]bool{}
	last := map[Kind]int{}
	closed := map[Kind]bool{} // kinds whose unconditional row has come
	for i, r := range rules {
		if ids[r.ID] {
			t.Errorf("rule id %q twice", r.ID)
		}
		ids[r.ID] = true
		if at, seen := last[r.On]; seen && at != i-1 {
			t.Errorf("%s: the rows of %q do not stand together", r.ID, r.On)
		}
		last[r.On] = i
		if closed[r.On] {
			t.Errorf("%s: never reached, an unconditional row of %q comes before", r.ID, r.On)
		}
		if r.If == nil {
			closed[r.On] = true
		}
		if r.Do == nil {
			t.Errorf("%s does nothing, not even keep", r.ID)
		}
	}
	for _, k := range kinds {
		if !closed[k] {
			t.Errorf("an event of kind %q can fall through the table", k)
		}
	}
	if len(last) != len(kinds) {
		t.Errorf("the table has %d kinds, this test knows %d", len(last), len(kinds))
	}
}

// scenes are the pane conditions of the matrix, each made by events.
var scenes = []struct {
	name   string
	events []Event
}{
	{"unseen", nil},
	{"starting", []Event{{Kind: Opened}}},
	{"working", []Event{{Kind: Opened}, {Kind: Prompted, Turn: "t1"}}},
	{"in tool", []Event{{Kind: Prompted, Turn: "t1"}, {Kind: ToolStarted, Turn: "t1", Call: "c1", Tool: "Bash"}}},
	{"blocked", []Event{
		{Kind: Prompted, Turn: "t1"},
		{Kind: ToolStarted, Turn: "t1", Call: "c1", Tool: "Bash"},
		{Kind: Asked, Turn: "t1", Tool: "Bash", Ask: AskPermission},
	}},
	{"background", []Event{
		{Kind: Prompted, Turn: "t1"},
		{Kind: TurnEnded, Turn: "t1", Listed: true, Running: []state.Child{{ID: "a1", Kind: "subagent"}}},
	}},
	{"compacting", []Event{{Kind: Prompted, Turn: "t1"}, {Kind: TurnEnded, Turn: "t1"}, {Kind: CompactionStarted, Trigger: Manual}}},
	{"done", []Event{{Kind: Prompted, Turn: "t1"}, {Kind: TurnEnded, Turn: "t1"}}},
	{"idle", []Event{{Kind: Prompted, Turn: "t1"}, {Kind: Interrupted, Turn: "t1"}}},
	{"failed", []Event{{Kind: Prompted, Turn: "t1"}, {Kind: TurnEnded, Turn: "t1", Outcome: Failed}}},
	{"stopped", []Event{{Kind: Prompted, Turn: "t1"}, {Kind: Closed}}},
}

// variants are the events of the matrix: every kind of the lead's in the turn
// that the scenes use, then what makes a difference to some rule.
func variants() (names []string, events []Event) {
	add := func(name string, ev Event) {
		names = append(names, name)
		ev.Session, ev.Agent, ev.Name = "s1", "agent", name
		events = append(events, ev)
	}
	for _, k := range kinds {
		ev := Event{Kind: k, Turn: "t1", Call: "c1", Tool: "Bash"}
		switch k {
		case Prompted, Woken, RunStarted, ModelAsked, Opened:
			ev.Turn = "t2"
		case Asked:
			ev.Ask = AskPermission
		case Answered:
			ev.Ask = AskDialog
		case Nudged:
			ev.Ask = AskNotice
		case ChildStarted, ChildEnded:
			ev.Child = "a1"
		case CompactionStarted:
			ev.Trigger = Manual
		}
		add(string(k), ev)
	}
	add("prompted, same turn", Event{Kind: Prompted, Turn: "t1"})
	add("tool-started, new turn", Event{Kind: ToolStarted, Turn: "t9", Call: "c9", Tool: "Bash"})
	add("tool-started, asks", Event{Kind: ToolStarted, Turn: "t1", Call: "c9", Tool: "Ask", Ask: AskQuestion})
	add("tool-ended, interrupted", Event{Kind: ToolEnded, Turn: "t1", Call: "c1", Outcome: Aborted})
	add("asked, dialog", Event{Kind: Asked, Ask: AskDialog})
	add("turn-ended, failed", Event{Kind: TurnEnded, Turn: "t1", Outcome: Failed})
	add("turn-ended, aborted", Event{Kind: TurnEnded, Turn: "t1", Outcome: Aborted})
	add("turn-ended, review", Event{Kind: TurnEnded, Turn: "t1", Outcome: Review})
	add("turn-ended, background", Event{Kind: TurnEnded, Turn: "t1", Listed: true, Running: []state.Child{{ID: "a2", Kind: "subagent"}}})
	add("run-ended, retrying", Event{Kind: RunEnded, Outcome: Retrying})
	add("compaction-started, auto", Event{Kind: CompactionStarted, Trigger: Auto})
	add("compaction-started, no word", Event{Kind: CompactionStarted})
	add("model-asked, compaction", Event{Kind: ModelAsked, Trigger: Compacting, Turn: "t1"})
	for _, k := range []Kind{Prompted, ModelAsked, ToolStarted, ToolEnded, ToolDenied, ToolsSettled, Asked, TurnEnded, Interrupted} {
		ev := Event{Kind: k, Child: "a1", Call: "k1", Tool: "Read"}
		if k == Asked {
			ev.Ask = AskPermission
		}
		add("child: "+string(k), ev)
	}
	for _, k := range []Kind{Opened, Prompted, ToolStarted, TurnEnded, Closed} {
		add("other session: "+string(k), Event{Kind: k, Turn: "u1", Call: "o1", Tool: "Bash"})
		events[len(events)-1].Session = "s2"
	}
	return names, events
}

// TestMatrix prints what every event makes of every pane, so that a change of
// one row shows its whole effect.
func TestMatrix(t *testing.T) {
	var b strings.Builder
	names, events := variants()
	for _, sc := range scenes {
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		start := state.PaneState{Role: "primary"}
		for _, ev := range sc.events {
			at = at.Add(time.Second)
			ev.Session, ev.Agent = "s1", "agent"
			start, _ = Next(start, ev, at)
		}
		fmt.Fprintf(&b, "%s (%s)\n", sc.name, start.State)
		for i, ev := range events {
			next, d := Next(start, ev, at.Add(time.Second))
			since := ""
			if next.State == Working {
				since = "  since new"
				if next.WorkingSince.Equal(start.WorkingSince) || next.WorkingSince.Equal(start.Memory.Turn.Start) {
					since = "  since kept"
				}
			}
			if !d.Changed {
				since += "  (no write)"
			}
			fmt.Fprintf(&b, "    %-28s %-26s %-8s%s\n", names[i], d.Rule, next.State, since)
		}
		b.WriteByte('\n')
	}
	golden(t, "matrix.golden", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run the tests with -update and read the diff", path)
	}
}
