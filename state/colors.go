package state

import (
	"strconv"
	"strings"
	"time"
)

// DefaultDisplayColor is the colour of a session for which nobody chose one.
const DefaultDisplayColor = "blue"

// displayColor is a colour by name, and its index in the palette of terminals.
type displayColor struct {
	name  string
	index int
}

var displayColors = [...]displayColor{
	{"blue", 4}, {"green", 2}, {"yellow", 3}, {"magenta", 5}, {"cyan", 6}, {"red", 1},
	{"orange", 208}, {"gold", 220}, {"lime", 118}, {"teal", 37}, {"sky", 39},
	{"indigo", 63}, {"violet", 177}, {"pink", 205},
}

// DisplayColorOptions returns the names of all colours, in the order in which
// to offer them.
func DisplayColorOptions() []string {
	names := make([]string, len(displayColors))
	for i, c := range displayColors {
		names[i] = c.name
	}
	return names
}

// NormalizeDisplayColor returns the name of a colour whatever its case and the
// space around it; DefaultDisplayColor if it is none.
func NormalizeDisplayColor(color string) string {
	return findColor(color).name
}

// DisplayColorANSIIndex returns the number of a colour in the terminal palette
// of 256, that of DefaultDisplayColor if it is none.
func DisplayColorANSIIndex(color string) string {
	return strconv.Itoa(findColor(color).index)
}

func findColor(color string) displayColor {
	color = strings.ToLower(strings.TrimSpace(color))
	for _, c := range displayColors {
		if c.name == color {
			return c
		}
	}
	return displayColors[0]
}

// EffectiveColor returns the colour to show for a session that has one of its
// own, chosen at ownAt, in a repository that has one, chosen at repoAt: the one
// chosen last, the session's own if both are of the same instant. "" is a
// colour not chosen, and the result if neither is.
func EffectiveColor(ownColor string, ownAt time.Time, repoColor string, repoAt time.Time) string {
	if ownColor == "" || repoColor != "" && repoAt.After(ownAt) {
		return repoColor
	}
	return ownColor
}
