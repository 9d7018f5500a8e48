package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"panehook/adapters"
	"panehook/state"
)

// board is what is known of all sessions below a state root. It takes no lock
// and writes nothing.
type board struct {
	root     string
	store    *state.Store
	observer *observer
	colors   map[string]state.RepoColor
	repos    map[string]string // by directory
	sessions map[string]*boardSession
}

// boardSession is one session as its files have it.
type boardSession struct {
	id       string
	raw      []state.PaneState // as stored, in order of role
	panes    []shownPane       // the same, for people
	seenAt   time.Time
	manifest *state.Manifest
	file     fs.FileInfo // of state.json when it was read, nil if not there
	problem  string      // of the manifest
}

var errNoRoot = errors.New("no state root: neither QUESTMASTER_STATE_ROOT nor HOME is set")

// newBoard is an empty board; readAll or read fill it.
func newBoard(root string) *board {
	return &board{
		root:     root,
		store:    state.OpenStore(root),
		observer: newObserver(),
		repos:    map[string]string{},
		sessions: map[string]*boardSession{},
	}
}

// readBoard reads every session below the state root as it is now.
func readBoard(now time.Time) (*board, error) {
	root := state.StateRoot()
	if root == "" {
		return nil, errNoRoot
	}
	b := newBoard(root)
	b.readColors()
	ids, err := sessionIDs(root)
	if err != nil {
		return nil, err
	}
	for i, files := range b.loadAll(ids) {
		b.take(ids[i], files)
		b.observe(ids[i], now)
	}
	return b, nil
}

// loadAll reads the files of many sessions, several at a time.
func (b *board) loadAll(ids []string) []sessionFiles {
	all := make([]sessionFiles, len(ids))
	var next atomic.Int64
	var loaders sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxLoaders) {
		loaders.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				all[i] = b.load(ids[i])
			}
		})
	}
	loaders.Wait()
	return all
}

const maxLoaders = 4

// sessionIDs lists the sessions below a root, those with a folder and those
// with only a manifest, in order. No root means no sessions.
func sessionIDs(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(entries))
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() {
			name = state.ManifestSessionID(name)
		}
		if state.IsValidSessionID(name) {
			ids = append(ids, name)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// readColors reads the colours of repositories. Without them sessions have
// their own.
func (b *board) readColors() {
	b.colors, _ = state.NewRepoColorStore(b.root).Load()
}

// sessionFiles is what the files of one session hold.
type sessionFiles struct {
	info        fs.FileInfo // of state.json, nil if it is not there
	state       *state.SessionState
	err         error
	manifest    state.Manifest
	manifestErr error
}

// load reads the files of one session. It looks at nothing of the board that
// changes. The info comes first, so that a later state never goes by it.
func (b *board) load(id string) (f sessionFiles) {
	f.info, _ = os.Lstat(state.SessionStatePath(b.root, id))
	f.state, f.err = state.LoadSessionStateAt(b.root, id)
	f.manifest, f.manifestErr = b.store.Read(id)
	return f
}

// read reads one session, and tells whether it is there at all.
func (b *board) read(id string) bool { return b.take(id, b.load(id)) }

// take puts a session on the board as its files have it, until observe looks
// for more. It tells whether the session is there at all.
func (b *board) take(id string, f sessionFiles) bool {
	s := &boardSession{id: id, file: f.info}
	switch {
	case f.manifestErr == nil:
		s.manifest = &f.manifest
	case errors.Is(f.manifestErr, state.ErrDamaged):
		s.problem = "its manifest is damaged"
	case !errors.Is(f.manifestErr, state.ErrManifestNotFound):
		s.problem = readerProblem(f.manifestErr)
	}
	if f.state == nil && f.err == nil && s.manifest == nil && s.problem == "" {
		delete(b.sessions, id)
		return false
	}
	b.fill(s, f.state, f.err)
	if before := b.sessions[id]; before != nil {
		s.inherit(before)
	}
	b.sessions[id] = s
	return true
}

// fill makes the panes of a session out of its state.
func (b *board) fill(s *boardSession, ss *state.SessionState, err error) {
	about := shownPane{Session: s.id}
	switch {
	case err != nil:
		about.Problem = readerProblem(err)
	case ss == nil:
		about.Problem = cmp.Or(s.problem, "no state yet")
		about.OnlyManifest = true
	case ss.Version != state.SchemaVersion:
		about.Problem = fmt.Sprintf("its state is of version %d, this program reads %d", ss.Version, state.SchemaVersion)
	default:
		s.seenAt = ss.SeenAt
		about.Quest = adapters.Word(ss.QuestID)
		about.Loop = safeLoop(ss.QuestLoop)
		for _, name := range sortedKeys(ss.Panes) {
			s.raw = append(s.raw, ss.Panes[name])
		}
		if len(s.raw) == 0 {
			about.Problem = "no agent has been heard of"
		}
	}
	if len(s.raw) == 0 {
		about.Shown.State, about.Stored.State = unknown, unknown
		b.describe(&about, s, "")
		s.panes = []shownPane{about}
		return
	}
	for i, name := range sortedKeys(ss.Panes) {
		p := about
		p.Role = adapters.Word(name)
		p.Stored = safePane(s.raw[i])
		if !isState(p.Stored.State) {
			p.Problem = fmt.Sprintf("state %q is not known", adapters.Word(p.Stored.State))
			p.Stored.State = unknown
		}
		p.Shown = p.Stored
		b.describe(&p, s, s.raw[i].Memory.Owner.Cwd)
		s.panes = append(s.panes, p)
	}
}

// describe adds what the manifest and the repository say.
func (b *board) describe(p *shownPane, s *boardSession, cwd string) {
	p.Cwd = absolute(cwd)
	ownColor, ownAt := "", time.Time{}
	if m := s.manifest; m != nil {
		p.Title = adapters.Clean(m.Title)
		if p.Cwd == "" {
			p.Cwd = absolute(m.Cwd)
		}
		ownColor = m.DisplayColor()
		if ownColor != "" {
			ownAt = state.ParseColorStamp(m.Display.ColorChangedAt)
		}
	}
	repo := b.repoColor(p.Cwd)
	repoAt := state.ParseColorStamp(repo.UpdatedAt)
	color := state.EffectiveColor(ownColor, ownAt, repo.Color, repoAt)
	switch {
	case color == "":
		p.ColorFrom = "default"
	case ownColor == "" || repo.Color != "" && repoAt.After(ownAt):
		p.ColorFrom = "repository"
	default:
		p.ColorFrom = "session"
	}
	p.Color = state.NormalizeDisplayColor(color)
}

// repoColor is the colour of the repository that a directory is in. Nothing is
// looked for while no repository has one.
func (b *board) repoColor(dir string) state.RepoColor {
	if len(b.colors) == 0 || dir == "" {
		return state.RepoColor{}
	}
	identity, ok := b.repos[dir]
	if !ok {
		identity = repository(dir)
		b.repos[dir] = identity
	}
	return b.colors[identity]
}

// inherit keeps what earlier looks at the session found out about its agents.
func (s *boardSession) inherit(before *boardSession) {
	for i := range s.panes {
		for j := range before.panes {
			if before.panes[j].Role == s.panes[i].Role {
				s.panes[i].life = before.panes[j].life
			}
		}
	}
}

// observe corrects what is shown of a session by evidence from outside its
// files, as of now.
func (b *board) observe(id string, now time.Time) {
	s := b.sessions[id]
	if s == nil {
		return
	}
	for i := range s.raw {
		p := &s.panes[i]
		if p.Stored.State == unknown {
			continue
		}
		shown, rule := b.observer.observe(s.raw[i], now)
		p.Rule = rule
		p.Shown = p.Stored
		if rule != "" {
			p.Shown = safePane(shown)
		}
		p.life.see(p.foundGone(), now)
		if p.foundGone() {
			p.Shown.Memory.Since = p.life.ended
		}
	}
}

// life is what repeated looks found out about an agent's process.
type life struct {
	seen, gone bool
	ended      time.Time // zero where nobody saw it alive before
}

func (l *life) see(gone bool, now time.Time) {
	switch {
	case !gone:
		*l = life{seen: true}
	case !l.gone:
		l.gone = true
		if l.seen {
			l.ended = now
		}
	}
}

// sorted are the panes to show, those first that want a person. Stopped ones
// and sessions that have only a manifest are shown on demand.
func (b *board) sorted(all bool) []*shownPane {
	var list []*shownPane
	for _, s := range b.sessions {
		for i := range s.panes {
			if all || s.panes[i].isOpen() {
				list = append(list, &s.panes[i])
			}
		}
	}
	slices.SortFunc(list, byNeed)
	return list
}

// readerProblem words why a session can't be read; its path is known.
func readerProblem(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, state.ErrDamaged):
		return "its file is damaged; the next hook sets it aside"
	case errors.As(err, &path):
		return adapters.Clean(fmt.Sprintf("%s: %v", filepath.Base(path.Path), path.Err))
	}
	return adapters.Clean(err.Error())
}
