package adapters

import (
	"strconv"
	"strings"
)

// FindVersion returns the first thing in text that looks like 1.2.3, "" if
// there is none: what agents print for --version has words around it.
func FindVersion(text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !(r == '.' || '0' <= r && r <= '9') }) {
		if parts := strings.Split(word, "."); len(parts) >= 3 && parts[0] != "" && parts[1] != "" && parts[2] != "" {
			return strings.Join(parts[:3], ".")
		}
	}
	return ""
}

// VersionAtLeast compares versions of the form 1.2.3. An unknown version, "",
// is taken for the newest.
func VersionAtLeast(version, least string) bool {
	if version == "" || least == "" {
		return true
	}
	have, want := strings.Split(version, "."), strings.Split(least, ".")
	for i := range want {
		w, _ := strconv.Atoi(want[i])
		h := 0
		if i < len(have) {
			h, _ = strconv.Atoi(have[i])
		}
		if h != w {
			return h > w
		}
	}
	return true
}
