package main

import (
	"maps"
	"slices"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}
