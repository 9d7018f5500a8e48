package state_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"panehook/state"
)

// exampleRoot sets up a state root that goes away with the example.
func exampleRoot() (remove func()) {
	root, err := os.MkdirTemp("", "state")
	if err != nil {
		panic(err)
	}
	os.Setenv(state.StateRootEnv, root)
	return func() { os.RemoveAll(root) }
}

// A hook records one event. What the event means is decided by the function
// that it hands in; this one knows two.
func ExampleRecord() {
	defer exampleRoot()()
	apply := func(ss *state.SessionState, ev *state.StateEvent) bool {
		pane := ss.Panes[ev.Role]
		before := pane.State
		pane.Role, pane.Agent = ev.Role, ev.Agent
		switch ev.Action {
		case "UserPromptSubmit":
			pane.State = "working"
		case "Stop":
			pane.State = "done"
		}
		if pane.State == before {
			return false // the log gets its line, state.json is left alone
		}
		pane.Seq = max(pane.Seq+1, ev.Ts.UnixNano())
		ss.Panes[ev.Role] = pane
		ev.State = pane.State
		return true
	}
	for _, action := range []string{"UserPromptSubmit", "Notification", "Stop"} {
		ev := state.StateEvent{Agent: "claude", Role: "primary", Action: action}
		if err := state.Record("qm-17", ev, time.Second, apply); err != nil {
			fmt.Println(err)
		}
	}
	ss, err := state.LoadSessionState("qm-17")
	fmt.Println(ss.Panes["primary"].State, err)
	// Output: done <nil>
}

// A tracker that has shown a finished pane to a person makes it idle, unless a
// hook was faster.
func ExampleUpdateSessionState() {
	defer exampleRoot()()
	state.SaveSessionState("qm-17", &state.SessionState{
		Panes: map[string]state.PaneState{"primary": {Role: "primary", State: "done"}},
	})
	err := state.UpdateSessionState("qm-17", func(ss *state.SessionState) bool {
		pane := ss.Panes["primary"]
		if pane.State != "done" {
			return false
		}
		pane.State = "idle"
		ss.Panes["primary"] = pane
		return true
	})
	if errors.Is(err, state.ErrBusy) {
		fmt.Println("try again later")
	}
	ss, err := state.LoadSessionState("qm-17")
	fmt.Println(ss.Panes["primary"].State, err)
	// Output: idle <nil>
}

func ExampleStore() {
	defer exampleRoot()()
	store, err := state.NewStore(state.StateRoot())
	if err != nil {
		fmt.Println(err)
		return
	}
	m := state.Manifest{SessionID: state.NewSessionID(17), Title: "fix the build"}
	m.SetExtra("initial_prompt", "make it green")
	fmt.Println(store.Create(m))
	fmt.Println(errors.Is(store.Create(m), state.ErrManifestExists))
	all, err := store.DiscoverSessions()
	fmt.Println(len(all), all[0].Title, all[0].ExtraString("initial_prompt"), err)
	// Output:
	// <nil>
	// true
	// 1 fix the build make it green <nil>
}

// Keys that nobody told this package about survive.
func ExamplePaneState() {
	var pane state.PaneState
	err := json.Unmarshal([]byte(`{"role":"primary","state":"done","mood":"good"}`), &pane)
	fmt.Println(pane.State, string(pane.Extra["mood"]), err)
	// Output: done "good" <nil>
}

func ExampleEffectiveColor() {
	monday, tuesday := time.Unix(0, 0), time.Unix(86400, 0)
	fmt.Println(state.EffectiveColor("red", monday, "green", tuesday))
	fmt.Println(state.EffectiveColor("red", tuesday, "green", monday))
	// Output:
	// green
	// red
}

func ExampleIsValidSessionID() {
	fmt.Println(state.IsValidSessionID("qm-17-3"), state.IsValidSessionID("qm-../x"))
	// Output: true false
}
