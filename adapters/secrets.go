package adapters

import "strings"

// maxAhead is how far Mask looks for the end of what may be no secret.
const maxAhead = 1024

// mask takes the place of a secret.
const mask = "***"

// Mask replaces what looks like a secret by ***: values of names, flags and
// headers that speak of secrets, passwords in URLs and after -u and -p, and
// keys of well-known shapes. It rather masks a harmless word than lets a
// secret through; the names stay. Text that was cut inside a secret counts.
//
// The walk over the text is in this file. What it looks for is in others:
// names of secrets in secretnames.go and the values given to them in
// secretvalues.go, what commands take in secretflags.go and, without a flag
// that tells, in secretcommands.go, URLs in secreturls.go, and keys that are
// known by their shape in secretkeys.go.
func Mask(s string) string {
	m := masker{s: s}
	m.walk()
	if m.done == 0 {
		return s
	}
	m.out.WriteString(s[m.done:])
	return m.out.String()
}

// maskedSpans is what Mask would replace in s.
func maskedSpans(s string) []span {
	var spans []span
	m := masker{s: s, spans: &spans}
	m.walk()
	return spans
}

// A masker walks over the words of s once, from left to right.
type masker struct {
	s    string
	out  strings.Builder
	done int // s up to here is in out, masked

	spans *[]span // what was masked, for who asks

	quote   byte           // the quotation that the walk is inside of, or 0
	flags   []passwordFlag // of the command that the walk is inside of
	set     bool           // whether that command is a "set NAME VALUE"
	secrets bool           // or a "secrets set NAME=VALUE"
	fed     bool           // or reads a secret from its standard input
	ahead   span           // a secret that was seen from its command
}

func (m *masker) walk() {
	for i := 0; i < len(m.s); {
		i = m.next(i)
	}
}

// next looks at the word or sign at i and returns where to go on.
func (m *masker) next(i int) int {
	s := m.s
	if m.ahead.to > i && i >= m.ahead.from {
		m.hide(i, m.ahead.to)
		return m.ahead.to
	}
	if !isNameByte(s[i]) {
		m.sign(i)
		if m.fed && strings.HasPrefix(s[i:], "<<<") {
			from, to := m.value(skipBlanks(s, i+len("<<<")), 0)
			m.hide(from, to)
			return to
		}
		return i + 1
	}
	end := i + 1
	for end < len(s) && isNameByte(s[end]) {
		end++
	}
	for k := i; k < end; k++ {
		if k > i+len("u0022") && isAlnum(s[k-1]) {
			continue // inside a word, and not right after an escape
		}
		if keyEnd := m.keyEnd(k); keyEnd > 0 {
			m.hide(k, keyEnd)
			return keyEnd
		}
	}
	name := i
	for name < end && s[name] == '-' {
		name++
	}
	if name > i {
		if to := m.maskPasswordFlag(i, end); to > 0 {
			return to
		}
		if to := m.maskUserFlag(i, end); to > 0 {
			return to
		}
		m.fed = m.fed || readsPassword(s[i:end])
	}
	for _, sign := range [...]string{"://", `:\/\/`} {
		if strings.HasPrefix(s[end:], sign) {
			return m.url(i, end+len(sign))
		}
	}
	if name == i {
		m.noteCommand(i, end)
		m.expect(i, end)
	}
	switch {
	case s[name:end] == "BEGIN", strings.HasSuffix(s[i:end], "-BEGIN"): // behind an escaped line end
		return m.privateKey(end)
	case strings.EqualFold(s[name:end], "bearer"):
		return m.ifRandom(end)
	case strings.HasSuffix(s[i:end], "-END"):
		m.keyBefore(end)
	case strings.EqualFold(s[name:end], "by") && follows(s, i, "identified"): // SQL
		if start := skipBlanks(s, end); start < len(s) && isQuote(s[start]) {
			from, to := m.value(start, 0)
			m.hide(from, to)
			return to
		}
	}
	return m.named(i, name, end)
}

// hide masks s[from:to], unless that is nothing or a mask already. What begins
// inside the last masked part makes that one longer.
func (m *masker) hide(from, to int) {
	if from < m.done {
		m.done = max(m.done, to)
		if m.spans != nil {
			(*m.spans)[len(*m.spans)-1].to = m.done
		}
		return
	}
	if from >= to || isMasked(m.s[from:to]) {
		return
	}
	m.out.WriteString(m.s[m.done:from])
	m.out.WriteString(mask)
	m.done = to
	if m.spans != nil {
		*m.spans = append(*m.spans, span{from, to})
	}
}

// isMasked tells whether value is the mask, perhaps cut.
func isMasked(value string) bool {
	stars, wasCut := strings.CutSuffix(value, ellipsis)
	return value == mask || wasCut && strings.HasPrefix(mask, stars)
}

// sign keeps track of quotations and of the ends of commands.
func (m *masker) sign(i int) {
	switch c := m.s[i]; c {
	case '"', '\'', '`':
		switch {
		case i > 0 && m.s[i-1] == '\\':
		case m.quote == c:
			m.quote = 0
		case m.quote == 0 && (i == 0 || strings.IndexByte(" \n=([{,:$", m.s[i-1]) >= 0):
			m.quote = c // and not an apostrophe
		}
	case '\n':
		if i > 0 && m.s[i-1] == '\\' {
			break // the command goes on
		}
		fallthrough
	case ';', '|', '&':
		m.flags, m.set, m.secrets, m.fed = nil, false, false, false
	}
}

// named masks the value that belongs to a name, if the name is a secret's. The
// word starts at i, with the dashes of a flag, and its name at name.
func (m *masker) named(i, name, end int) int {
	s := m.s
	start := m.assigned(i, name, end)
	if start < 0 || start >= len(s) {
		return end
	}
	isFlag := name > i
	isMember := m.secrets && !isFlag && s[end] == '='
	if !isMember && !isSecretName(s[name:end]) && !m.isSecretKey(name, end) && !m.isQueryKey(name, end, start) && !(isFlag && isPasscode(s[name:end])) {
		return end
	}
	lower := strings.ToLower(s[name:end])
	// The quote right before a name also ends its value: -H "Name: value".
	var around byte
	isHeader := strings.HasSuffix(lower, "authorization") || strings.HasSuffix(lower, "cookie")
	if i > 0 && isQuote(s[i-1]) {
		if end == len(s) || s[end] != s[i-1] && s[end] != '\\' {
			around = s[i-1]
		}
	} else if isHeader {
		around = m.quote
	}
	from, to := m.value(start, around)
	if isHeader {
		scheme := schemeLength(s[from:to])
		if around == 0 && start == from { // not quoted
			if scheme = schemeLength(s[from:]); scheme > 0 {
				from, to = m.value(skipBlanks(s, from+scheme), 0)
			}
			to = m.moreWords(to)
		} else {
			from += scheme
		}
	}
	if isHarmless(lower, s[from:to]) || lower == "auth" && s[end] == ':' && isLowerWord(s[from:to]) || strings.HasPrefix(s[name:], "PASS:") {
		return end
	}
	m.hide(from, to)
	if around == 0 && !isQuote(s[from-1]) {
		// The word may announce a secret itself: "password: --token x".
		return from
	}
	return to
}

// ifRandom masks the word after s[end], where it looks like a key.
func (m *masker) ifRandom(end int) int {
	start := skipBlanks(m.s, end)
	if start == end {
		return end
	}
	from, to := m.value(start, 0)
	if !looksRandom(m.s[from:to]) {
		return end
	}
	m.hide(from, to)
	return to
}

// looksRandom tells keys from words: a digit, capitals inside, or sheer length.
func looksRandom(s string) bool {
	const short, long = 6, 20
	if len(s) < short {
		return false
	}
	if len(s) >= long {
		return true
	}
	lower, inner := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			return true
		case isLower(c):
			lower = true
		case i > 0 && isUpper(c):
			inner = true
		}
	}
	return lower && inner
}

// isRandom is looksRandom for what may be a word of any length.
func isRandom(s string) bool {
	return looksRandom(s) && strings.ContainsAny(s, "0123456789")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// follows tells whether the word at i stands behind the given one.
func follows(s string, i int, word string) bool {
	end := i
	for end > 0 && isBlankByte(s[end-1]) {
		end--
	}
	return end < i && end >= len(word) && strings.EqualFold(s[end-len(word):end], word)
}

// skipBlanks also goes over line ends: a secret often stands below its name.
func skipBlanks(s string, i int) int {
	for i < len(s) && isBlankByte(s[i]) {
		i++
	}
	return i
}

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func isDigit(c byte) bool      { return '0' <= c && c <= '9' }
func isLower(c byte) bool      { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool      { return 'A' <= c && c <= 'Z' }
func isUpperAlnum(c byte) bool { return isUpper(c) || isDigit(c) }
func isAlnum(c byte) bool      { return isLower(c) || isUpperAlnum(c) }
func isNameByte(c byte) bool   { return isAlnum(c) || c == '_' || c == '-' }
func isKeyByte(c byte) bool    { return isNameByte(c) || strings.IndexByte(".+/=", c) >= 0 }
func isBlankByte(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' }
func isQuote(c byte) bool      { return c == '"' || c == '\'' || c == '`' }
