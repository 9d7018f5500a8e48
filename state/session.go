package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"
)

// SchemaVersion is the version of state.json that this package reads and
// writes. To readers a file of another version says nothing: they show the
// session as unknown. A writer sets such a file aside and starts afresh.
const SchemaVersion = 1

// maxStateSize bounds what is read of a state.json. Ours stay under 16 KiB.
const maxStateSize = 4 << 20

// SessionState is what state.json holds: the panes of one session by role, and
// what is known of the session as a whole.
type SessionState struct {
	SessionID string               `json:"session_id"`
	Version   int                  `json:"version"`
	Panes     map[string]PaneState `json:"panes"`
	// SeenAt is when a person last looked at the session; trackers write it.
	SeenAt time.Time `json:"seen_at"`

	// QuestID is the quest that the session works on, "" for none.
	QuestID string `json:"quest_id,omitempty"`
	// QuestLoop is there while a quest loop is armed for the session.
	QuestLoop *QuestLoopState `json:"quest_loop,omitempty"`

	// Extra holds the keys that this version does not know, as they were read.
	Extra map[string]json.RawMessage `json:"-"`
}

func (ss *SessionState) layout() layout {
	return layout{
		members: []member{
			text("session_id", &ss.SessionID),
			number("version", &ss.Version),
			named("panes", &ss.Panes),
			stamp("seen_at", &ss.SeenAt),
			optional(text("quest_id", &ss.QuestID)),
			pointer("quest_loop", &ss.QuestLoop),
		},
		unknown: (*extraMap)(&ss.Extra),
	}
}

// MarshalJSON writes the state as compact JSON, unknown keys last.
func (ss SessionState) MarshalJSON() ([]byte, error) { return encode(&ss) }

// UnmarshalJSON reads a state. A value of the wrong kind is kept in Extra, but
// panes that are no objects are an error.
func (ss *SessionState) UnmarshalJSON(data []byte) error { return decode(data, ss) }

// LoadSessionState reads the session's state without taking its lock; it sees
// the file before or after any write, never half of one. It returns (nil, nil)
// where there is no file or no state root. A file that makes no sense gives
// ErrDamaged. A state of another version comes back with that Version, and the
// caller should show it as unknown. Panes is never nil.
func LoadSessionState(id string) (*SessionState, error) {
	return LoadSessionStateAt(StateRoot(), id)
}

// LoadSessionStateAt is LoadSessionState below a root that the caller has.
func LoadSessionStateAt(root, id string) (*SessionState, error) {
	s, err := openSession(root, id)
	if s == nil || err != nil {
		return nil, err
	}
	if err := checkFolder(s.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	ss, err := s.load()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return ss, err
}

// SaveSessionState writes ss as the session's whole state, under the session's
// lock. Whatever was written since ss was loaded is lost: to change a state use
// UpdateSessionState. It returns ErrBusy when the lock is not to be had.
func SaveSessionState(id string, ss *SessionState) error {
	if ss == nil {
		return errors.New("no session state to save")
	}
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return err
	}
	lock, err := s.lock(lockWait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if info, err := os.Lstat(s.statePath); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "replace", Path: s.statePath, Err: errNotRegular}
	}
	return s.write(ss)
}

// UpdateSessionState reads the session's state, lets mutate change it, and
// writes it if mutate returned true, all under the session's lock. Where there
// is no file, or one that is damaged or of another version, mutate gets a state
// without panes; the unusable file is set aside when the new one is written.
// It returns ErrBusy when another process keeps the lock for about a second.
// Without a state root it does nothing.
func UpdateSessionState(id string, mutate func(*SessionState) bool) error {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return err
	}
	lock, err := s.lock(lockWait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return s.update(mutate)
}

// updateExisting is UpdateSessionState for changes that mean nothing to a
// session without a folder: it creates none.
func updateExisting(id string, mutate func(*SessionState) bool) error {
	s, err := openSession(StateRoot(), id)
	if s == nil || err != nil {
		return err
	}
	if err := checkFolder(s.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return UpdateSessionState(id, mutate)
}

// InitStartingState shows each given agent as "starting" before its first hook
// has run. agentsByRole maps role to agent name; empty ones are passed over,
// and so is a role whose pane has a state, because its agent was faster.
func InitStartingState(id string, agentsByRole map[string]string) error {
	return UpdateSessionState(id, func(ss *SessionState) bool {
		changed := false
		for _, role := range slices.Sorted(maps.Keys(agentsByRole)) {
			agent, pane := agentsByRole[role], ss.Panes[role]
			if role == "" || agent == "" || pane.State != "" {
				continue
			}
			at := now().UTC()
			pane.Role, pane.Agent = role, agent
			pane.State, pane.Activity = "starting", "started"
			pane.LastKind, pane.LastEvent = "SessionStart", at
			pane.Seq = max(at.UnixNano(), pane.Seq)
			ss.Panes[role] = pane
			changed = true
		}
		return changed
	})
}

// session is the files of one session.
type session struct {
	root, id, dir string
	statePath     string
}

// openSession checks the id. It returns nil without a root: nothing to do.
func openSession(root, id string) (*session, error) {
	if root == "" {
		return nil, nil
	}
	if !IsValidSessionID(id) {
		return nil, fmt.Errorf("not a session id: %q", id)
	}
	return &session{root: root, id: id, dir: SessionStateDir(root, id), statePath: SessionStatePath(root, id)}, nil
}

// lock locks the session, creating its folder if need be, and again if somebody
// has just removed it.
func (s *session) lock(wait time.Duration) (*fileLock, error) {
	if err := makeRoot(s.root); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(wait)
	var lock *fileLock
	var err error
	for range maxRemovals {
		if err = makeFolder(s.dir); err == nil {
			lock, err = acquire(s.statePath+lockSuffix, time.Until(deadline))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return lock, err
}

// maxRemovals is how many times a writer makes a folder anew that others remove
// under it.
const maxRemovals = 100

// load reads state.json. A state of another version is returned as it is.
func (s *session) load() (*SessionState, error) {
	data, err := readFile(s.statePath, maxStateSize)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	ss := &SessionState{}
	if err := decode(data, ss); err != nil {
		if foreign := foreignVersion(data); foreign != 0 {
			return &SessionState{SessionID: s.id, Version: foreign, Panes: map[string]PaneState{}}, nil
		}
		return nil, fmt.Errorf("%s: %w: %w", s.statePath, ErrDamaged, err)
	}
	if ss.Panes == nil {
		ss.Panes = map[string]PaneState{}
	}
	return ss, nil
}

// foreignVersion returns the version of a state whose panes we cannot read, if
// it says that it is not ours.
func foreignVersion(data []byte) int {
	var v versionOnly
	if decode(data, &v) != nil || v.version == SchemaVersion {
		return 0
	}
	return v.version
}

type versionOnly struct{ version int }

func (v *versionOnly) layout() layout {
	return layout{members: []member{number("version", &v.version)}}
}

// loadForUpdate returns the state to change, and whether the file that is there
// has to be set aside before another takes its place.
func (s *session) loadForUpdate() (ss *SessionState, unusable bool, err error) {
	ss, err = s.load()
	switch {
	case err == nil && ss.Version == SchemaVersion:
		return ss, false, nil
	case err == nil || errors.Is(err, ErrDamaged):
		return s.fresh(), true, nil
	case errors.Is(err, fs.ErrNotExist):
		return s.fresh(), false, nil
	}
	return nil, false, err
}

func (s *session) fresh() *SessionState {
	return &SessionState{SessionID: s.id, Version: SchemaVersion, Panes: map[string]PaneState{}}
}

// update is the read-modify-write; the caller holds the lock.
func (s *session) update(mutate func(*SessionState) bool) error {
	ss, unusable, err := s.loadForUpdate()
	if err != nil || !mutate(ss) {
		return err
	}
	return s.replace(ss, unusable)
}

// replace writes ss over the file it was loaded from.
func (s *session) replace(ss *SessionState, unusable bool) error {
	if unusable {
		if err := setAside(s.statePath, s.statePath); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.write(ss)
}

func (s *session) write(ss *SessionState) error {
	out := *ss
	out.SessionID, out.Version = s.id, SchemaVersion
	data, err := encode(&out)
	if err != nil {
		return fmt.Errorf("%s: %w", s.statePath, err)
	}
	return replaceFile(s.statePath, append(data, '\n'), exchange)
}
