package main

import "testing"

func TestAdaptersAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, a := range agents {
		if a.Name == "" || a.NameKey == "" || a.Common == nil || a.installation.Agent != a.Name || names[a.Name] {
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
