package main

import (
	"slices"
	"testing"

	"panehook/adapters"
	"panehook/adapters/claude"
	"panehook/adapters/codex"
)

// Every event that is installed must mean something, and every event that
// means something must be installed where the agent has it.
func TestInstalledEventsAreRead(t *testing.T) {
	tests := []struct {
		adapter   *adapters.Adapter
		installed []adapters.HookEvent
		not       []string // read, but never registered
	}{
		{&claude.Adapter, claude.Events, nil},
		{&codex.Adapter, codex.Events, []string{"StopFailure"}}, // of a later version
	}
	for _, tt := range tests {
		var read, installed []string
		for _, h := range tt.adapter.Hooks {
			if !slices.Contains(tt.not, h.Name) {
				read = append(read, h.Name)
			}
		}
		for _, e := range tt.installed {
			installed = append(installed, e.Name)
		}
		slices.Sort(read)
		slices.Sort(installed)
		if !slices.Equal(read, installed) {
			t.Errorf("%s: reads %v, installs %v", tt.adapter.Name, read, installed)
		}
	}
}

func TestAdaptersAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, a := range allAdapters {
		if a.Name == "" || a.NameKey == "" || a.Common == nil || names[a.Name] {
			t.Errorf("adapter %q lacks a part, or is there twice", a.Name)
		}
		names[a.Name] = true
		words := map[string]string{}
		for _, h := range a.Hooks {
			if h.Read == nil {
				t.Errorf("%s: nothing reads %s", a.Name, h.Name)
			}
			for _, w := range append([]string{h.Name}, h.Words...) {
				if other := words[w]; other != "" {
					t.Errorf("%s: %q names both %s and %s", a.Name, w, other, h.Name)
				}
				words[w] = h.Name
			}
		}
		for _, w := range []string{"starting", "working", "tool_start", "tool_end", "blocked", "permission", "done", "stopped"} {
			if words[w] == "" {
				t.Errorf("%s: the action word %q means nothing", a.Name, w)
			}
		}
	}
}
