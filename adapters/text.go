package adapters

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Limits of safe text. MaxColumns are columns of a terminal and include the
// ellipsis; the bytes also bound what a column of stacked accents may cost.
const (
	MaxColumns = 100
	maxBytes   = 1024
	maxWord    = 64

	// No more than this is looked at: of the cleaned text for a single line,
	// of the text as it came for Lines.
	maxLook      = 2 << 10
	maxLookLines = maxString
	// A sequence or removed characters may hide text behind them, within reason.
	maxSkip = 64 << 10

	maxMarks = 4 // accents on one letter
)

const ellipsis = "…"

// Clean makes one line of safe text out of s: valid UTF-8 without control
// characters, terminal sequences, bidirectional overrides and invisible
// characters, with white space folded and secrets masked, of at most
// MaxColumns columns. Cleaning it again changes nothing.
func Clean(s string) string { return clean(s, MaxColumns, maxBytes) }

// Word makes a short token, such as the name of a tool or an id of a call, out
// of s: Clean with at most 64 columns and bytes.
func Word(s string) string { return clean(s, maxWord, maxWord) }

// Base returns the cleaned last element of a file path with either separator.
func Base(path string) string {
	trimmed := strings.TrimRight(path, `/\`)
	if trimmed == "" {
		return Clean(path)
	}
	return Clean(trimmed[strings.LastIndexAny(trimmed, `/\`)+1:])
}

// Lines returns the last n lines of s that are not empty, each cleaned. Of a
// long text only the last 16 KiB count.
func Lines(s string, n int) []string {
	if len(s) > maxLookLines {
		s = s[len(s)-maxLookLines:]
	}
	// Masked as a whole: a private key stretches over many lines.
	text, _ := strip(s, len(s), true)
	text = Mask(text)

	var lines []string
	for len(lines) < n && text != "" {
		start := strings.LastIndexByte(text, '\n') + 1
		if line := Clean(text[start:]); line != "" {
			lines = append(lines, line)
		}
		text = text[:max(0, start-1)]
	}
	slices.Reverse(lines)
	return lines
}

func clean(s string, columns, size int) string {
	text, more := s, false
	if !isPlain(s) {
		text, more = strip(s, maxLook, false)
	}
	line := cut(Mask(text), more, columns, size)
	// A cut can make the end of the line look like a secret that its whole
	// was not. Masking again, until nothing changes, settles it.
	for range 3 {
		if line == text {
			break
		}
		text = line
		line = cut(Mask(text), false, columns, size)
	}
	return line
}

// isPlain tells whether s is short ASCII text in which strip changes nothing.
func isPlain(s string) bool {
	if len(s) > maxLook {
		return false
	}
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' ' || s == ""
}

// strip removes everything that is not visible text or a single space, up to
// about limit bytes of text; more tells whether there was more to come.
// Line breaks stay only where keepLines says so.
func strip(s string, limit int, keepLines bool) (text string, more bool) {
	var out strings.Builder
	out.Grow(min(len(s), limit+utf8.UTFMax))
	var (
		space    = byte(0)  // white space not yet written
		base     = rune(-1) // the last letter or symbol, without accents
		marks    = maxMarks // accents written on it
		selected = false    // whether it has its emoji selector
	)
	for i := 0; i < len(s); {
		if out.Len() >= limit || i-out.Len() >= maxSkip {
			more = true
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\x1b' || 0x80 <= r && r <= 0x9f && r != nextLine {
			i += sequenceLength(s[i:])
			continue
		}
		i += n
		switch {
		case r == '\n' || r == '\r':
			if keepLines {
				space = '\n'
				continue
			}
			fallthrough
		case unicode.IsSpace(r):
			if space == 0 {
				space = ' '
			}
			continue
		case r == zeroWidthJoiner:
			next, _ := utf8.DecodeRuneInString(s[i:])
			if space == 0 && isPictograph(base) && strconv.IsPrint(next) && isPictograph(next) {
				out.WriteRune(r)
			}
			continue
		case r == emojiSelector:
			if space == 0 && !selected && isPictograph(base) {
				out.WriteRune(r)
				selected = true
			}
			continue
		case r >= utf8.RuneSelf && !isVisible(r), r < ' ', r == '\x7f':
			continue
		case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me):
			// An accent needs something to stand on.
			if space == 0 && marks < maxMarks {
				out.WriteRune(r)
				marks++
			}
			continue
		}
		if space != 0 && out.Len() > 0 {
			out.WriteByte(space)
		}
		space = 0
		out.WriteRune(r)
		marks = 0
		if !isSkinTone(r) {
			base, selected = r, false
		}
	}
	return out.String(), more
}

const (
	nextLine        = '\u0085'
	zeroWidthJoiner = '\u200d'
	emojiSelector   = '\ufe0f'
)

// isVisible tells whether r, not ASCII, shows anything. Go counts some
// letters, marks and symbols as printable that are blank by design.
func isVisible(r rune) bool {
	switch {
	case r == utf8.RuneError,
		r == 0x034f,              // combining grapheme joiner
		r == 0x115f, r == 0x1160, // Hangul fillers
		r == 0x3164, r == 0xffa0, // and more of them
		r == 0x17b4, r == 0x17b5, // Khmer inherent vowels
		0x180b <= r && r <= 0x180f, // Mongolian selectors
		r == 0x2800,                // empty Braille pattern
		0xfe00 <= r && r <= 0xfe0f, // variation selectors
		r == 0x1d159,               // null note head
		0xe0000 <= r && r <= 0xe0fff:
		return false
	}
	return strconv.IsPrint(r)
}

// isPictograph tells whether r is an emoji that a joiner may join: whether
// uniseg takes it, a joiner and a watch for one character.
func isPictograph(r rune) bool {
	if r < 0xa9 {
		return false
	}
	joined := string(r) + string(zeroWidthJoiner) + "⌚"
	first, _, _, _ := uniseg.FirstGraphemeClusterInString(joined, -1)
	return first == joined
}

func isSkinTone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// sequenceLength returns the length of the terminal sequence at the start of
// s, which begins with ESC or a C1 control. One that does not end takes the
// rest of its line.
func sequenceLength(s string) int {
	kind, n := rune(0), 0
	if s[0] == '\x1b' {
		n = 1
		// Intermediate bytes, as in the choice of a character set.
		for n < len(s) && ' ' <= s[n] && s[n] <= '/' {
			n++
		}
		if n == len(s) || s[n] < '0' || s[n] > '~' {
			return n
		}
		if n == 1 {
			kind = rune(s[n]) + 0x40 // ESC [ is U+009B, and so on
		}
		n++
	} else {
		kind, n = utf8.DecodeRuneInString(s)
	}
	switch kind {
	case 0x9b: // CSI: parameters, intermediates, one final byte
		for n < len(s) && ' ' <= s[n] && s[n] <= '?' {
			n++
		}
		if n < len(s) && '@' <= s[n] && s[n] <= '~' {
			n++
		}
	case 0x8e, 0x8f: // SS2, SS3: one character of another set
		if n < len(s) && ' ' < s[n] && s[n] <= '~' {
			n++
		}
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f: // DCS, SOS, OSC, PM, APC
		return n + controlStringLength(s[n:])
	}
	return n
}

// controlStringLength returns the length of a control string with its BEL or
// ST. Anything else that cancels one in a terminal ends it too.
func controlStringLength(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\a':
			return i + 1
		case c == '\x1b' && i+1 < len(s) && s[i+1] == '\\':
			return i + 2
		case c == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
			return i + 2
		case c == '\x1b', c == '\x18', c == '\x1a', c == '\n', c == '\r':
			return i
		}
	}
	return len(s)
}

// cut shortens s to the columns and bytes given, at the end of a grapheme
// cluster and with an ellipsis, also where the caller knows of more text.
func cut(s string, more bool, columns, size int) string {
	if !more && len(s) <= min(columns, size) && isASCII(s) {
		return s
	}
	// fits is the longest beginning with room for the ellipsis.
	width, end, fits, state := 0, 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		width += w
		end += len(cluster)
		if width > columns || end > size {
			return withEllipsis(s[:fits])
		}
		if width < columns && end <= size-len(ellipsis) {
			fits = end
		}
	}
	if more {
		return withEllipsis(s[:fits])
	}
	return s
}

func withEllipsis(s string) string {
	s = strings.TrimRight(s, " ")
	if strings.HasSuffix(s, ellipsis) {
		return s
	}
	return s + ellipsis
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
