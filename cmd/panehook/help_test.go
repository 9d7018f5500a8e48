package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestCommandsSayHowTheyAreUsed(t *testing.T) {
	for _, c := range commands() {
		if !strings.HasPrefix(c.usage, "usage: panehook "+c.name) {
			t.Errorf("%s: no usage of it: %.40q", c.name, c.usage)
		}
		if !strings.Contains(usageFormat, "panehook "+c.name) && c.name != "uninstall" {
			t.Errorf("%s: not in the list of commands", c.name)
		}
	}
}

func TestVersionOfBuild(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs.revision", Value: "b898bfbfa9dc850fbe6f318da8b88a3d8cc3e816"},
			{Key: "vcs.time", Value: "2026-11-30T22:24:40Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	for _, test := range []struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", vcs("false"), "v1.2.3"},
		{"", nil, "(devel)"},
		{"(devel)", nil, "(devel)"},
		{"(devel)", vcs("false"), "(devel) b898bfbfa9dc 2026-11-30"},
		{"", vcs("true"), "(devel) b898bfbfa9dc+dirty 2026-11-30"},
		{"", []debug.BuildSetting{{Key: "vcs.revision", Value: "7"}}, "(devel) 7"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: test.main}, Settings: test.settings}
		if got := versionOf(info); got != test.want {
			t.Errorf("version %q, want %q", got, test.want)
		}
	}
}
