package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// RepoColorsFile is the name of the file of repository colours in the root.
const RepoColorsFile = "repo-colors.json"

const maxRepoColorsSize = 4 << 20

// RepoColor is the colour of a repository. UpdatedAt is when it was chosen, as
// NowColorStamp gives it.
type RepoColor struct {
	Color     string `json:"color"`
	UpdatedAt string `json:"updated_at"`

	unknown string
}

func (c *RepoColor) layout() layout {
	return layout{
		members: []member{
			text("color", &c.Color),
			text("updated_at", &c.UpdatedAt),
		},
		unknown: (*extraText)(&c.unknown),
	}
}

// MarshalJSON writes the colour with its unknown keys.
func (c RepoColor) MarshalJSON() ([]byte, error) { return encode(&c) }

// UnmarshalJSON reads a colour; unknown keys are written again by MarshalJSON.
func (c *RepoColor) UnmarshalJSON(data []byte) error { return decode(data, c) }

// RepoColorStore is the colours of all repositories below one state root. A
// repository goes by its identity, the resolved path of its common git folder.
// Writers take the lock beside the file and replace it as a whole.
type RepoColorStore struct {
	root string
}

// NewRepoColorStore returns the store in <root>/repo-colors.json.
func NewRepoColorStore(root string) *RepoColorStore {
	return &RepoColorStore{root: root}
}

// repoColors is the file: entries as they were read, so that one that makes no
// sense to us is written again.
type repoColors map[string]json.RawMessage

func (c *repoColors) layout() layout {
	return layout{unknown: (*extraMap)(c)}
}

// color returns the entry of a repository, if it is one.
func (c repoColors) color(identity string) (RepoColor, bool) {
	var color RepoColor
	raw, ok := c[identity]
	return color, ok && decode(raw, &color) == nil
}

// Load returns the colours of all repositories that have one. No file means no
// colours; one that makes no sense gives ErrDamaged.
func (s *RepoColorStore) Load() (map[string]RepoColor, error) {
	raw, err := s.read()
	all := make(map[string]RepoColor, len(raw))
	for identity := range raw {
		if color, ok := raw.color(identity); ok {
			all[identity] = color
		}
	}
	return all, err
}

// Get returns the colour of a repository, and whether it has one.
func (s *RepoColorStore) Get(identity string) (RepoColor, bool, error) {
	raw, err := s.read()
	color, ok := raw.color(identity)
	return color, ok, err
}

// Set gives a repository a colour, chosen now; "" takes it away. Without an
// identity, as for a path outside of any repository, it does nothing. A file
// that makes no sense is set aside. Set returns ErrBusy when another process
// keeps the lock for about a second.
func (s *RepoColorStore) Set(identity, color string) error {
	if s.root == "" || identity == "" {
		return nil
	}
	lock, err := s.lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	all, err := s.read()
	damaged := errors.Is(err, ErrDamaged)
	if err != nil && !damaged {
		return err
	}
	color = strings.TrimSpace(color)
	if color == "" {
		if _, ok := all[identity]; !ok {
			return nil
		}
		delete(all, identity)
	} else {
		if known := NormalizeDisplayColor(color); strings.EqualFold(known, color) {
			color = known // a colour of a later version stays as it is
		}
		entry, _ := all.color(identity)
		entry.Color, entry.UpdatedAt = color, NowColorStamp()
		if all[identity], err = encode(&entry); err != nil {
			return err
		}
	}
	data, err := encodeIndented(&all)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path(), err)
	}
	if damaged {
		if err := setAside(s.path(), s.path()); err != nil {
			return err
		}
	}
	return replaceFile(s.path(), append(data, '\n'), rename)
}

func (s *RepoColorStore) path() string { return filepath.Join(s.root, RepoColorsFile) }

func (s *RepoColorStore) lock() (*fileLock, error) {
	if err := makeRoot(s.root); err != nil {
		return nil, err
	}
	return acquire(s.path()+lockSuffix, lockWait)
}

func (s *RepoColorStore) read() (repoColors, error) {
	all := repoColors{}
	if s.root == "" {
		return all, nil
	}
	data, err := readFile(s.path(), maxRepoColorsSize)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		if err = decode(data, &all); err == nil {
			return all, nil
		}
	} else if !errors.Is(err, errTooLarge) {
		return all, err
	}
	return repoColors{}, fmt.Errorf("%s: %w: %w", s.path(), ErrDamaged, err)
}
