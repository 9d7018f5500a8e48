package main

import (
	"fmt"
	"strings"

	"panehook/transitions"
)

// countText is how many panes are in each state, in words. Stopped ones are of
// no interest.
func countText(counts map[string]int) string {
	var parts []string
	for _, name := range allStates() {
		if n := counts[name]; n > 0 && name != transitions.Stopped {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	return strings.Join(parts, "  ")
}

// eventsText is how many events there are, in words.
func eventsText(n int) string {
	if n == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", n)
}
