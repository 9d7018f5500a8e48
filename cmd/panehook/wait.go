package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"panehook/state"
	"panehook/transitions"
)

const waitUsage = `usage: panehook wait [--for STATE[,STATE]] [--any] [--timeout D] SESSION...

Waits until each session has been in one of the states, and prints the session
and the state when it is. SESSION is as for panehook log; a full id, qm- and
all, may be of a session that is not there yet. Exits with 0 when it is so, and
with 1 at the timeout.

  --for STATES  blocked, done, idle, stopped, starting, working or unknown; by
                default blocked,done,idle,stopped: the agent works no longer.
                done turns into idle after ten seconds, so wait for both
  --any         one session is enough
  --timeout D   such as 90s, 10m or 1d; without it there is no end to it
`

// waitCommand is one call of panehook wait.
type waitCommand struct {
	*process
	states  []string
	any     bool
	open    map[string]string // sessions still waited for, and their state
	reached bool              // by any
}

// runWait is `panehook wait SESSION...`.
func runWait(p *process, args []string) int {
	w := &waitCommand{process: p, open: map[string]string{}}
	fs := flag.NewFlagSet("wait", flag.ContinueOnError)
	states := fs.String("for", "blocked,done,idle,stopped", "")
	fs.BoolVar(&w.any, "any", false, "")
	timeout := lengthFlag(fs, "timeout", -1)
	words, err := p.parseFlags(fs, args, waitUsage)
	if err == nil && len(words) == 0 {
		err = errors.New("wait needs a session; see panehook wait --help")
	}
	if err == nil {
		w.states, err = parseStates(*states)
	}
	if err == nil {
		err = w.find(words)
	}
	if err != nil {
		return p.fail(err)
	}
	err = w.wait(*timeout)
	if err != nil {
		return p.fail(err)
	}
	return 0
}

// find makes out the sessions to wait for.
func (w *waitCommand) find(names []string) error {
	b, err := readBoard(w.now())
	if err != nil {
		return err
	}
	for _, name := range names {
		id, err := b.sessionNamed(name)
		if err != nil {
			if !state.IsValidSessionID(name) {
				return err
			}
			id = name
		}
		w.open[id] = unknown
	}
	return nil
}

// wait returns when the states are reached, or an error at the timeout. What
// there is at first is looked at even if there is no time at all.
func (w *waitCommand) wait(timeout time.Duration) error {
	stop := make(chan struct{})
	defer close(stop)
	changes, failed := make(chan []paneChange), make(chan error, 1)
	go watchLive(state.StateRoot(), w.now).run(stop, changes, failed)
	var late <-chan time.Time
	for {
		select {
		case list := <-changes:
			w.take(list)
		case err := <-failed:
			return err
		case <-late:
			return w.missed()
		}
		if len(w.open) == 0 || w.any && w.reached {
			return nil
		}
		if timeout >= 0 && late == nil {
			late = time.After(timeout)
		}
	}
}

// take strikes out the sessions that are in one of the states. One that is
// removed had stopped.
func (w *waitCommand) take(changes []paneChange) {
	for i := range changes {
		p := &changes[i].Pane
		if _, ok := w.open[p.Session]; !ok {
			continue
		}
		now := p.Shown.State
		if changes[i].What == paneRemoved {
			now = transitions.Stopped
		}
		w.open[p.Session] = now
		if slices.Contains(w.states, now) {
			delete(w.open, p.Session)
			w.reached = true
			fmt.Fprintln(w.stdout, p.Session, now)
		}
	}
}

func (w *waitCommand) missed() error {
	var parts []string
	for _, id := range sortedKeys(w.open) {
		parts = append(parts, id+" is "+w.open[id])
	}
	return fmt.Errorf("timed out: %s", strings.Join(parts, ", "))
}

func parseStates(list string) ([]string, error) {
	var states []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !isState(name) && name != unknown {
			return nil, fmt.Errorf("no state %q; they are %s", printable(name), strings.Join(allStates(), ", "))
		}
		states = append(states, name)
	}
	return states, nil
}
