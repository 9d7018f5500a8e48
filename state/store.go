package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

var (
	// ErrManifestExists is returned by Store.Create for a session that has one.
	ErrManifestExists = errors.New("manifest already exists")
	// ErrManifestNotFound is returned for a session that has no manifest. Such
	// an error is an fs.ErrNotExist as well.
	ErrManifestNotFound = errors.New("manifest not found")
)

const (
	manifestSuffix  = ".json"
	maxManifestSize = 4 << 20
)

// Store is the manifests below one state root, <root>/<id>.json each. Writers
// take the lock beside the manifest and replace it as a whole, so that readers
// need no lock. Methods may be called from any number of goroutines and
// processes; those that write wait about a second for a lock, then return
// ErrBusy.
type Store struct {
	root string
}

// NewStore returns the store below root, which it creates for its owner alone.
func NewStore(root string) (*Store, error) {
	if root == "" {
		return nil, errors.New("no state root")
	}
	if err := makeRoot(root); err != nil {
		return nil, err
	}
	return &Store{root: root}, nil
}

// OpenStore returns the store below root, for reading: it creates nothing, and
// a root that does not exist has no manifests.
func OpenStore(root string) *Store { return &Store{root: root} }

// Root returns the state root.
func (s *Store) Root() string { return s.root }

func (s *Store) path(id string) string {
	return ManifestPath(s.root, id)
}

// Create writes the manifest of a new session. CreatedAt is now unless it is
// set; UpdatedAt is now. For a session that has a manifest, readable or not, it
// returns ErrManifestExists: of many that try, one wins.
func (s *Store) Create(m Manifest) error {
	path, err := s.checked(m.SessionID)
	if err != nil {
		return err
	}
	lock, err := acquire(path+lockSuffix, lockWait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, ErrManifestExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return writeManifest(path, &m)
}

// Read returns the manifest of a session, ErrManifestNotFound where there is
// none, and ErrDamaged where it makes no sense.
func (s *Store) Read(sessionID string) (Manifest, error) {
	path, err := s.checked(sessionID)
	if err != nil {
		return Manifest{}, err
	}
	return readManifest(path)
}

// Update lets fn change the manifest of a session, under its lock. The session
// id stays that of the file, whatever fn does to it.
func (s *Store) Update(sessionID string, fn func(*Manifest)) error {
	return s.change(sessionID, func(m *Manifest) bool {
		fn(m)
		return true
	})
}

// AddWorker adds a worker to a session's list, unless it is on it.
func (s *Store) AddWorker(sessionID, workerID string) error {
	return s.change(sessionID, func(m *Manifest) bool {
		if slices.Contains(m.Workers, workerID) {
			return false
		}
		m.Workers = append(m.Workers, workerID)
		return true
	})
}

// RemoveWorker takes a worker off a session's list, if it is on it.
func (s *Store) RemoveWorker(sessionID, workerID string) error {
	return s.change(sessionID, func(m *Manifest) bool {
		before := len(m.Workers)
		m.Workers = slices.DeleteFunc(m.Workers, func(w string) bool { return w == workerID })
		return len(m.Workers) != before
	})
}

// GetWorkers returns a session's list of workers.
func (s *Store) GetWorkers(sessionID string) ([]string, error) {
	m, err := s.Read(sessionID)
	return m.Workers, err
}

// Delete removes the manifest of a session and its lock file.
func (s *Store) Delete(sessionID string) error {
	path, lock, err := s.lockExisting(sessionID)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		lock.Unlock()
		return notFound(err)
	}
	// The lock file goes while it is held: whoever waits for it then sees that
	// it is gone and starts over. Some systems don't remove an open file.
	err = os.Remove(path + lockSuffix)
	lock.Unlock()
	if err != nil {
		err = os.Remove(path + lockSuffix)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// DiscoverSessions returns all manifests, in order of session id. The id is
// that of the file's name. What is no manifest, or makes no sense, is passed
// over.
func (s *Store) DiscoverSessions() ([]Manifest, error) {
	entries, err := os.ReadDir(s.root)
	if s.root == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Manifest
	for _, entry := range entries {
		id := ManifestSessionID(entry.Name())
		if id == "" {
			continue
		}
		m, err := readManifest(filepath.Join(s.root, entry.Name()))
		if err != nil {
			continue
		}
		m.SessionID = id
		all = append(all, m)
	}
	return all, nil
}

// SortByMtime sorts manifests by the time at which their files below root were
// last written, newest first. Those without a file come last; equal ones keep
// their order.
func SortByMtime(manifests []Manifest, root string) {
	type dated struct {
		m       Manifest
		written time.Time
	}
	all := make([]dated, len(manifests))
	for i, m := range manifests {
		all[i].m = m
		if !IsValidSessionID(m.SessionID) {
			continue
		}
		if info, err := os.Stat(ManifestPath(root, m.SessionID)); err == nil {
			all[i].written = info.ModTime()
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.written.Compare(a.written) })
	for i := range all {
		manifests[i] = all[i].m
	}
}

// checked returns the path of a session's manifest.
func (s *Store) checked(id string) (string, error) {
	if s.root == "" {
		return "", errors.New("no state root")
	}
	if !IsValidSessionID(id) {
		return "", fmt.Errorf("not a session id: %q", id)
	}
	return s.path(id), nil
}

// lockExisting locks a manifest that is there. It leaves no lock file behind
// for one that is not.
func (s *Store) lockExisting(id string) (string, *fileLock, error) {
	path, err := s.checked(id)
	if err != nil {
		return "", nil, err
	}
	if _, err := os.Lstat(path); err != nil {
		return "", nil, notFound(err)
	}
	lock, err := acquire(path+lockSuffix, lockWait)
	return path, lock, err
}

func (s *Store) change(id string, fn func(*Manifest) bool) error {
	path, lock, err := s.lockExisting(id)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	m, err := readManifest(path)
	if err != nil {
		return err
	}
	m.SessionID = id
	if !fn(&m) {
		return nil
	}
	m.SessionID = id
	return writeManifest(path, &m)
}

func readManifest(path string) (Manifest, error) {
	var m Manifest
	data, err := readFile(path, maxManifestSize)
	if err != nil {
		return m, notFound(err)
	}
	if err := m.UnmarshalJSON(data); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	return m, nil
}

func writeManifest(path string, m *Manifest) error {
	m.UpdatedAt = NowUTC()
	if m.CreatedAt == "" {
		m.CreatedAt = m.UpdatedAt
	}
	data, err := encodeIndented(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return replaceFile(path, append(data, '\n'), rename)
}

func notFound(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrManifestNotFound, err)
	}
	return err
}
