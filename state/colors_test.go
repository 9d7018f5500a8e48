package state

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDisplayColors(t *testing.T) {
	want := strings.Fields("blue 4 green 2 yellow 3 magenta 5 cyan 6 red 1 orange 208 gold 220 lime 118 teal 37 sky 39 indigo 63 violet 177 pink 205")
	var got []string
	for _, name := range DisplayColorOptions() {
		got = append(got, name, DisplayColorANSIIndex(name))
	}
	if !slices.Equal(got, want) {
		t.Errorf("colours %q", got)
	}
	DisplayColorOptions()[0] = "black"
	if DisplayColorOptions()[0] != DefaultDisplayColor {
		t.Error("callers share the list")
	}
	for color, want := range map[string]string{"": "blue", " Teal\n": "teal", "PINK": "pink", "black": "blue", "4": "blue"} {
		if got := NormalizeDisplayColor(color); got != want {
			t.Errorf("NormalizeDisplayColor(%q) = %q", color, got)
		}
	}
	if DisplayColorANSIIndex("black") != "4" || DisplayColorANSIIndex(" Orange ") != "208" {
		t.Error("DisplayColorANSIIndex")
	}
}

func TestEffectiveColor(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(1, 1)
	for _, c := range []struct {
		own    string
		ownAt  time.Time
		repo   string
		repoAt time.Time
		want   string
	}{
		{"", early, "", late, ""},
		{"red", early, "", late, "red"},
		{"", late, "green", early, "green"},
		{"", time.Time{}, "green", time.Time{}, "green"},
		{"red", early, "green", late, "green"},
		{"red", late, "green", early, "red"},
		{"red", early, "green", early, "red"},
		{"red", time.Time{}, "green", early, "green"},
		{"red", time.Time{}, "green", time.Time{}, "red"},
	} {
		if got := EffectiveColor(c.own, c.ownAt, c.repo, c.repoAt); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestDisplayMetadata(t *testing.T) {
	if d := NewDisplayMetadata(""); d.Color != "blue" || d.ColorChangedAt != "" || d.IsZero() {
		t.Errorf("%+v", d)
	}
	if d := NewDisplayMetadata(" RED "); d.Color != "red" {
		t.Errorf("%+v", d)
	}
	var d DisplayMetadata
	if !d.IsZero() {
		t.Error("the zero value is not zero")
	}
	if err := d.UnmarshalJSON([]byte(`{"icon":"x"}`)); err != nil || d.IsZero() {
		t.Errorf("unknown keys count: %+v, %v", d, err)
	}
	if (DisplayMetadata{ColorChangedAt: "x"}).IsZero() {
		t.Error("a stamp counts")
	}
}
