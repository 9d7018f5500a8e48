//go:build unix

package state

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Every place where a file or folder of ours belongs, and the calls that meet
// what stands there instead.
func TestWrongThingsInOurPlaces(t *testing.T) {
	update := func(string) error { return UpdateSessionState(testID, func(*SessionState) bool { return true }) }
	load := func(root string) error { _, err := LoadSessionStateAt(root, testID); return err }
	save := func(string) error { return SaveSessionState(testID, &SessionState{}) }
	record := func(string) error { return Record(testID, event("a"), time.Second, counting) }
	appendEvent := func(string) error { return AppendStateEvent(testID, event("a")) }
	waiting := func(string) error { _, err := WaitingEvents(testID); return err }
	create := func(root string) error { return OpenStore(root).Create(Manifest{SessionID: testID}) }
	read := func(root string) error { _, err := OpenStore(root).Read(testID); return err }
	updateManifest := func(root string) error { return OpenStore(root).Update(testID, func(*Manifest) {}) }
	loadColors := func(root string) error { _, err := NewRepoColorStore(root).Load(); return err }
	setColor := func(root string) error { return NewRepoColorStore(root).Set("r", "red") }
	later := func(root string) error {
		lock, err := acquire(filepath.Join(root, testID, "state.json.lock"), 0)
		if err != nil {
			return err
		}
		defer lock.Unlock()
		return Record(testID, event("a"), 0, counting)
	}

	for place, calls := range map[string][]func(root string) error{
		"qm-test":                  {update, load, save, record, appendEvent},
		"qm-test/state.json":       {update, load, save, record},
		"qm-test/state.json.lock":  {update, save, record, appendEvent},
		"qm-test/state.jsonl":      {record, appendEvent, waiting},
		"qm-test/state.jsonl.1":    {appendEvent},
		"qm-test/waiting":          {record, waiting, later},
		"qm-test.json":             {create, read, updateManifest},
		"qm-test.json.lock":        {create},
		"repo-colors.json":         {loadColors, setColor},
		"repo-colors.json.lock":    {setColor},
		"qm-test/state.json.tmp/x": {update, save, record},
	} {
		for thing, put := range map[string]func(path, outside string) error{
			"link":         func(path, outside string) error { return os.Symlink(filepath.Join(outside, "file"), path) },
			"link to dir":  func(path, outside string) error { return os.Symlink(outside, path) },
			"broken link":  func(path, outside string) error { return os.Symlink(filepath.Join(outside, "none"), path) },
			"folder":       func(path, outside string) error { return os.Mkdir(path, 0o700) },
			"FIFO":         func(path, outside string) error { return syscall.Mkfifo(path, 0o600) },
			"regular file": func(path, outside string) error { return os.WriteFile(path, nil, 0o600) },
		} {
			isFolder := place == "qm-test" || place == "qm-test/waiting"
			if isFolder && thing == "folder" || !isFolder && thing == "regular file" && !strings.HasSuffix(place, "/x") {
				continue // what belongs there
			}
			t.Run(place+" "+thing, func(t *testing.T) {
				root, outside := tempRoot(t), t.TempDir()
				if err := os.WriteFile(filepath.Join(outside, "file"), []byte("{}"), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(filepath.Join(root, filepath.Dir(place)), 0o700); err != nil {
					t.Fatal(err)
				}
				if place == "qm-test/state.jsonl.1" {
					full := strings.Repeat("{}\n", StateJSONLMaxSize/3+1)
					if err := os.WriteFile(filepath.Join(root, testID, "state.jsonl"), []byte(full), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				path := filepath.Join(root, place)
				if err := put(path, outside); err != nil {
					t.Fatal(err)
				}
				for i, call := range calls {
					err := call(root)
					named := strings.TrimSuffix(path, "/x")
					if err == nil || !strings.Contains(err.Error(), named) {
						t.Errorf("call %d: %v", i, err)
					}
				}
				entries, err := os.ReadDir(outside)
				if err != nil || len(entries) != 1 {
					t.Errorf("outside: %v, %v", entries, err)
				}
				data, err := os.ReadFile(filepath.Join(outside, "file"))
				info, statErr := os.Stat(filepath.Join(outside, "file"))
				if err != nil || statErr != nil || string(data) != "{}" || info.Mode().Perm() != 0o644 {
					t.Errorf("the file outside: %q, %v, %v", data, err, info.Mode())
				}
			})
		}
	}
}

func TestModes(t *testing.T) {
	root := tempRoot(t)
	real := root + "-real"
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, root); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, testID)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"state.jsonl", "state.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(`{"version":1}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustRecord(t, "a")
	putAside(t, root, "b")
	store, err := NewStore(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Create(Manifest{SessionID: testID}); err != nil {
		t.Fatal(err)
	}
	if err := NewRepoColorStore(root).Set("r", "red"); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]os.FileMode)
	err = filepath.WalkDir(real, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		name, _ := filepath.Rel(real, path)
		if strings.HasPrefix(name, "qm-test/waiting/") {
			name = "qm-test/waiting/x"
		}
		got[name] = info.Mode().Perm()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range got {
		want := os.FileMode(0o600)
		if name == "." || name == "qm-test" || name == "qm-test/waiting" {
			want = 0o700
		}
		if mode != want {
			t.Errorf("%s: %v, want %v", name, mode, want)
		}
	}
	want := []string{".", "qm-test", "qm-test.json", "qm-test.json.lock", "qm-test/state.json", "qm-test/state.json.lock", "qm-test/state.jsonl", "qm-test/waiting", "qm-test/waiting/x", "repo-colors.json", "repo-colors.json.lock"}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("files: %q", names)
	}
}

func TestASharedRootStaysShared(t *testing.T) {
	root := tempRoot(t)
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "a")
	if info, err := os.Stat(root); err != nil || info.Mode().Perm() != 0o777 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestRootThatIsAFile(t *testing.T) {
	root := tempRoot(t)
	if err := os.WriteFile(root, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Record(testID, event("a"), 0, counting); err == nil || !strings.Contains(err.Error(), root) {
		t.Errorf("Record: %v", err)
	}
	if _, err := NewStore(root); err == nil || !strings.Contains(err.Error(), root) {
		t.Errorf("NewStore: %v", err)
	}
}
