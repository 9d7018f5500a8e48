package main

import (
	"time"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

// observer looks for evidence outside the hooks. It reads files and the
// process table, starts nothing and writes nothing, and keeps what it read of a
// transcript for as long as the file does not grow.
type observer struct {
	endings map[string]seenEnding
}

// seenEnding is what a transcript's tail said when the file looked like this.
type seenEnding struct {
	size    int64
	written time.Time
	ending  transitions.Sighting
}

func newObserver() *observer { return &observer{endings: map[string]seenEnding{}} }

// observe is the pane as a reader shows it at the given time, and the rule by
// which it differs from the stored one, "" where it does not.
func (o *observer) observe(p state.PaneState, at time.Time) (shown state.PaneState, rule string) {
	return transitions.Correct(p, o.evidence(&p), at)
}

// maxStatus bounds a status file; they are under a kilobyte.
const maxStatus = 64 << 10

// evidence collects what can be known of a pane. What can't be read is no
// opinion.
func (o *observer) evidence(p *state.PaneState) transitions.Evidence {
	var ev transitions.Evidence
	owner := p.Memory.Owner
	if owner.PID != 0 {
		ev.Gone = !alive(owner.PID, owner.Started)
	}
	a := agentNamed(p.Agent)
	if a == nil || ev.Gone {
		return ev
	}
	if a.StatusFile != nil {
		if path := a.StatusFile(owner); path != "" {
			if data, err := readSmall(path, maxStatus); err == nil {
				ev.Status = a.Status(data, owner)
			}
		}
	}
	open := p.State == transitions.Working || p.State == transitions.Blocked
	if open && a.Ending != nil && owner.Transcript != "" {
		ev.Ending = o.ending(a, owner.Transcript)
	}
	if p.State == transitions.Blocked && ev.Status.State == "" && owner.PID != 0 && !isShared(a, owner.PID) {
		ev.Spawned = childStarts(owner.PID)
	}
	return ev
}

// isShared tells whether a process serves several sessions, so that what it
// starts can be any one's.
func isShared(a *agent, pid int) bool {
	return a.Borrowed != nil && a.Borrowed(adapters.Surroundings{
		Env:    func(string) string { return "" },
		Parent: func() []string { return commandLine(pid) },
	})
}

// ending reads the tail of a transcript, unless it is as it was.
func (o *observer) ending(a *agent, path string) transitions.Sighting {
	f, info, err := openRegular(path)
	if err != nil {
		delete(o.endings, path)
		return transitions.Sighting{}
	}
	defer f.Close()
	if seen, ok := o.endings[path]; ok && seen.size == info.Size() && seen.written.Equal(info.ModTime()) {
		return seen.ending
	}
	tail, err := readTail(f, info.Size())
	if err != nil {
		return transitions.Sighting{}
	}
	seen := seenEnding{size: info.Size(), written: info.ModTime(), ending: a.Ending(tail)}
	o.endings[path] = seen
	return seen.ending
}
