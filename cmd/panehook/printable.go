package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"panehook/adapters"
)

// Text from outside is made safe for terminals by one of these. What adapters
// and readers take from payloads and state files has gone through adapters.Clean
// or adapters.Word before, which mask secrets too. For the rest there is
// printable for a word, oneLine for a message, visible for a path that somebody
// may want to find, and escapeInvisible for JSON, which has to stay the same.

// printable is a word from the command line as it may be shown.
func printable(word string) string { return adapters.Word(word) }

// oneLine makes any text safe for a terminal: file names and arguments can
// hold anything. What cannot be seen becomes a space.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// visible makes a path safe to print and keeps it recognizable: characters that
// a terminal would act upon or not show are escaped.
func visible(text string) string { return escape(text, "") }

// visibleLines is visible for a text of several lines, such as a diff.
func visibleLines(text string) string { return escape(text, "\n\t") }

// escape escapes the characters that are not plainly visible, but for those to
// keep.
func escape(text, keep string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) || strings.ContainsRune(keep, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// escapeInvisible writes the characters of JSON that are not plainly visible,
// which only its strings can hold, as \u escapes.
func escapeInvisible(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			if data[i] == 0x7f {
				out = append(out, `\u007f`...)
			} else {
				out = append(out, data[i])
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case strconv.IsPrint(r):
			out = append(out, data[i:i+n]...)
		case r <= 0xffff:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
		i += n
	}
	return out
}
