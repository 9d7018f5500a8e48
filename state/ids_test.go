package state

import (
	"path/filepath"
	"testing"
	"time"
)

func TestSessionIDs(t *testing.T) {
	for id, want := range map[string]bool{
		"qm-1": true, "qm-17-3": true, "qm-Az_09-": true, "qm--": true,
		"": false, "qm": false, "qm-": false, "qm-a.b": false, "qm-a/b": false, "qm-..": false, "qm-a\n": false,
		"qm-é": false, "qm- ": false, "Qm-1": false, " qm-1": false, "x-qm-1": false, "qm-\x00": false,
	} {
		if got := IsValidSessionID(id); got != want {
			t.Errorf("IsValidSessionID(%q) = %v", id, got)
		}
	}
	if got := NewSessionID(17); got != "qm-17" {
		t.Errorf("NewSessionID(17) = %q", got)
	}
	if got := NewSessionIDWithSuffix(17, 3); got != "qm-17-3" {
		t.Errorf("NewSessionIDWithSuffix(17, 3) = %q", got)
	}
	if !HasSessionIDPrefix("qm-/") || HasSessionIDPrefix("q-") {
		t.Error("HasSessionIDPrefix")
	}
	if TrimSessionIDPrefix("qm-17") != "17" || TrimSessionIDPrefix("17") != "17" {
		t.Error("TrimSessionIDPrefix")
	}
	t.Setenv(SessionEnv, "whatever")
	if got := SessionIDFromEnv(); got != "whatever" {
		t.Errorf("SessionIDFromEnv() = %q", got)
	}
}

func TestSanitizeResumeID(t *testing.T) {
	for v, want := range map[string]string{
		"": "", "ca1b5ff8-1f3f-4a4e_X": "ca1b5ff8-1f3f-4a4e_X",
		"../x": "", "a b": "", "a*": "", "a\x00": "", "a\n": "", "ä": "", "$(x)": "",
	} {
		if got := SanitizeResumeID(v); got != want {
			t.Errorf("SanitizeResumeID(%q) = %q", v, got)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Setenv(StateRootEnv, "/r")
	if got := StateRoot(); got != "/r" {
		t.Errorf("StateRoot() = %q", got)
	}
	home := t.TempDir()
	t.Setenv(StateRootEnv, "")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if got := StateRoot(); got != filepath.Join(home, ".questmaster-state") {
		t.Errorf("StateRoot() = %q", got)
	}
	for want, got := range map[string]string{
		"/r/qm-1":                 SessionStateDir("/r", "qm-1"),
		"/r/qm-1/state.json":      SessionStatePath("/r", "qm-1"),
		"/r/qm-1/state.jsonl":     SessionStateLogPath("/r", "qm-1"),
		"/r/qm-1/state.json.lock": SessionStateLockPath("/r", "qm-1"),
	} {
		if filepath.ToSlash(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestStamps(t *testing.T) {
	now = func() time.Time { return time.Unix(1_800_000_000, 120).In(time.FixedZone("", 3600)) }
	defer func() { now = time.Now }()
	if got := NowUTC(); got != "2027-01-15T08:00:00Z" {
		t.Errorf("NowUTC() = %s", got)
	}
	if got := NowColorStamp(); got != "2027-01-15T08:00:00.00000012Z" {
		t.Errorf("NowColorStamp() = %s", got)
	}
	if got := ParseColorStamp(NowColorStamp()); !got.Equal(now()) {
		t.Errorf("ParseColorStamp = %v", got)
	}
	for _, bad := range []string{"", "yesterday", "2027-01-15"} {
		if got := ParseColorStamp(bad); !got.IsZero() {
			t.Errorf("ParseColorStamp(%q) = %v", bad, got)
		}
	}
}
