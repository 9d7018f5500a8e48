package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"panehook/state"
)

// live is a board that keeps itself up to date. Hooks' writes are noticed by
// file notification; what no notice can tell, such as evidence outside the
// hooks and a root that is not there, is looked at on a tick.
type live struct {
	board   *board
	now     func() time.Time
	every   time.Duration          // from tick to tick
	folders *folderWatch           // the root and those of the sessions
	root    os.FileInfo            // the root as it was last seen, nil if not there
	sent    map[string][]shownPane // by session

	due      map[string]bool // sessions to read again
	dueAll   bool            // the folder of the root too
	nextSeen string          // where the round of evidence goes on
}

// paneChange is what happened to one pane as it is shown.
type paneChange struct {
	What string // listed, added, changed or removed
	From string // the state that was shown before
	Pane shownPane
	At   time.Time
}

// What happens to a pane.
const (
	paneListed  = "listed" // it was there when the watch began
	paneAdded   = "added"
	paneChanged = "changed"
	paneRemoved = "removed"
)

const (
	// settle is how long notices are collected before the files are read: one
	// hook makes several.
	settle = 10 * time.Millisecond
	// evidenceTick is how often evidence is looked at.
	evidenceTick = 2 * time.Second
	// evidenceTime bounds the work for it in one tick; then the next tick goes
	// on with the sessions that were left. It is half a percent of a core.
	evidenceTime = 10 * time.Millisecond
	// rescanTicks is after how many ticks everything is compared with the
	// files, whatever was noticed.
	rescanTicks = 15
	// absentTick is how often a root is looked for that is not there.
	absentTick = 100 * time.Millisecond
)

// watchLive begins to watch a root. The panes come first, as listed.
func watchLive(root string, now func() time.Time) *live {
	return &live{
		board:   newBoard(filepath.Clean(root)),
		now:     now,
		every:   evidenceTick,
		folders: newFolderWatch(),
		sent:    map[string][]shownPane{},
		due:     map[string]bool{},
		dueAll:  true,
	}
}

// run sends the changes until stop is closed. The first send is what there is,
// even if it is nothing. It sends an error where it can't go on.
func (l *live) run(stop <-chan struct{}, out chan<- []paneChange, failed chan<- error) {
	defer func() {
		if r := recover(); r != nil {
			failed <- fmt.Errorf("internal error: %v", r)
		}
	}()
	defer l.folders.close()
	first := l.refresh(paneListed)
	select {
	case out <- first:
	case <-stop:
		return
	}
	tick := time.NewTimer(l.pause())
	settled := time.NewTimer(0)
	<-settled.C
	waiting := false
	for ticks := 1; ; {
		select {
		case <-stop:
			return
		case ev := <-l.folders.events():
			l.notice(ev)
		case err := <-l.folders.errors():
			// An overflow lost notices; whatever else it is, looking helps.
			l.dueAll = l.dueAll || err != nil
		case <-settled.C:
			waiting = false
			if changes := l.refresh(paneAdded); len(changes) > 0 {
				select {
				case out <- changes:
				case <-stop:
					return
				}
			}
		case <-tick.C:
			l.tick(ticks%rescanTicks == 0)
			ticks++
			tick.Reset(l.pause())
		}
		if (l.dueAll || len(l.due) > 0) && !waiting {
			settled.Reset(settle)
			waiting = true
		}
	}
}

func (l *live) pause() time.Duration {
	if l.root == nil {
		return min(absentTick, l.every)
	}
	return l.every
}

// notice finds out what a notice is about. Most are about files that no reader
// shows, such as locks and logs.
func (l *live) notice(ev fsnotify.Event) {
	if ev.Op == fsnotify.Chmod {
		return
	}
	dir, name := filepath.Split(ev.Name)
	dir = filepath.Clean(dir)
	if ev.Has(fsnotify.Create | fsnotify.Remove | fsnotify.Rename) {
		// Whatever folder is there now is another one, even if it has got the
		// number of the one before, and gives no notices yet.
		l.folders.forget(ev.Name)
	}
	switch {
	case ev.Name == l.board.root:
		l.dueAll = true
	case dir != l.board.root:
		if id := filepath.Base(dir); state.IsValidSessionID(id) && ev.Name == state.SessionStatePath(l.board.root, id) {
			l.due[id] = true
		}
	case name == state.RepoColorsFile:
		l.board.readColors()
		for id := range l.board.sessions {
			l.due[id] = true
		}
	case state.IsValidSessionID(name):
		l.due[name] = true
	case state.ManifestSessionID(name) != "":
		l.due[state.ManifestSessionID(name)] = true
	}
}

// tick looks at what gives no notice: another root in the place of the one that
// was there, folders that could not be watched, and evidence.
func (l *live) tick(rescan bool) {
	root, err := os.Stat(l.board.root)
	if err != nil {
		root = nil
	}
	if rescan || !sameFolder(root, l.root) || root != nil && !l.folders.watches(l.board.root) {
		l.dueAll = true
	}
	for id, s := range l.board.sessions {
		if !l.folders.watches(state.SessionStateDir(l.board.root, id)) && s.outdated(l.board.root) {
			l.due[id] = true
		}
	}
	l.observeSome()
}

func sameFolder(a, b os.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b)
}

// outdated tells whether a session's state is not the file that was read.
func (s *boardSession) outdated(root string) bool {
	info, err := os.Lstat(state.SessionStatePath(root, s.id))
	if err != nil || s.file == nil {
		return (err == nil) != (s.file != nil)
	}
	return !os.SameFile(info, s.file) || info.Size() != s.file.Size() || !info.ModTime().Equal(s.file.ModTime())
}

// observeSome looks for evidence about as many sessions as there is time for,
// and marks those of which something else is to be shown now.
func (l *live) observeSome() {
	ids := sortedKeys(l.board.sessions)
	start, _ := slices.BinarySearch(ids, l.nextSeen)
	began := time.Now()
	for i := range ids {
		id := ids[(start+i)%len(ids)]
		if time.Since(began) > evidenceTime {
			l.nextSeen = id
			return
		}
		if l.observe(id) {
			l.due[id] = true
		}
	}
}

// observe tells whether evidence changes what is shown of a session.
func (l *live) observe(id string) bool {
	s := l.board.sessions[id]
	before := slices.Clone(s.panes)
	l.board.observe(id, l.now())
	for i := range s.panes {
		a, b := &s.panes[i], &before[i]
		if a.Rule != b.Rule || a.Shown.State != b.Shown.State || a.Shown.Activity != b.Shown.Activity {
			return true
		}
	}
	return false
}

// looksLike tells whether two panes are the same to whoever looks at them.
// Since when an agent is idle or gone can be a matter of when it was looked at.
func (p *shownPane) looksLike(q *shownPane) bool {
	a, b := *p, *q
	a.life, b.life = life{}, life{}
	if a.Rule != "" && a.Rule == b.Rule && a.Shown.State == b.Shown.State {
		a.Shown.Memory.Since = b.Shown.Memory.Since
	}
	return reflect.DeepEqual(&a, &b)
}

// refresh reads what is due and returns what is shown differently from then on;
// a pane not sent before is of the given kind.
func (l *live) refresh(kind string) []paneChange {
	if l.dueAll {
		l.rescan()
	}
	now := l.now()
	var changes []paneChange
	for _, id := range sortedKeys(l.due) {
		l.watchSession(id)
		there := l.board.read(id)
		if there {
			l.board.observe(id, now)
		}
		changes = append(changes, l.changesOf(id, kind, now)...)
	}
	clear(l.due)
	return changes
}

// changesOf compares a session with what was sent of it.
func (l *live) changesOf(id, kind string, now time.Time) []paneChange {
	var panes []shownPane
	if s := l.board.sessions[id]; s != nil {
		panes = s.panes
	}
	before := l.sent[id]
	var changes []paneChange
	for i := range panes {
		p := &panes[i]
		j := withRole(before, p.Role)
		switch {
		case j < 0:
			changes = append(changes, paneChange{What: kind, Pane: *p, At: now})
		case !p.looksLike(&before[j]):
			changes = append(changes, paneChange{What: paneChanged, From: before[j].Shown.State, Pane: *p, At: now})
		}
	}
	for i := range before {
		if withRole(panes, before[i].Role) < 0 {
			changes = append(changes, paneChange{What: paneRemoved, From: before[i].Shown.State, Pane: before[i], At: now})
		}
	}
	if panes == nil {
		delete(l.sent, id)
	} else {
		l.sent[id] = slices.Clone(panes)
	}
	return changes
}

func withRole(panes []shownPane, role string) int {
	return slices.IndexFunc(panes, func(p shownPane) bool { return p.Role == role })
}

// rescan compares the root with what is known. Every session that is new, gone
// or not as it was read is due, and so is one whose folder is another.
func (l *live) rescan() {
	l.dueAll = false
	l.root, _ = os.Stat(l.board.root)
	l.folders.watch(l.board.root, os.Stat)
	l.board.readColors()
	clear(l.board.repos)
	ids, err := sessionIDs(l.board.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // for the moment, or for good: what was shown stays
	}
	there := map[string]bool{}
	for _, id := range ids {
		there[id] = true
		s := l.board.sessions[id]
		if s == nil || l.watchSession(id) || s.outdated(l.board.root) {
			l.due[id] = true
		}
	}
	for id := range l.board.sessions {
		if !there[id] {
			l.due[id] = true
		}
	}
}

// watchSession asks for notices about a session's folder, and tells whether it
// is another folder than before.
func (l *live) watchSession(id string) bool {
	return l.folders.watch(state.SessionStateDir(l.board.root, id), os.Lstat)
}

// sortChanges orders changes that came at once as the panes are ordered.
func sortChanges(changes []paneChange) {
	slices.SortStableFunc(changes, func(a, b paneChange) int {
		return byNeed(&a.Pane, &b.Pane)
	})
}
