package adapters

import "strings"

// assigned returns where the value of the name that ends at end starts, or -1
// if none is given to it.
func (m *masker) assigned(i, name, end int) int {
	s := m.s
	k, quoted := end, false
	for k < len(s) && (isQuote(s[k]) || s[k] == '\\' || s[k] == ']') {
		quoted = quoted || isQuote(s[k])
		k++
	}
	next := skipBlanks(s, k)
	if next == len(s) {
		return -1
	}
	switch c := s[next]; {
	case c == ':' && strings.HasPrefix(s[next:], "::"):
		return -1
	case c == '=' || c == ':':
		return afterSign(s, next)
	case c == '%' && (hasPrefixFold(s[next:], "%3d") || hasPrefixFold(s[next:], "%3a")):
		return next + len("%3d")
	case strings.HasPrefix(s[next:], "：") || strings.HasPrefix(s[next:], "＝"):
		return skipBlanks(s, next+len("："))
	case strings.HasPrefix(s[next:], "->"):
		return afterSign(s, next+len("-"))
	case strings.HasPrefix(s[next:], "→"):
		return skipBlanks(s, next+len("→"))
	case strings.IndexByte("+?!|", c) >= 0 && strings.IndexByte(s[next+1:min(len(s), next+2)], '=') >= 0:
		return afterSign(s, next+1)
	case c == '>' && next == end && name == i && i > 0 && s[i-1] == '<':
		return next + 1
	case c == ',' && quoted && !isValue(s, i):
		if next = skipBlanks(s, next+1); next < len(s) && (isQuote(s[next]) || s[next] == '\\') {
			return next
		}
	case name > i && next > end && !isFlag(s[next:]) && !takesNoValue(s[name:end]):
		return next
	case m.set && next > end && !quoted && strings.ContainsAny(s[name:end], "_ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
		return next
	case next > end && !quoted && isQuote(c) && !strings.EqualFold(s[name:end], "pass"):
		return next
	case next > k && !quoted:
		// Prose: a password is hard to tell from a word.
		for _, verb := range [...]string{"is", "was"} {
			if rest, ok := strings.CutPrefix(s[next:], verb); ok && rest != "" && (isBlankByte(rest[0]) || rest[0] == ':') {
				next = afterSign(s, skipBlanks(s, next+len(verb)))
			}
		}
		// Only a glance: every word of a text comes by here.
		const enough = 128
		glance := masker{s: s[:min(len(s), next+enough)], quote: m.quote}
		if from, to := glance.value(next, 0); isRandom(s[from:to]) {
			return next
		}
	}
	return m.valueMember(k)
}

// valueMember returns where the value starts in a list of names and values,
// such as {"name": "TOKEN", "value": "x"}, or -1. The name ends at i.
func (m *masker) valueMember(i int) int {
	s := m.s
	for i < len(s) && strings.IndexByte(", \n\"'\\", s[i]) >= 0 {
		i++
	}
	rest, ok := strings.CutPrefix(s[i:], "value")
	rest = strings.TrimLeft(rest, "\"'\\")
	if !ok || !strings.HasPrefix(rest, ":") {
		return -1
	}
	return afterSign(s, len(s)-len(rest))
}

// isValue tells whether the quoted word at i stands behind a colon or an equals
// sign, and so is no name.
func isValue(s string, i int) bool {
	before := strings.TrimRight(s[max(0, i-len(`: \"`)):i], "\"'`\\ ")
	return before != "" && strings.IndexByte(":=", before[len(before)-1]) >= 0
}

// afterSign skips =, ==, =>, := and the like, and what a list or a block in
// the lines below starts with. Where the next line has a name of its own, the
// one before it has no value.
func afterSign(s string, i int) int {
	for i < len(s) && strings.IndexByte("=:>~", s[i]) >= 0 {
		i++
	}
	start := skipBlanks(s, i)
	if strings.IndexByte(s[i:start], '\n') >= 0 && startsMember(s[start:], s[i-1]) {
		return i
	}
	for _, sign := range [...]string{"-", "*", ">", "|", ">-", "|-", ">+", "|+"} {
		end := start + len(sign)
		if end < len(s) && isBlankByte(s[end]) && s[start:end] == sign {
			return skipBlanks(s, end)
		}
	}
	return start
}

// startsMember tells whether the line s assigns by the sign given, and is no
// value that has it inside or at its end, as base64 has.
func startsMember(s string, sign byte) bool {
	if !startsAssignment(s) {
		return false
	}
	k := strings.IndexAny(s, "=:")
	if isRandom(s[:k]) {
		return false
	}
	if s[k] == ':' {
		return k+1 == len(s) || isBlankByte(s[k+1])
	}
	return sign == '=' && k+1 < len(s) && s[k+1] != '=' && !isBlankByte(s[k+1])
}

// isFlag tells whether s starts with a flag rather than with a password that
// begins with a dash.
func isFlag(s string) bool {
	if s[0] != '-' {
		return false
	}
	end := 1
	for end < len(s) && (s[end] == '-' || isLower(s[end])) {
		end++
	}
	if end == 1 && len(s) > 1 && isAlnum(s[1]) {
		end = 2 // -H
	}
	return end == len(s) || strings.IndexByte(" =\"'", s[end]) >= 0
}

func takesNoValue(flag string) bool {
	return strings.HasSuffix(flag, "stdin") || strings.HasSuffix(flag, "-fd") || strings.HasSuffix(flag, "prompt") || strings.HasPrefix(flag, "no-")
}

// value returns the bounds of the value at start, without its quotes. It is
// quoted, or ends with the quote around it, or is a word as a shell takes it.
func (m *masker) value(start int, around byte) (from, to int) {
	s := m.s
	from = start
	for from < len(s) && s[from] == '\\' {
		from++
	}
	if from < len(s) && s[from] == '$' && from+1 < len(s) && s[from+1] == '\'' {
		from++
	}
	if from+2 < len(s) && isQuote(s[from]) && s[from+1] == s[from] && s[from+2] == s[from] {
		// A fence, or a text of several lines.
		fence := s[from : from+3]
		from += len(fence)
		if k := strings.Index(s[from:], fence); k >= 0 {
			return from, from + k
		}
		return from, len(s)
	}
	if from < len(s) && isQuote(s[from]) && s[from] != around {
		to = quoteEnd(s, from+1, s[from], from-start)
		return from + 1, to
	}
	if around != 0 {
		return start, quoteEnd(s, start, around, 0)
	}
	if start > 1 && s[start-1] == '>' && isNameByte(s[start-2]) { // XML
		if k := strings.IndexByte(s[start:], '<'); k >= 0 {
			return start, start + k
		}
		return start, len(s)
	}
	if start < len(s) && s[start] == '{' {
		inside := skipBlanks(s, start+1)
		if inside == len(s) || isQuote(s[inside]) || s[inside] == '\\' || startsAssignment(s[inside:]) {
			return start, start // an object: its own names follow
		}
	}
	if start < len(s) && s[start] == '[' {
		if k := strings.IndexByte(s[start:], ']'); k >= 0 {
			return start + 1, start + k
		}
		return start, len(s)
	}
	return start, m.wordEnd(start)
}

// quoteEnd returns the end of a quotation, or of the text. The quote that ends
// it has no more backslashes in front than the one that began it.
func quoteEnd(s string, i int, quote byte, backslashes int) int {
	run := 0
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			run++
			continue
		case s[i] == quote && (run <= backslashes || backslashes == 0 && run%2 == 0):
			return i - run
		}
		run = 0
	}
	return len(s)
}

// wordEnd returns the end of a value that is not quoted as a whole. Signs that
// end it only for some readers belong to it, save at its end.
func (m *masker) wordEnd(start int) int {
	s := m.s
	// A word inside a masked one ends no sooner than that does. To look at it
	// again would make a chain of names quadratic.
	end := max(start, m.done)
	least := max(start+1, end)
word:
	for end < len(s) {
		switch c := s[end]; {
		case isBlankByte(c):
			break word
		case c == '\\':
			end++
			if end == start+1 && end < len(s) && s[end] == '\n' {
				end = skipBlanks(s, end) - 1 // a line that goes on
			}
		case isQuote(c):
			if c == m.quote {
				break word
			}
			closing := quoteEnd(s, end+1, c, 0)
			if closing < len(s) || c == '"' {
				end = closing
			}
		case c == '$' && strings.HasPrefix(s[end:], "$("):
			end = parenthesisEnd(s, end+1)
			least = end + 1
		case (c == '&' || c == ';' || c == ',') && startsAssignment(s[end+1:]):
			break word
		}
		end++
	}
	end = min(end, len(s))
	for end > least && strings.IndexByte(",;)}]&|>", s[end-1]) >= 0 {
		end--
	}
	return end
}

// parenthesisEnd returns the end of a substitution that starts at i. A very
// long one takes all the text.
func parenthesisEnd(s string, i int) int {
	depth := 0
	for limit := min(len(s), i+maxAhead); i < limit; i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// startsAssignment tells whether s starts with a name and = or :.
func startsAssignment(s string) bool {
	const longest = 40
	for i := range min(len(s), longest) {
		if !isNameByte(s[i]) {
			return i > 0 && (s[i] == '=' || s[i] == ':')
		}
	}
	return false
}

// moreWords returns the end of a header's value that is not quoted: a word
// that ends with a comma or a semicolon has another one behind it.
func (m *masker) moreWords(end int) int {
	s := m.s
	for end < len(s) && (s[end] == ';' || s[end] == ',') {
		next := skipBlanks(s, end+1)
		if next == end+1 {
			break
		}
		end = m.wordEnd(next)
	}
	return end
}

// authSchemes may stay visible in front of the credentials of a header.
var authSchemes = [...]string{
	"bearer", "basic", "token", "digest", "negotiate", "apikey", "key", "aws4-hmac-sha256",
}

// schemeLength returns the length of the authentication scheme, and the space
// after it, that a header's value starts with.
func schemeLength(value string) int {
	for _, scheme := range authSchemes {
		n := len(scheme)
		if len(value) > n && strings.EqualFold(value[:n], scheme) && isBlankByte(value[n]) {
			return n + 1
		}
	}
	return 0
}
