package main

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// columns is how many columns of a terminal a text takes by the book.
func columns(text string) int {
	if isASCII(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}

// mostColumns is how many a text takes on the terminal that is worst at it.
// Many draw an emoji that is made of several side by side.
func mostColumns(text string) int {
	if isASCII(text) {
		return len(text)
	}
	sum, state := 0, -1
	for text != "" {
		var cluster string
		var width int
		cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		sum += widest(cluster, width)
	}
	return sum
}

func widest(cluster string, width int) int {
	parts := 0
	for _, r := range cluster {
		if r != zeroWidthJoiner && r != emojiSelector {
			parts += uniseg.StringWidth(string(r))
		}
	}
	return max(width, parts)
}

const (
	zeroWidthJoiner = '\u200d'
	emojiSelector   = '\ufe0f'
)

// fit cuts a text at a grapheme boundary so that it takes at most width columns
// on any terminal, and ends it with "…" then.
func fit(text string, width int) string {
	if mostColumns(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	used, end, state := 0, 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += widest(cluster, w); used > width-1 {
			break
		}
		end += len(cluster)
	}
	return strings.TrimRight(text[:end], " ") + "…"
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
