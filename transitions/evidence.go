package transitions

import (
	"time"

	"panehook/state"
)

// Evidence is what a reader finds outside the hooks, which say nothing when a
// person presses Esc, answers a dialog, or kills the agent. A zero member is no
// opinion.
type Evidence struct {
	// Gone: the process that owns the pane does not run any more.
	Gone bool
	// Claim is what the agent itself says it is doing, and since when.
	Claim Sighting
	// Record is how the session's transcript ends, if that decides anything.
	Record Sighting
	// Spawned is when the agent started the processes that it runs.
	Spawned []time.Time
}

// Sighting is a state that somebody else than a hook knows of.
type Sighting struct {
	State    string
	Activity string
	At       time.Time
}

const (
	// claimLag is how far an agent's own word runs behind its hooks: 16 to
	// 105 ms were measured after a dialog opened.
	claimLag = 150 * time.Millisecond
	// grace is how long starting and done are shown as such.
	grace = 10 * time.Second
)

// correction is one row of the readers' table, as rule is of the hooks'.
type correction struct {
	ID string
	If func(*view) bool
	Do func(*view)
}

// view is a stored pane and what speaks against it.
type view struct {
	pane *state.PaneState
	ev   *Evidence
	now  time.Time
}

// corrections are tried in order; the first that holds is the only one. A long
// silence alone corrects nothing: models think for minutes. Its rows name plain
// functions, so that the table is data and no hook has to build it.
var corrections = []correction{
	{"observed-gone", gone, showGone},
	{"observed-idle", claimedIdle, showInterrupted},
	{"observed-shell", claimedShell, showInterrupted},
	{"observed-waiting", claimedWaiting, showWaiting},
	{"observed-approved", claimedApproved, showApproved},
	{"observed-busy", claimedBusy, showBusy},
	{"observed-running", spawnedSince, showApproved},
	{"observed-interrupt", recordedIdle, showInterrupted},
	{"observed-error", recordedError, showRecorded},
	{"observed-end", recordedEnd, showRecorded},
	{"grace-over", graceOver, showOverlooked},
}

// Correct is the pane as a reader shows it, and the id of the correction that
// made it so, "" where the stored pane stands. What is stored stays as it is.
func Correct(pane state.PaneState, ev Evidence, now time.Time) (state.PaneState, string) {
	v := &view{pane: &pane, ev: &ev, now: now}
	for i := range corrections {
		if corrections[i].If(v) {
			corrections[i].Do(v)
			return pane, corrections[i].ID
		}
	}
	return pane, ""
}

func gone(v *view) bool { return v.ev.Gone && v.pane.State != Stopped && v.pane.State != "" }

// inTurn: the stored pane says that a turn is open, working or waiting for an
// answer. A turn that an error ended is not.
func (v *view) inTurn() bool {
	return v.pane.State == Working || v.pane.State == Blocked && len(v.pane.Memory.Prompts) > 0
}

func (v *view) claims(name string) bool {
	return v.ev.Claim.State == name && v.ev.Claim.At.After(v.pane.LastEvent)
}

func claimedIdle(v *view) bool { return v.inTurn() && v.claims(Idle) }

// claimedShell: at the prompt while a command runs in the background. A turn
// that ended by itself has had its hook; one that is still open was broken off,
// and its command is dying (seen for 150 ms after Esc in Claude Code 2.1.197).
func claimedShell(v *view) bool { return v.inTurn() && v.claims(Done) }

func claimedWaiting(v *view) bool {
	switch v.pane.State {
	case Starting, Working, Done, Idle:
		return v.claims(Blocked)
	}
	return false
}

// claimedApproved: the agent is busy again after a question was asked. It says
// busy while a tool server asks, so there the ledger is believed.
func claimedApproved(v *view) bool {
	if v.pane.State != Blocked || len(v.pane.Memory.Prompts) == 0 || v.ev.Claim.State != Working {
		return false
	}
	for _, p := range v.pane.Memory.Prompts {
		if p.Kind == AskElicitation {
			return false
		}
	}
	return v.ev.Claim.At.After(v.pane.Memory.Since.Add(claimLag))
}

// claimedBusy: at work without a word, as when the person runs a command of
// their own at the prompt.
func claimedBusy(v *view) bool {
	switch v.pane.State {
	case Starting, Idle, Done:
		return v.claims(Working)
	}
	return false
}

// spawnedSince: what the person was asked about is running, a process for each
// question that stands in the ledger.
func spawnedSince(v *view) bool {
	if v.pane.State != Blocked || len(v.pane.Memory.Prompts) == 0 {
		return false
	}
	for _, p := range v.pane.Memory.Prompts {
		if p.Kind != AskPermission {
			return false
		}
	}
	return v.spawned() >= len(v.pane.Memory.Prompts)
}

// spawned counts the processes that the agent has started since it blocked.
func (v *view) spawned() int {
	n := 0
	for _, at := range v.ev.Spawned {
		if at.After(v.pane.Memory.Since.Add(claimLag)) {
			n++
		}
	}
	return n
}

// recorded: the transcript ends in a way that the hooks did not tell.
func (v *view) recorded(name string) bool {
	return v.inTurn() && v.ev.Record.State == name && v.ev.Record.At.After(v.pane.LastEvent)
}

func recordedIdle(v *view) bool  { return v.recorded(Idle) }
func recordedError(v *view) bool { return v.recorded(Blocked) }
func recordedEnd(v *view) bool   { return v.recorded(Done) }

func graceOver(v *view) bool {
	switch v.pane.State {
	case Starting, Done:
		return v.now.Sub(v.since()) > grace
	}
	return false
}

// since is when the stored state began, as far as is known.
func (v *view) since() time.Time {
	if v.pane.Memory.Since.IsZero() {
		return v.pane.LastEvent
	}
	return v.pane.Memory.Since
}

func showGone(v *view)        { v.show(Stopped, "") }
func showInterrupted(v *view) { v.show(Idle, "Interrupted") }
func showWaiting(v *view)     { v.show(Blocked, v.ev.Claim.Activity) }
func showRecorded(v *view)    { v.show(v.ev.Record.State, v.ev.Record.Activity) }
func showOverlooked(v *view)  { v.show(Idle, "") }

// show makes the pane one whose turn is over, or waits.
func (v *view) show(name, activity string) {
	p := v.pane
	since := v.now
	switch {
	case v.ev.Claim.At.After(p.LastEvent) && name != Stopped:
		since = v.ev.Claim.At
	case v.ev.Record.At.After(p.LastEvent) && name != Stopped:
		since = v.ev.Record.At
	}
	if name == Idle && activity == "" {
		since = v.since().Add(grace)
	}
	p.State = name
	p.Tool = ""
	p.WorkingSince = time.Time{}
	p.Memory.Since = since
	if activity != "" {
		p.Activity = activity
	}
}

// showApproved makes a pane that waited one that works on, since its turn
// began.
func showApproved(v *view) {
	p := v.pane
	p.State = Working
	p.Activity = p.Memory.Text
	p.Tool = callInUse(&p.Memory).Tool
	p.WorkingSince = p.Memory.Turn.Start
	p.Memory.Since = v.ev.Claim.At
	for _, at := range v.ev.Spawned {
		if at.After(p.Memory.Since) {
			p.Memory.Since = at
		}
	}
}

func showBusy(v *view) {
	v.pane.State = Working
	v.pane.WorkingSince = v.ev.Claim.At
	v.pane.Memory.Since = v.ev.Claim.At
}
