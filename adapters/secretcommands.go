package adapters

import "strings"

// A span is a part of the text that the walk has yet to come by.
type span struct{ from, to int }

// expect looks for the secret that the command, whose word is s[i:end], takes
// without a flag that tells: at a place among its words, or from a pipe.
func (m *masker) expect(i, end int) {
	s := m.s
	switch word := s[i:end]; word {
	case "login":
		if follows(s, i, "vault") || follows(s, i, "cargo") {
			m.ahead = m.glance(end).loginToken(end)
		}
	case "htpasswd":
		m.ahead = m.glance(end).htpasswd(end)
	case "echo", "printf":
		m.ahead = m.glance(end).piped(end)
	case "read", "passwd", "su":
		m.fed = true
	case "set":
		if follows(s, i, "user-secrets") { // of dotnet: NAME VALUE
			m.ahead = m.glance(end).wordsFrom(end, 2)
		}
		m.secrets = m.secrets || follows(s, i, "secrets")
	case "add_user", "change_password", "authenticate_user":
		if follows(s, i, "rabbitmqctl") {
			m.ahead = m.glance(end).wordsFrom(end, 2)
		}
	case "unlock":
		if follows(s, i, "bw") {
			m.ahead = m.glance(end).wordsFrom(end, 1)
		}
	case "config":
		if follows(s, i, "poetry") || follows(s, i, "composer") {
			m.ahead = m.glance(end).packageToken(end)
		}
	case "sqlplus":
		m.ahead = m.glance(end).loginWord(end, '/')
	case "xfreerdp":
		m.ahead = m.glance(end).slashFlag(end)
	default:
		if strings.HasPrefix(word, "impacket-") {
			m.ahead = m.glance(end).loginWord(end, ':')
		}
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

// argument is nextWord past the flags.
func (m *masker) argument(i int) (word span, after int, ok bool) {
	for {
		word, after, ok = m.nextWord(i)
		if !ok || !strings.HasPrefix(m.s[word.from:word.to], "-") {
			return word, after, ok
		}
		i = after
	}
}

// loginToken is the token of "vault login TOKEN" and "cargo login TOKEN".
func (m *masker) loginToken(i int) span {
	word, _, ok := m.argument(i)
	if text := m.s[word.from:word.to]; ok && looksRandom(text) && !strings.Contains(text, "=") {
		return word
	}
	return span{}
}

// wordsFrom is the words of a command from the given one on, the first being 1,
// up to a flag. Flags in front of it do not count.
func (m *masker) wordsFrom(i, first int) span {
	var all span
	for {
		word, after, ok := m.nextWord(i)
		isFlag := strings.HasPrefix(m.s[word.from:word.to], "-")
		switch {
		case !ok, isFlag && all.to > 0:
			return all
		case isFlag:
		case first > 1:
			first--
		case all.to == 0:
			all = word
		default:
			all.to = word.to
		}
		i = after
	}
}

// packageToken is what "poetry config" and "composer config" set, where that is
// a token or a user with a password.
func (m *masker) packageToken(i int) span {
	word, after, ok := m.argument(i)
	if ok && hasAny(m.s[word.from:word.to], []string{"token", "oauth", "http-basic", "bearer"}) {
		return m.wordsFrom(after, 1)
	}
	return span{}
}

// loginWord is the password of a word such as USER/PASSWORD@HOST, or of one that
// ends before the host.
func (m *masker) loginWord(i int, sign byte) span {
	for {
		word, after, ok := m.nextWord(i)
		if !ok {
			return span{}
		}
		text := m.s[word.from:word.to]
		start, at := strings.IndexByte(text, sign), strings.LastIndexByte(text, '@')
		if at < 0 {
			at = len(text)
		}
		if 0 < start && start < at {
			return span{word.from + start + 1, word.from + at}
		}
		i = after
	}
}

// slashFlag is the password of /p:PASSWORD.
func (m *masker) slashFlag(i int) span {
	const flag = "/p:"
	for {
		word, after, ok := m.nextWord(i)
		if !ok {
			return span{}
		}
		if strings.HasPrefix(m.s[word.from:word.to], flag) {
			return span{word.from + len(flag), word.to}
		}
		i = after
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
	reader := strings.TrimLeft(rest, " ")
	if reader == "su" || strings.HasPrefix(reader, "su ") || hasAny(rest, passwordReaders[:]) {
		return all
	}
	return span{}
}

// passwordReaders are in commands that take a secret from a pipe.
var passwordReaders = [...]string{
	"sudo -S", "-stdin", "--stdin", "--with-token", "--passphrase-fd", "chpasswd", "secret set",
}

// readsPassword tells the flags with which a command takes a secret from its
// standard input.
func readsPassword(flag string) bool {
	return flag == "-S" || flag == "--with-token" || strings.HasSuffix(flag, "-stdin") || flag == "--passphrase-fd"
}
