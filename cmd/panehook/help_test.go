package main

import (
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
