package state

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestRepoColors(t *testing.T) {
	now = func() time.Time { return time.Unix(1_800_000_000, 5) }
	defer func() { now = time.Now }()
	root := filepath.Join(t.TempDir(), "root")
	store := NewRepoColorStore(root)
	if all, err := store.Load(); all == nil || len(all) != 0 || err != nil {
		t.Errorf("no file: %v, %v", all, err)
	}
	if err := store.Set("/a", ""); err != nil {
		t.Errorf("clearing nothing: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, RepoColorsFile)); !os.IsNotExist(err) {
		t.Errorf("clearing nothing wrote: %v", err)
	}
	for identity, color := range map[string]string{"/a": " Green", "/b": "crimson", "": "red"} {
		if err := store.Set(identity, color); err != nil {
			t.Fatal(err)
		}
	}
	stamp := "2027-01-15T08:00:00.000000005Z"
	want := map[string]RepoColor{"/a": {Color: "green", UpdatedAt: stamp}, "/b": {Color: "crimson", UpdatedAt: stamp}}
	if all, err := store.Load(); err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%v, %v", all, err)
	}
	data, err := os.ReadFile(filepath.Join(root, RepoColorsFile))
	wantText := `{
  "/a": {
    "color": "green",
    "updated_at": "2027-01-15T08:00:00.000000005Z"
  },
  "/b": {
    "color": "crimson",
    "updated_at": "2027-01-15T08:00:00.000000005Z"
  }
}
`
	if err != nil || string(data) != wantText {
		t.Errorf("file: %s, %v", data, err)
	}
	if color, ok, err := store.Get("/a"); color != want["/a"] || !ok || err != nil {
		t.Errorf("%v, %v, %v", color, ok, err)
	}
	if err := store.Set("/a", "  "); err != nil {
		t.Fatal(err)
	}
	if color, ok, err := store.Get("/a"); color != (RepoColor{}) || ok || err != nil {
		t.Errorf("cleared: %v, %v, %v", color, ok, err)
	}
}

func TestRepoColorsOfOthersSurvive(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, RepoColorsFile)
	others := `{"/a":{"color":"red","updated_at":"u","by":"me"},"/b":"not ours","/c":null,"/d":{"color":7,"updated_at":"u"}}`
	if err := os.WriteFile(path, []byte(others), 0o644); err != nil {
		t.Fatal(err)
	}
	store := NewRepoColorStore(root)
	all, err := store.Load()
	if err != nil || len(all) != 2 || all["/a"].Color != "red" || all["/d"].UpdatedAt != "u" {
		t.Errorf("%v, %v", all, err)
	}
	if err := store.Set("/a", "sky"); err != nil {
		t.Fatal(err)
	}
	color, ok, err := store.Get("/a")
	if err != nil || !ok || color.Color != "sky" || color.unknown != `"by":"me"` {
		t.Errorf("%v, %v, %v", color, ok, err)
	}
	data, _ := os.ReadFile(path)
	if text := string(data); !strings.Contains(text, `"/b": "not ours",`) || !strings.Contains(text, `"/c": null,`) || !strings.Contains(text, `"color": 7,`) {
		t.Errorf("wrote %s", text)
	}
}

func TestDamagedRepoColorsHeal(t *testing.T) {
	for _, damage := range []string{"", "[]", `{"/a":`, strings.Repeat(" ", maxRepoColorsSize+1)} {
		root := t.TempDir()
		path := filepath.Join(root, RepoColorsFile)
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		store := NewRepoColorStore(root)
		if all, err := store.Load(); len(all) != 0 || !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, %v", all, err)
		}
		if err := store.Set("/a", "red"); err != nil {
			t.Error(err)
		}
		if color, ok, err := store.Get("/a"); !ok || color.Color != "red" || err != nil {
			t.Errorf("%v, %v, %v", color, ok, err)
		}
		aside, _ := filepath.Glob(path + ".corrupt-*")
		if len(aside) != 1 {
			t.Errorf("set aside: %q", aside)
		}
	}
}
