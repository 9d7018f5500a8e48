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
func Mask(s string) string {
	m := masker{s: s}
	for i := 0; i < len(s); {
		i = m.next(i)
	}
	if m.done == 0 {
		return s
	}
	m.out.WriteString(s[m.done:])
	return m.out.String()
}

// A masker walks over the words of s once, from left to right.
type masker struct {
	s    string
	out  strings.Builder
	done int // s up to here is in out, masked

	quote   byte          // the quotation that the walk is inside of, or 0
	command *passwordFlag // of the command that the walk is inside of, or nil
	set     bool          // whether that command is a "set NAME VALUE"
}

// Words that make a name secret wherever they stand in it, and the ones that
// do so as its last part only. Case and the separators _ and - do not count.
var (
	secretWords = [...]string{
		"password", "passwd", "passphrase", "passcode", "secret", "token", "credential",
		"apikey", "accesskey", "privatekey", "authkey", "encryptionkey", "signingkey",
		"masterkey", "deploykey", "servicekey", "accountkey", "sshkey", "authorization",
	}
	secretEndings = [...]string{"auth", "pass", "pwd", "pw", "cookie", "cookies", "sig", "signature", "sshpass", "bearer"}
	harmlessNames = [...]string{"tokeniz", "secretary", "passwordless"}
	// NAME_KEY= and Some-Key: are secret unless they are one of these.
	harmlessKeys = [...]string{"public", "primary", "foreign", "sort", "cache", "partition", "host"}
)

// authSchemes may stay visible in front of the credentials of a header.
var authSchemes = [...]string{
	"bearer", "basic", "token", "digest", "negotiate", "apikey", "key", "aws4-hmac-sha256",
}

// A passwordFlag is how a command takes a password by a flag of its own.
type passwordFlag struct {
	command, flag string
	spaced        bool // the password may also be the next word
}

var passwordFlags = [...]passwordFlag{
	{"mysql", "-p", false},
	{"mysqldump", "-p", false},
	{"mysqladmin", "-p", false},
	{"mysqlimport", "-p", false},
	{"mysqlcheck", "-p", false},
	{"mysqlsh", "-p", false},
	{"mariadb", "-p", false},
	{"mariadb-dump", "-p", false},
	{"7z", "-p", false},
	{"7za", "-p", false},
	{"sshpass", "-p", true},
	{"login", "-p", true}, // docker, podman, helm registry
	{"mongo", "-p", true},
	{"mongosh", "-p", true},
	{"mongodump", "-p", true},
	{"zip", "-P", true},
	{"unzip", "-P", true},
	{"sqlcmd", "-P", true},
	{"redis-cli", "-a", true},
	{"ldapsearch", "-w", true},
	{"curl", "-b", true}, // cookies
	{"openssl", "-k", true},
	{"ssh-keygen", "-N", true},
}

// A keyShape is what the keys of one issuer look like. Where the prefix also
// begins ordinary words, the rest must look random.
type keyShape struct {
	prefix string
	chars  func(byte) bool
	least  int // of chars after the prefix
	random bool
}

var keyShapes = [...]keyShape{
	{"sk-ant-", isNameByte, 1, false},
	{"sk-proj-", isNameByte, 1, false},
	{"sk-or-v1-", isNameByte, 1, false},
	{"sk-", isNameByte, 6, true},
	{"sk_live_", isNameByte, 1, false},
	{"sk_test_", isNameByte, 1, false},
	{"rk_live_", isNameByte, 1, false},
	{"ghp_", isNameByte, 1, false},
	{"gho_", isNameByte, 1, false},
	{"ghu_", isNameByte, 1, false},
	{"ghs_", isNameByte, 1, false},
	{"ghr_", isNameByte, 1, false},
	{"github_pat_", isNameByte, 1, false},
	{"glpat-", isNameByte, 1, false},
	{"gldt-", isNameByte, 1, false},
	{"glrt-", isNameByte, 1, false},
	{"gsk_", isAlnum, 6, true},
	{"xoxa-", isNameByte, 1, false},
	{"xoxb-", isNameByte, 1, false},
	{"xoxc-", isNameByte, 1, false},
	{"xoxd-", isNameByte, 1, false},
	{"xoxe-", isNameByte, 1, false},
	{"xoxe.", isKeyByte, 1, false},
	{"xoxp-", isNameByte, 1, false},
	{"xoxr-", isNameByte, 1, false},
	{"xoxs-", isNameByte, 1, false},
	{"xapp-", isNameByte, 1, false},
	{"xai-", isNameByte, 6, true},
	{"AKIA", isUpperAlnum, 2, false},
	{"ASIA", isUpperAlnum, 6, true},
	{"AIza", isNameByte, 2, false},
	{"ATATT3", isKeyByte, 1, false},
	{"AGE-SECRET-KEY-1", isAlnum, 1, false},
	{"npm_", isAlnum, 6, true},
	{"nvapi-", isNameByte, 6, true},
	{"hf_", isAlnum, 6, true},
	{"pypi-", isNameByte, 16, true},
	{"dckr_pat_", isNameByte, 1, false},
	{"dop_v1_", isAlnum, 1, false},
	{"lin_api_", isAlnum, 1, false},
	{"shpat_", isAlnum, 1, false},
	{"tskey-", isNameByte, 1, false},
	{"whsec_", isKeyByte, 1, false},
	{"ya29.", isKeyByte, 1, false},
	{"SG.", isKeyByte, 16, true},
	{"eyJ", isKeyByte, 3, false}, // JSON web tokens
}

// keyStarts holds the first byte of every key shape.
const keyStarts = "srgxAnhpdltwySe"

// next looks at the word or sign at i and returns where to go on.
func (m *masker) next(i int) int {
	s := m.s
	if !isNameByte(s[i]) {
		m.sign(i)
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
		if to := m.userFlag(i, end); to > 0 {
			return to
		}
		if to := m.passwordFlag(i, end); to > 0 {
			return to
		}
	} else {
		m.noteCommand(s[i:end])
	}
	for _, sign := range [...]string{"://", `:\/\/`} {
		if strings.HasPrefix(s[end:], sign) {
			return m.url(i, end+len(sign))
		}
	}
	switch {
	case s[name:end] == "BEGIN":
		return m.privateKey(end)
	case strings.EqualFold(s[name:end], "bearer"):
		return m.ifRandom(end)
	case strings.EqualFold(s[name:end], "by") && hasSuffixFold(s[:i], "identified "): // SQL
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
		return
	}
	if from >= to || isMasked(m.s[from:to]) {
		return
	}
	m.out.WriteString(m.s[m.done:from])
	m.out.WriteString(mask)
	m.done = to
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
	case ';', '|', '&', '\n':
		m.command, m.set = nil, false
	}
}

func (m *masker) noteCommand(word string) {
	if word == "set" || word == "setenv" || word == "setx" {
		m.set = true
		return
	}
	for i := range passwordFlags {
		if passwordFlags[i].command == word {
			m.command = &passwordFlags[i]
			return
		}
	}
}

// keyEnd returns the end of the well-known key that starts at i, or 0.
func (m *masker) keyEnd(i int) int {
	s := m.s
	if strings.IndexByte(keyStarts, s[i]) < 0 || !startsWord(s, i) {
		return 0
	}
	for k := range keyShapes {
		shape := &keyShapes[k]
		if shape.prefix[0] != s[i] || !strings.HasPrefix(s[i:], shape.prefix) {
			continue
		}
		start := i + len(shape.prefix)
		end := start
		for end < len(s) && shape.chars(s[end]) {
			end++
		}
		if end-start < shape.least {
			continue
		}
		if shape.random && (!looksRandom(s[start:end]) || end < len(s) && isNameByte(s[end])) {
			continue
		}
		return end
	}
	return 0
}

// startsWord tells whether no letter or digit goes before s[i]. Those of an
// escape such as \n, \u0022 or %3D do not count.
func startsWord(s string, i int) bool {
	switch {
	case i == 0 || !isAlnum(s[i-1]):
		return true
	case i >= 2 && s[i-2] == '\\':
		return true
	}
	return i >= 3 && s[i-3] == '%' || i >= 6 && s[i-6:i-4] == `\u`
}

// privateKey masks what follows "BEGIN … PRIVATE KEY-----", up to its END.
func (m *masker) privateKey(i int) int {
	s := m.s
	const words, longest = "PRIVATE KEY", 48
	k := strings.Index(s[i:min(len(s), i+longest)], words)
	if k < 0 {
		return i
	}
	for _, c := range []byte(s[i : i+k]) {
		if c != ' ' && !isUpperAlnum(c) {
			return i
		}
	}
	from := i + k + len(words)
	if strings.HasPrefix(s[from:], " BLOCK") {
		from += len(" BLOCK")
	}
	for from < len(s) && s[from] == '-' {
		from++
	}
	to := len(s)
	if k := strings.Index(s[from:], "-----END"); k >= 0 {
		to = from + k
	}
	m.hide(from, to)
	return to
}

// url masks the password, or a token in the place of the user's name, in a URL
// whose scheme starts at i and whose authority starts at start.
func (m *masker) url(i, start int) int {
	s := m.s
	end := start // of the authority
	for end < len(s) && strings.IndexByte(" \t\n\"'`<>/?#", s[end]) < 0 {
		end++
	}
	if at := strings.LastIndexByte(s[start:end], '@'); at >= 0 {
		at += start
		if colon := strings.IndexByte(s[start:at], ':'); colon >= 0 {
			m.hide(start+colon+1, at)
		} else if strings.HasPrefix(s[i:], "http") && looksRandom(s[start:at]) {
			m.hide(start, at)
		}
		return at
	}
	host := start
	if strings.HasPrefix(s[start:end], "[") { // IPv6
		host += strings.IndexByte(s[start:end], ']') + 1
	}
	colon := strings.IndexByte(s[host:end], ':')
	if colon < 0 || isPort(s[host+colon+1:end]) {
		return end
	}
	// Not a port, so a password: one with a slash in it, or the text was cut
	// before the @.
	from, to := host+colon+1, end
	for end < min(len(s), start+maxAhead) && strings.IndexByte(" \t\n\"'`<>", s[end]) < 0 {
		if s[end] == '@' {
			to = end
		}
		end++
	}
	m.hide(from, to)
	return to
}

// isPort tells whether s, perhaps cut, can be a port or the name of one.
func isPort(s string) bool {
	s = strings.TrimSuffix(s, ellipsis)
	if s == "" || s[0] == '$' || s[0] == '{' || strings.EqualFold(s, "port") {
		return true
	}
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	return 0 < digits && digits <= 5 && (digits == len(s) || !isNameByte(s[digits]))
}

// userFlag masks the password of -u user:password, --user user:password and
// their like.
func (m *masker) userFlag(i, end int) int {
	s := m.s
	flag := s[i:end]
	start := end
	switch {
	case flag == "--user" || flag == "--proxy-user":
		if end < len(s) && s[end] == '=' {
			start++
		}
	case strings.HasPrefix(flag, "--"):
		return 0
	case strings.HasPrefix(flag, "-u") && len(flag) > 2 && end < len(s) && s[end] == ':':
		start = i + len("-u")
	case flag[len(flag)-1]|0x20 != 'u' || len(flag) > 5:
		return 0
	}
	if start == end {
		start = skipBlanks(s, end)
	}
	start, end = m.value(start, 0)
	colon := strings.IndexByte(s[start:end], ':')
	if colon < 0 || strings.HasPrefix(s[start+colon:], "://") {
		return 0
	}
	colon += start
	// docker run -u 1000:1000 is a user and a group.
	if !isDigits(s[start:colon]) || !isDigits(s[colon+1:end]) {
		m.hide(colon+1, end)
	}
	return end
}

// passwordFlag masks the password that the present command takes by a flag.
func (m *masker) passwordFlag(i, end int) int {
	s := m.s
	if m.command == nil || !strings.HasPrefix(s[i:end], m.command.flag) {
		return 0
	}
	start := i + len(m.command.flag)
	if start == end && end < len(s) && s[end] == ' ' {
		if !m.command.spaced {
			return 0
		}
		start = skipBlanks(s, end)
	}
	start, end = m.value(start, 0)
	m.hide(start, end)
	return end
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

// named masks the value that belongs to a name, if the name is a secret's. The
// word starts at i, with the dashes of a flag, and its name at name.
func (m *masker) named(i, name, end int) int {
	s := m.s
	start := m.assigned(i, name, end)
	if start < 0 || start >= len(s) || !isSecretName(s[name:end]) && !m.isSecretKey(name, end) {
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
				from, to = m.value(from+scheme, 0)
			}
			to = m.moreWords(to)
		} else {
			from += scheme
		}
	}
	if isHarmless(lower, s[from:to]) || strings.HasPrefix(s[name:], "PASS:") {
		return end
	}
	m.hide(from, to)
	if around == 0 && !isQuote(s[from-1]) {
		// The word may announce a secret itself: "password: --token x".
		return from
	}
	return to
}

// isSecretKey tells whether the word is the last one of "API key" and the like.
func (m *masker) isSecretKey(name, end int) bool {
	if !strings.EqualFold(m.s[name:end], "key") {
		return false
	}
	for _, kind := range [...]string{"api ", "access ", "secret ", "private ", "encryption "} {
		if hasSuffixFold(m.s[:name], kind) {
			return true
		}
	}
	return false
}

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
	case next > end && !quoted:
		// Prose: a password is hard to tell from a word.
		for _, verb := range [...]string{"is", "was"} {
			if rest, ok := strings.CutPrefix(s[next:], verb); ok && rest != "" && (rest[0] == ' ' || rest[0] == ':') {
				next = afterSign(s, skipBlanks(s, next+len(verb)))
			}
		}
		if from, to := m.value(next, 0); looksRandom(s[from:to]) && strings.ContainsAny(s[from:to], "0123456789") {
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

// afterSign skips =, ==, =>, := and the like.
func afterSign(s string, i int) int {
	for i < len(s) && strings.IndexByte("=:>~", s[i]) >= 0 {
		i++
	}
	return skipBlanks(s, i)
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
	return strings.HasSuffix(flag, "stdin") || strings.HasSuffix(flag, "prompt") || strings.HasPrefix(flag, "no-")
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
		case c == ' ' || c == '\t' || c == '\n':
			break word
		case c == '\\':
			end++
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

// schemeLength returns the length of the authentication scheme, and the space
// after it, that a header's value starts with.
func schemeLength(value string) int {
	for _, scheme := range authSchemes {
		n := len(scheme)
		if len(value) > n && strings.EqualFold(value[:n], scheme) && value[n] == ' ' {
			return n + 1
		}
	}
	return 0
}

// isSecretName tells whether the value of name should not be seen.
func isSecretName(name string) bool {
	const longest = 64
	if len(name) > longest {
		name = name[len(name)-longest:]
	}
	var buf [longest]byte
	joined := buf[:0]
	last := 0 // where the last part of the name starts in joined
	upper := true
	for i := range len(name) {
		c := name[i]
		if c == '_' || c == '-' {
			last = len(joined)
			continue
		}
		if isLower(c) {
			upper = false
		} else if i > 0 && isUpper(c) && isLower(name[i-1]) {
			last = len(joined)
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		joined = append(joined, c)
	}
	whole := string(joined)
	for _, word := range secretWords {
		if strings.Contains(whole, word) {
			return true
		}
	}
	part := strings.TrimRight(whole[last:], "0123456789")
	for _, word := range secretEndings {
		if part == word {
			return name != "PWD" && name != "OLDPWD"
		}
	}
	return (upper || strings.Contains(name, "-")) && last > 0 && part == "key" && !hasAny(whole, harmlessKeys[:])
}

// isHarmless tells whether a value that a secret's name stands before is none:
// counts of tokens, the working directory.
func isHarmless(lower, value string) bool {
	switch {
	case hasAny(lower, harmlessNames[:]):
		return true
	case strings.HasSuffix(lower, "tokens"), strings.HasSuffix(lower, "count"):
		return isDigits(strings.TrimRight(value, "kKmM"))
	case lower == "pwd":
		return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~")
	}
	return false
}

func hasAny(s string, words []string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
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

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
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
func isQuote(c byte) bool      { return c == '"' || c == '\'' || c == '`' }
