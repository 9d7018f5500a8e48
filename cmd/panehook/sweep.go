package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"panehook/state"
	"panehook/transitions"
)

const sweepUsage = `usage: panehook sweep [--prune AGE] [--dry-run]

Writes into the state files what the other commands only show: that a pane is
idle because nobody came back to it, or stopped because its agent's process is
gone. Applies events that wait because a session was locked when they came; a file
that is of no use to that, damaged or of another version, is set aside.
Prints a line for each thing that it does. A cron job or a tracker may run it;
nothing depends on it.

  --prune AGE  also removes the state of sessions that have been stopped for
               that long, such as 36h or 7d. Manifests stay, and so does a
               session in whose folder there is anything else
  --dry-run    only says what there is to do
`

// sweepCommand is one call of panehook sweep.
type sweepCommand struct {
	*process
	board  *board
	dryRun bool
	prune  time.Duration // negative for never
	status int
}

// lockPatience is how long sweep waits for a session that is locked. It comes
// again.
const lockPatience = time.Second

// observed is the action of the log lines of sweep.
const observed = "observed"

// runSweep is `panehook sweep`.
func runSweep(p *process, args []string) int {
	c := &sweepCommand{process: p}
	fs := flag.NewFlagSet("sweep", flag.ContinueOnError)
	fs.BoolVar(&c.dryRun, "dry-run", false, "")
	prune := lengthFlag(fs, "prune", -1)
	err := p.parseOnlyFlags(fs, args, sweepUsage)
	c.prune = *prune
	if err == nil {
		c.board, err = readBoard(p.now())
	}
	if err != nil {
		return p.fail(err)
	}
	for _, id := range sortedKeys(c.board.sessions) {
		if c.board.sessions[id].file == nil {
			continue // only a manifest
		}
		c.check(c.applyWaiting(id))
		c.check(c.correct(id))
		c.check(c.remove(id))
	}
	return c.status
}

// check reports an error and goes on: the other sessions matter too.
func (c *sweepCommand) check(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.status = c.fail(err)
	}
}

func (c *sweepCommand) say(id, format string, args ...any) {
	fmt.Fprintf(c.stdout, "%s  %s\n", id, fmt.Sprintf(format, args...))
}

// applyWaiting applies events that came while the session was locked, and says
// which files were of no use in that.
func (c *sweepCommand) applyWaiting(id string) error {
	n, err := state.WaitingEvents(id)
	if err != nil || n == 0 {
		return err
	}
	stateName := filepath.Base(state.SessionStatePath(c.board.root, id))
	if c.dryRun {
		if c.board.hasUnusableState(id) {
			c.say(id, "set %s aside", stateName)
		}
		c.say(id, "apply %s", eventsText(n))
		return nil
	}
	dir := state.SessionStateDir(c.board.root, id)
	before, applied := asideFiles(dir), 0
	err = state.RecordWaiting(id, lockPatience, func(ss *state.SessionState, ev *state.StateEvent) bool {
		applied++
		return applyLine(ss, ev)
	})
	for _, name := range asideFiles(dir) {
		if !slices.Contains(before, name) {
			was := state.SetAsideFrom(name)
			if was != stateName {
				was = "an event that waited"
			}
			c.say(id, "%s set aside as %s", was, name)
		}
	}
	if err != nil {
		return err
	}
	c.board.read(id)
	c.board.observe(id, c.now())
	if applied > 0 {
		c.say(id, "applied %s", eventsText(applied))
	}
	return nil
}

// hasUnusableState tells whether the next writer sets the state of a session
// aside.
func (b *board) hasUnusableState(id string) bool {
	ss, err := state.LoadSessionStateAt(b.root, id)
	return errors.Is(err, state.ErrDamaged) || err == nil && ss != nil && ss.Version != state.SchemaVersion
}

// asideFiles are the files in a session's folder that were set aside.
func asideFiles(dir string) []string {
	var names []string
	entries, _ := os.ReadDir(dir) // without them nothing is said
	for _, entry := range entries {
		if state.SetAsideFrom(entry.Name()) != "" {
			names = append(names, entry.Name())
		}
	}
	return names
}

// correction is a state that was shown and that sweep has written.
type correction struct {
	before, after state.PaneState
	rule          string
}

// correct writes what is shown of a session if it is one of the two corrections
// that stay true until the next hook. What was seen before taking the lock is
// looked at again under it, and counts for nothing if a hook was faster.
func (c *sweepCommand) correct(id string) error {
	if !slices.ContainsFunc(c.board.sessions[id].panes, func(p shownPane) bool { return isLasting(&p) }) {
		return nil
	}
	var done []correction
	mutate := func(ss *state.SessionState) bool {
		done = nil
		for _, name := range sortedKeys(ss.Panes) {
			before := ss.Panes[name]
			shown, rule := c.board.observer.observe(before, c.now())
			if !isLasting(&shownPane{Stored: before, Shown: shown, Rule: rule}) {
				continue
			}
			after := settled(before, shown)
			ss.Panes[name] = after
			done = append(done, correction{before, after, rule})
		}
		return len(done) > 0 && !c.dryRun
	}
	if c.dryRun {
		ss, err := state.LoadSessionStateAt(c.board.root, id)
		if ss == nil || err != nil {
			return err
		}
		mutate(ss)
	} else if err := state.UpdateSessionState(id, mutate); err != nil {
		return err
	}
	for _, d := range done {
		c.say(id, "%s > %s (%s)", d.before.State, d.after.State, d.rule)
		if c.dryRun {
			continue
		}
		if err := state.AppendStateEvent(id, d.line(c.now())); err != nil {
			return err
		}
	}
	return nil
}

// isLasting tells whether a correction is one to write: the grace that is over,
// and the process that is gone. The others hold only as long as their evidence.
func isLasting(p *shownPane) bool {
	if p.Rule == "" || !isState(p.Stored.State) {
		return false
	}
	switch p.Stored.State {
	case transitions.Done, transitions.Starting:
		if p.Shown.State == transitions.Idle {
			return true
		}
	}
	return p.Shown.State == transitions.Stopped && p.Stored.State != transitions.Stopped
}

// settled is the pane to store. Its memory stays: the next event brings it in
// line with the state. LastEvent stays too, since the agent has said nothing,
// and Seq grows as little as it can, so that a hook that was killed between log
// and state is still found out to be ahead.
func settled(before, shown state.PaneState) state.PaneState {
	after := before
	after.State = shown.State
	after.Tool = ""
	after.WorkingSince = time.Time{}
	after.Seq = before.Seq + 1
	after.Memory.Since = shown.Memory.Since
	return after
}

// line is the line in the log for a correction.
func (d correction) line(now time.Time) state.StateEvent {
	return state.StateEvent{
		Ts: now.UTC(), Agent: d.after.Agent, Role: d.after.Role, Action: observed, Kind: observed,
		State: d.after.State, Activity: d.after.Activity,
		Fields: map[string]any{"rule": d.rule, "from": d.before.State},
	}
}

// remove removes a session that has been stopped for long enough.
func (c *sweepCommand) remove(id string) error {
	if c.prune < 0 {
		return nil
	}
	if c.dryRun {
		ss, err := state.LoadSessionStateAt(c.board.root, id)
		if err == nil && ss != nil && c.isOver(ss) {
			c.say(id, "remove")
		}
		return err
	}
	s := c.board.sessions[id]
	if slices.ContainsFunc(s.panes, func(p shownPane) bool { return p.Stored.State != transitions.Stopped }) {
		return nil
	}
	removed, err := state.RemoveSession(id, c.isOver)
	if removed {
		c.say(id, "removed")
	}
	return err
}

// isOver tells whether all of a session has been stopped for long enough.
func (c *sweepCommand) isOver(ss *state.SessionState) bool {
	for _, p := range ss.Panes {
		since := p.Memory.Since
		if p.LastEvent.After(since) {
			since = p.LastEvent
		}
		if p.State != transitions.Stopped || since.IsZero() || c.now().Sub(since) < c.prune {
			return false
		}
	}
	return len(ss.Panes) > 0
}
