package adapters

import "strings"

// A span is a part of the text that the walk has yet to come by.
type span struct{ from, to int }

// expect looks for the secret that the command, whose word is s[i:end], takes
// without a flag that tells: at a place among its words, or from a pipe.
func (m *masker) expect(i, end int) {
	switch m.s[i:end] {
	case "login":
		if follows(m.s, i, "vault") {
			m.ahead = m.glance(end).vaultToken(end)
		}
	case "htpasswd":
		m.ahead = m.glance(end).htpasswd(end)
	case "echo", "printf":
		m.ahead = m.glance(end).piped(end)
	case "read":
		m.fed = true
	}
}

// glance sees little of what comes after end: a text may be full of commands.
func (m *masker) glance(end int) *masker {
	return &masker{s: m.s[:min(len(m.s), end+maxAhead)], quote: m.quote}
}

// nextWord is the word of a command after i, without its quotes, and where to
// go on. At the end of the command there is none.
func (m *masker) nextWord(i int) (word span, after int, ok bool) {
	s := m.s
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\\') {
		i++
	}
	if i == len(s) || strings.IndexByte("\n;|&<>)", s[i]) >= 0 {
		return span{}, i, false
	}
	from, to := m.value(i, 0)
	if from > i { // quoted
		return span{from, to}, min(to+1, len(s)), true
	}
	if k := strings.IndexAny(s[from:to], ";|&<>"); k > 0 {
		to = from + k
	}
	return span{from, to}, max(to, i+1), true
}

// vaultToken is the token of "vault login TOKEN".
func (m *masker) vaultToken(i int) span {
	for {
		word, after, ok := m.nextWord(i)
		text := m.s[word.from:word.to]
		switch {
		case !ok:
			return span{}
		case strings.HasPrefix(text, "-"):
			i = after
		case looksRandom(text) && !strings.Contains(text, "="):
			return word
		default:
			return span{}
		}
	}
}

// htpasswd is the password of "htpasswd -b FILE USER PASSWORD" and "-nb USER
// PASSWORD".
func (m *masker) htpasswd(i int) span {
	batch, place := false, 3
	for {
		word, after, ok := m.nextWord(i)
		if !ok {
			return span{}
		}
		i = after
		if flag := m.s[word.from:word.to]; strings.HasPrefix(flag, "-") && place > 1 {
			batch = batch || strings.Contains(flag, "b")
			if strings.Contains(flag, "n") {
				place--
			}
			if strings.HasSuffix(flag, "C") || strings.HasSuffix(flag, "r") { // and a number
				place++
			}
			continue
		}
		if !batch {
			return span{}
		}
		if place--; place == 0 {
			return word
		}
	}
}

// piped is what echo or printf hands to a command that reads a password.
func (m *masker) piped(i int) span {
	s := m.s
	var all span
	for {
		word, after, ok := m.nextWord(i)
		if !ok {
			i = after
			break
		}
		text := s[word.from:word.to]
		if all.to == 0 && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "%") {
			all.from = word.from
		}
		if all.from > 0 {
			all.to = word.to
		}
		i = after
	}
	rest, isPipe := strings.CutPrefix(s[i:], "|")
	if all.from == 0 || !isPipe {
		return span{}
	}
	if k := strings.IndexAny(rest, "\n;|&"); k >= 0 {
		rest = rest[:k]
	}
	for _, reader := range [...]string{"sudo -S", "-stdin", "--stdin", "--with-token", "chpasswd"} {
		if strings.Contains(rest, reader) {
			return all
		}
	}
	return span{}
}

// readsPassword tells the flags with which a command takes a secret from its
// standard input.
func readsPassword(flag string) bool {
	return flag == "-S" || flag == "--with-token" || strings.HasSuffix(flag, "-stdin")
}
