package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"panehook/transitions"
)

// scriptDir holds the archives that TestScripts runs. The first word of a
// name says what it is about: an agent, or a command.
const scriptDir = "../../testdata/script"

// logged is one line of a wanted event log.
type logged struct{ agent, event, rule string }

// wantedLogs reads what the archives say that the event logs must hold.
func wantedLogs(t *testing.T) []logged {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(scriptDir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives in %s: %v", scriptDir, err)
	}
	var all []logged
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		agent, _, _ := strings.Cut(filepath.Base(name), "-")
		for _, file := range txtar.Parse(data).Files {
			if !strings.HasPrefix(file.Name, "want") || !strings.HasSuffix(file.Name, ".log") {
				continue
			}
			for line := range bytes.Lines(file.Data) {
				if columns := strings.Fields(string(line)); len(columns) >= 3 {
					all = append(all, logged{agent, columns[1], columns[2]})
				}
			}
		}
	}
	return all
}

// TestScriptsReachEveryRule: a rule that no script reaches is one that nobody
// has seen at work.
func TestScriptsReachEveryRule(t *testing.T) {
	reached := map[string]bool{}
	for _, l := range wantedLogs(t) {
		reached[l.rule] = true
	}
	for _, id := range append(transitions.RuleIDs(), "nested", "foreign") {
		if !reached[id] {
			t.Errorf("no script reaches the rule %q", id)
		}
		delete(reached, id)
	}
	for _, id := range slices.Sorted(maps.Keys(reached)) {
		t.Errorf("a script wants the rule %q, which there is not", id)
	}
}

func TestScriptsPlayEveryEvent(t *testing.T) {
	played := map[logged]bool{}
	for _, l := range wantedLogs(t) {
		played[logged{agent: l.agent, event: l.event}] = true
	}
	for _, a := range agents {
		for _, h := range a.Hooks {
			if !played[logged{agent: a.Name, event: h.Name}] {
				t.Errorf("no script plays the event %s of %s", h.Name, a.Name)
			}
		}
	}
}
