package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// visible makes a path safe to print and keeps it recognizable: characters that
// a terminal would act upon or not show are escaped.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}
