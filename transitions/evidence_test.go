package transitions

import (
	"testing"
	"time"

	"panehook/state"
)

func TestCorrect(t *testing.T) {
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }
	pane := func(events ...Event) state.PaneState {
		p := state.PaneState{Role: "primary"}
		for i, ev := range events {
			ev.Session, ev.Agent = "s", "agent"
			p, _ = Next(p, ev, at(float64(i)-float64(len(events))+1)) // the last at 0
		}
		return p
	}
	prompted := Event{Kind: Prompted, Turn: "t", Activity: "You: go"}
	tool := Event{Kind: ToolStarted, Turn: "t", Call: "c", Key: "k", Tool: "Bash", Activity: "Bash: make"}
	ask := Event{Kind: Asked, Turn: "t", Tool: "Bash", Key: "k", Ask: AskPermission, Activity: "Permission: Bash: make"}
	elicit := Event{Kind: Asked, Ask: AskElicitation, Activity: "Question: name?"}
	end := Event{Kind: TurnEnded, Turn: "t", Activity: "All done."}
	failed := Event{Kind: TurnEnded, Turn: "t", Outcome: Failed, Activity: "Error: 500"}

	opened, working, inTool := pane(Event{Kind: Opened}), pane(prompted), pane(prompted, tool)
	blocked, eliciting := pane(prompted, tool, ask), pane(prompted, tool, elicit)
	done, broken, stopped := pane(prompted, end), pane(prompted, failed), pane(prompted, Event{Kind: Closed})
	tool2, ask2 := tool, ask
	tool2.Call, tool2.Key, tool2.Activity = "c2", "k2", "Bash: test"
	ask2.Key, ask2.Activity = "k2", "Permission: Bash: test"
	asking := pane(prompted, tool, tool2, ask, ask2)
	asking.Memory.Since = at(0)
	claim := func(name string, seconds float64) Evidence {
		return Evidence{Status: Sighting{State: name, At: at(seconds)}}
	}
	record := func(name, text string, seconds float64) Evidence {
		return Evidence{Ending: Sighting{State: name, Activity: text, At: at(seconds)}}
	}
	tests := []struct {
		name            string
		pane            state.PaneState
		ev              Evidence
		now             float64
		state, activity string
		rule            string
	}{
		{"nothing known", inTool, Evidence{}, 1, Working, "Bash: make", ""},
		{"three days of thinking", inTool, Evidence{}, 3 * 86400, Working, "Bash: make", ""},
		{"killed", inTool, Evidence{Gone: true}, 1, Stopped, "Bash: make", "observed-gone"},
		{"killed while it waited", blocked, Evidence{Gone: true}, 1, Stopped, "Permission: Bash: make", "observed-gone"},
		{"gone after its end", stopped, Evidence{Gone: true}, 1, Stopped, "You: go", ""},
		{"no pane", state.PaneState{}, Evidence{Gone: true, Status: Sighting{State: Blocked, At: at(1)}}, 1, "", "", ""},

		{"Esc", inTool, claim(Idle, 1), 2, Idle, "Interrupted", "observed-idle"},
		{"idle from before the prompt", working, claim(Idle, -1), 1, Working, "You: go", ""},
		{"refused", blocked, claim(Idle, 1), 2, Idle, "Interrupted", "observed-idle"},
		{"an error stays on the screen", broken, claim(Idle, 1), 2, Blocked, "Error: 500", ""},
		{"idle after the end is no news", done, claim(Idle, 1), 2, Done, "All done.", ""},
		{"shell", inTool, claim(Done, 1), 2, Idle, "Interrupted", "observed-shell"},
		{"a dialog of the agent's own", working, claim(Blocked, 1), 2, Blocked, "You: go", "observed-waiting"},
		{"waiting keeps the better text", blocked, claim(Blocked, 1), 2, Blocked, "Permission: Bash: make", ""},
		{"approved", blocked, claim(Working, 1), 2, Working, "Bash: make", "observed-approved"},
		{"busy within the lag", blocked, claim(Working, 0.1), 2, Blocked, "Permission: Bash: make", ""},
		{"busy while a server asks", eliciting, claim(Working, 1), 2, Blocked, "Question: name?", ""},
		{"at work without a word", done, claim(Working, 1), 2, Working, "All done.", "observed-busy"},
		{"busy does not mend an error", broken, claim(Working, 1), 2, Blocked, "Error: 500", ""},
		{"the command runs", blocked, Evidence{Spawned: []time.Time{at(-5), at(1)}}, 2, Working, "Bash: make", "observed-running"},
		{"one of two commands runs", asking, Evidence{Spawned: []time.Time{at(1)}}, 2, Blocked, "Permission: Bash: test", ""},
		{"both commands run", asking, Evidence{Spawned: []time.Time{at(1), at(1.5)}}, 2, Working, "Bash: test", "observed-running"},
		{"an older process", blocked, Evidence{Spawned: []time.Time{at(-5), at(0.1)}}, 2, Blocked, "Permission: Bash: make", ""},

		{"aborted in the rollout", inTool, record(Idle, "", 1), 2, Idle, "Interrupted", "observed-interrupt"},
		{"API error in the rollout", working, record(Blocked, "Error: 429", 1), 2, Blocked, "Error: 429", "observed-error"},
		{"review ended", working, record(Done, "No findings.", 1), 2, Done, "No findings.", "observed-end"},
		{"an old record", working, record(Idle, "", -1), 2, Working, "You: go", ""},
		{"the agent's own word comes first", working,
			Evidence{Status: Sighting{State: Idle, At: at(1)}, Ending: Sighting{State: Done, At: at(1)}}, 2, Idle, "Interrupted", "observed-idle"},

		{"just opened", opened, Evidence{}, 5, Starting, "started", ""},
		{"opened for a while", opened, Evidence{}, 11, Idle, "started", "grace-over"},
		{"done, not yet seen", done, Evidence{}, 10, Done, "All done.", ""},
		{"done for a while", done, Evidence{}, 11, Idle, "All done.", "grace-over"},
	}
	for _, tt := range tests {
		before := tt.pane
		got, rule := Correct(tt.pane, tt.ev, at(tt.now))
		if got.State != tt.state || got.Activity != tt.activity || rule != tt.rule {
			t.Errorf("%s: shows %s %q by %q, want %s %q by %q", tt.name, got.State, got.Activity, rule, tt.state, tt.activity, tt.rule)
		}
		if got.State != Working && (!got.WorkingSince.IsZero() || got.Tool != "" && got.State != Blocked) {
			t.Errorf("%s: tool %q and working since %v are left", tt.name, got.Tool, got.WorkingSince)
		}
		if got.State == Working && got.WorkingSince.IsZero() {
			t.Errorf("%s: working since nothing", tt.name)
		}
		if !samePane(&before, &tt.pane) {
			t.Errorf("%s: the stored pane was changed", tt.name)
		}
	}
}

func TestCorrectionsAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		seen[r.ID] = true
	}
	for _, c := range corrections {
		if seen[c.ID] {
			t.Errorf("id %q twice", c.ID)
		}
		seen[c.ID] = true
	}
}
