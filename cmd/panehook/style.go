package main

import (
	"fmt"
	"time"

	"panehook/state"
	"panehook/transitions"
)

// Looks of text on a terminal.
const (
	plainLook = "\x1b[0m"
	dimLook   = "\x1b[2m"
)

// stateLook is how a state is written on a terminal that has colours.
func stateLook(name string) string {
	switch name {
	case transitions.Blocked:
		return "\x1b[1;31m"
	case transitions.Done:
		return "\x1b[1;32m"
	case transitions.Working:
		return "\x1b[33m"
	case transitions.Starting:
		return "\x1b[36m"
	case unknown:
		return "\x1b[35m"
	}
	return dimLook
}

// colorLook is a display colour as the foreground of text.
func colorLook(color string) string {
	return "\x1b[38;5;" + state.DisplayColorANSIIndex(color) + "m"
}

// ageText is a length of time in at most six columns: 12s, 4m05s, 2h05m, 3d04h.
func ageText(d time.Duration) string {
	d = max(0, d).Truncate(time.Second)
	s, m, h := int(d.Seconds()), int(d.Minutes()), int(d.Hours())
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case m < 60:
		return fmt.Sprintf("%dm%02ds", m, s%60)
	case h < 24:
		return fmt.Sprintf("%dh%02dm", h, m%60)
	case h < 100*24:
		return fmt.Sprintf("%dd%02dh", h/24, h%24)
	}
	return fmt.Sprintf("%dd", h/24)
}
