package state

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func newStore(t testing.TB) *Store {
	t.Helper()
	store, err := NewStore(filepath.Join(t.TempDir(), "a", "root"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestManifestFile(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	now = func() time.Time { return at }
	defer func() { now = time.Now }()
	store := newStore(t)
	path := filepath.Join(store.Root(), "qm-1.json")
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	m := Manifest{SessionID: "qm-1", Title: "a < b", Agents: []AgentManifest{{Name: "codex", Role: "primary", CLI: "codex", Window: 1}}}
	if err := store.Create(m); err != nil {
		t.Fatal(err)
	}
	want := `{
  "session_id": "qm-1",
  "created_at": "2027-01-15T08:00:00Z",
  "updated_at": "2027-01-15T08:00:00Z",
  "title": "a < b",
  "agents": [
    {
      "name": "codex",
      "role": "primary",
      "cli": "codex",
      "window": 1
    }
  ]
}
`
	if got := read(); got != want {
		t.Errorf("wrote %s", got)
	}
	if err := store.Create(m); !errors.Is(err, ErrManifestExists) {
		t.Errorf("created twice: %v", err)
	}
	at = at.Add(time.Second)
	err := store.Update("qm-1", func(m *Manifest) {
		m.SessionID = "qm-2"
		m.Agents = nil
		m.SetExtra("parent_session", "qm-0")
		m.SetExtra("a_prompt", "say \"hi\"")
	})
	if err != nil {
		t.Fatal(err)
	}
	want = `{
  "a_prompt": "say \"hi\"",
  "created_at": "2027-01-15T08:00:00Z",
  "parent_session": "qm-0",
  "session_id": "qm-1",
  "title": "a < b",
  "updated_at": "2027-01-15T08:00:01Z"
}
`
	if got := read(); got != want {
		t.Errorf("wrote %s", got)
	}
	got, err := store.Read("qm-1")
	if err != nil || got.ExtraString("a_prompt") != `say "hi"` || got.ExtraString("none") != "" || got.ExtraString("title") != "" {
		t.Errorf("read %+v, %v", got, err)
	}
	if err := store.Delete("qm-1"); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(store.Root()); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestMissingAndBadManifests(t *testing.T) {
	store := newStore(t)
	worker := func(id string) error { return store.AddWorker(id, "qm-w") }
	update := func(id string) error { return store.Update(id, func(*Manifest) { t.Error("called") }) }
	read := func(id string) error { _, err := store.Read(id); return err }
	workers := func(id string) error { _, err := store.GetWorkers(id); return err }
	for i, call := range []func(string) error{store.Delete, worker, update, read, workers} {
		if err := call("qm-1"); !errors.Is(err, ErrManifestNotFound) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("call %d of a missing manifest: %v", i, err)
		}
		if err := call("qm-../x"); err == nil {
			t.Errorf("call %d with a bad id went through", i)
		}
	}
	if err := store.Create(Manifest{SessionID: "x"}); err == nil {
		t.Error("created under a bad id")
	}
	if entries, err := os.ReadDir(store.Root()); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	path := filepath.Join(store.Root(), "qm-1.json")
	for _, damage := range []string{"", "{", "[]", "{}x"} {
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, call := range []func(string) error{worker, update, read, workers} {
			if err := call("qm-1"); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
				t.Errorf("call %d of %q: %v", i, damage, err)
			}
		}
		if err := store.Create(Manifest{SessionID: "qm-1"}); !errors.Is(err, ErrManifestExists) {
			t.Errorf("created over %q: %v", damage, err)
		}
		if data, _ := os.ReadFile(path); string(data) != damage {
			t.Errorf("%q became %q", damage, data)
		}
	}
	if err := store.Delete("qm-1"); err != nil {
		t.Errorf("deleting a damaged manifest: %v", err)
	}
	if _, err := NewStore(""); err == nil {
		t.Error("a store without a root")
	}
	nowhere := OpenStore("")
	if all, err := nowhere.DiscoverSessions(); len(all) != 0 || err != nil {
		t.Errorf("nowhere: %v, %v", all, err)
	}
	if err := nowhere.Create(Manifest{SessionID: "qm-1"}); err == nil {
		t.Error("created nowhere")
	}
	missing := OpenStore(filepath.Join(t.TempDir(), "none"))
	if all, err := missing.DiscoverSessions(); len(all) != 0 || err != nil {
		t.Errorf("missing root: %v, %v", all, err)
	}
	if _, err := os.Stat(missing.Root()); !os.IsNotExist(err) {
		t.Errorf("OpenStore made its root: %v", err)
	}
	if _, err := OpenStore(path + "/x").DiscoverSessions(); err != nil {
		t.Errorf("a root below nothing: %v", err)
	}
	os.WriteFile(path, nil, 0o600)
	if _, err := OpenStore(path).DiscoverSessions(); err == nil {
		t.Error("discovered in a file")
	}
}

func TestResumeIDsAreSanitized(t *testing.T) {
	var m Manifest
	in := `{"session_id":"qm-1","agents":[{"name":"a","resume_id":"../x"},{"name":"b","resume_id":"ok-1"},{"name":"c","resume_id":7}],
		"claude_session_id":"a b","codex_thread_id":"thread-1","pi_session_id":17,"other_session_id":"a b"}`
	if err := json.Unmarshal([]byte(in), &m); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, a := range m.Agents {
		ids = append(ids, a.ResumeID)
	}
	if !slices.Equal(ids, []string{"", "ok-1", ""}) {
		t.Errorf("resume ids %q", ids)
	}
	want := map[string]json.RawMessage{"codex_thread_id": json.RawMessage(`"thread-1"`), "pi_session_id": json.RawMessage(`17`), "other_session_id": json.RawMessage(`"a b"`)}
	if !reflect.DeepEqual(m.Extra, want) {
		t.Errorf("extra %q", m.Extra)
	}
	if m.ExtraString("pi_session_id") != "" {
		t.Error("a number is no text")
	}
	var a AgentManifest
	if err := a.UnmarshalJSON([]byte(`{"resume_id":"a/b"}`)); err != nil || a.ResumeID != "" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestWorkers(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	now = func() time.Time { return at }
	defer func() { now = time.Now }()
	store := newStore(t)
	if err := store.Create(Manifest{SessionID: "qm-1"}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		do      func(string, string) error
		worker  string
		want    string
		changes bool
	}{
		{store.AddWorker, "qm-b", "qm-b", true},
		{store.AddWorker, "qm-a", "qm-b qm-a", true},
		{store.AddWorker, "qm-b", "qm-b qm-a", false},
		{store.RemoveWorker, "qm-c", "qm-b qm-a", false},
		{store.RemoveWorker, "qm-b", "qm-a", true},
		{store.RemoveWorker, "qm-a", "", true},
	} {
		before, _ := store.Read("qm-1")
		at = at.Add(time.Second)
		if err := step.do("qm-1", step.worker); err != nil {
			t.Fatal(err)
		}
		workers, err := store.GetWorkers("qm-1")
		if got := strings.Join(workers, " "); err != nil || got != step.want {
			t.Errorf("workers %q, want %q (%v)", got, step.want, err)
		}
		after, _ := store.Read("qm-1")
		if changed := after.UpdatedAt != before.UpdatedAt; changed != step.changes {
			t.Errorf("updated_at %s after %s", after.UpdatedAt, before.UpdatedAt)
		}
	}
}

func TestDiscoverSessions(t *testing.T) {
	store := newStore(t)
	for _, id := range []string{"qm-b", "qm-a", "qm-c"} {
		if err := store.Create(Manifest{SessionID: id, Title: id}); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{
		"qm-b.json":        `{"session_id":"qm-z","title":"moved"}`,
		"qm-d.json":        `{"session_id":`,
		"qm-e.json.tmp":    `{}`,
		"qm-.json":         `{}`,
		"other.json":       `{}`,
		"repo-colors.json": `{}`,
	} {
		if err := os.WriteFile(filepath.Join(store.Root(), name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.MkdirAll(filepath.Join(store.Root(), "qm-f.json"), 0o700)
	all, err := store.DiscoverSessions()
	var got []string
	for _, m := range all {
		got = append(got, m.SessionID+"="+m.Title)
	}
	if err != nil || !slices.Equal(got, []string{"qm-a=qm-a", "qm-b=moved", "qm-c=qm-c"}) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSortByMtime(t *testing.T) {
	store := newStore(t)
	written := map[string]int64{"qm-a": 10, "qm-b": 30, "qm-c": 20, "qm-d": 20}
	for id, at := range written {
		if err := store.Create(Manifest{SessionID: id}); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(store.path(id), time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	var manifests []Manifest
	for _, id := range []string{"qm-none", "qm-d", "../x", "qm-a", "qm-c", "qm-b"} {
		manifests = append(manifests, Manifest{SessionID: id})
	}
	SortByMtime(manifests, store.Root())
	var got []string
	for _, m := range manifests {
		got = append(got, m.SessionID)
	}
	if want := []string{"qm-b", "qm-d", "qm-c", "qm-a", "qm-none", "../x"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestDisplayColorOfManifest(t *testing.T) {
	for color, want := range map[string]string{"": "", "  ": "", "red": "red", "RED ": "red", "black": "blue"} {
		if got := (Manifest{Display: &DisplayMetadata{Color: color}}).DisplayColor(); got != want {
			t.Errorf("%q: %q", color, got)
		}
	}
	if got := (Manifest{}).DisplayColor(); got != "" {
		t.Errorf("without display: %q", got)
	}
}

// A writer that waited for the lock of a manifest that was deleted meanwhile
// must not go on with a lock that nobody else sees.
func TestALockOfADeletedFileIsNotHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := acquire(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Skip("this system does not remove open files")
	}
	current, err := first.isCurrent()
	if current || err != nil {
		t.Errorf("isCurrent = %v, %v", current, err)
	}
	second, err := acquire(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	first.Unlock()
	if _, err := acquire(path, 0); !errors.Is(err, ErrBusy) {
		t.Errorf("two hold the lock: %v", err)
	}
	second.Unlock()
}
