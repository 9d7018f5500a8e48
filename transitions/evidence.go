package transitions

import (
	"slices"
	"time"

	"panehook/state"
)

// Evidence is what a reader finds outside the hooks, which say nothing when a
// person presses Esc, answers a dialog, or kills the agent. A zero member is no
// opinion.
type Evidence struct {
	// Gone: the process that owns the pane does not run any more.
	Gone bool
	// Status is what the agent itself says it is doing, and since when.
	Status Sighting
	// Ending is how the session's transcript ends, if that decides anything.
	Ending Sighting
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
	// statusLag is how far an agent's own word runs behind its hooks: 16 to
	// 105 ms were measured after a dialog opened.
	statusLag = 150 * time.Millisecond
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
	{"observed-idle", saysIdle, showInterrupted},
	{"observed-shell", saysShell, showInterrupted},
	{"observed-waiting", saysWaiting, showWaiting},
	{"observed-approved", saysApproved, showApproved},
	{"observed-busy", saysBusy, showBusy},
	{"observed-running", spawnedSince, showApproved},
	{"observed-interrupt", endedInterrupted, showInterrupted},
	{"observed-error", endedByError, showEnding},
	{"observed-end", endedUnseen, showEnding},
	{"grace-over", graceOver, showGraceOver},
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

func (v *view) says(name string) bool {
	return v.ev.Status.State == name && v.ev.Status.At.After(v.pane.LastEvent)
}

func saysIdle(v *view) bool { return v.inTurn() && v.says(Idle) }

// saysShell: at the prompt while a command runs in the background. A turn
// that ended by itself has had its hook; one that is still open was broken off,
// and its command is dying (seen for 150 ms after Esc in Claude Code 2.1.197).
func saysShell(v *view) bool { return v.inTurn() && v.says(Done) }

func saysWaiting(v *view) bool {
	switch v.pane.State {
	case Starting, Working, Done, Idle:
		return v.says(Blocked)
	}
	return false
}

// saysApproved: the agent is busy again after a question was asked. It says
// busy while a tool server asks, so there the ledger is believed.
func saysApproved(v *view) bool {
	if v.pane.State != Blocked || len(v.pane.Memory.Prompts) == 0 || v.ev.Status.State != Working {
		return false
	}
	for _, p := range v.pane.Memory.Prompts {
		if p.Kind == AskElicitation {
			return false
		}
	}
	return v.ev.Status.At.After(v.pane.Memory.Since.Add(statusLag))
}

// saysBusy: at work without a word, as when the person runs a command of
// their own at the prompt.
func saysBusy(v *view) bool {
	switch v.pane.State {
	case Starting, Idle, Done:
		return v.says(Working)
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
	return v.spawned() >= len(v.pane.Memory.Prompts) && !v.runsBeside()
}

// runsBeside: a call that nobody was asked about has begun after one that was.
// Then a process can be that of either.
func (v *view) runsBeside() bool {
	asked := false
	for _, c := range v.pane.Memory.Calls {
		if slices.ContainsFunc(v.pane.Memory.Prompts, func(p state.Prompt) bool { return p.ID == c.ID }) {
			asked = true
		} else if asked {
			return true
		}
	}
	return false
}

// spawned counts the processes that the agent has started since it blocked.
func (v *view) spawned() int {
	n := 0
	for _, at := range v.ev.Spawned {
		if at.After(v.pane.Memory.Since.Add(statusLag)) {
			n++
		}
	}
	return n
}

// ended: the transcript ends in a way that the hooks did not tell.
func (v *view) ended(name string) bool {
	return v.inTurn() && v.ev.Ending.State == name && v.ev.Ending.At.After(v.pane.LastEvent)
}

func endedInterrupted(v *view) bool { return v.ended(Idle) }

// The end of a turn is the lead's. It says nothing of subagents that go on, nor
// of what they ask.
func endedByError(v *view) bool { return v.pane.Memory.Turn.Open && v.ended(Blocked) }
func endedUnseen(v *view) bool  { return v.pane.Memory.Turn.Open && v.ended(Done) }

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

func showGone(v *view)        { v.show(Stopped, "", v.now) }
func showInterrupted(v *view) { v.show(Idle, "Interrupted", v.seenAt()) }
func showWaiting(v *view)     { v.show(Blocked, v.ev.Status.Activity, v.seenAt()) }
func showEnding(v *view)      { v.show(v.ev.Ending.State, v.ev.Ending.Activity, v.seenAt()) }
func showGraceOver(v *view)   { v.show(Idle, "", v.since().Add(grace)) }

// seenAt is when somebody else than a hook last knew of something new.
func (v *view) seenAt() time.Time {
	for _, s := range []Sighting{v.ev.Status, v.ev.Ending} {
		if s.At.After(v.pane.LastEvent) {
			return s.At
		}
	}
	return v.now
}

// show makes the pane one whose turn is over, or waits. Without an activity
// the stored one stays.
func (v *view) show(name, activity string, since time.Time) {
	p := v.pane
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
	p.Memory.Since = v.ev.Status.At
	for _, at := range v.ev.Spawned {
		if at.After(p.Memory.Since) {
			p.Memory.Since = at
		}
	}
}

func showBusy(v *view) {
	v.pane.State = Working
	v.pane.WorkingSince = v.ev.Status.At
	v.pane.Memory.Since = v.ev.Status.At
}
