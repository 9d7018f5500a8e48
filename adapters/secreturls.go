package adapters

import "strings"

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
		return m.urlPath(host, end)
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

// urlPath masks what gives access in the path of a URL: the end of a webhook's,
// and the token of a Telegram bot. Host and path start at host and start.
func (m *masker) urlPath(host, start int) int {
	s := m.s
	end := start
	for end < min(len(s), start+maxAhead) && !isBlankByte(s[end]) && strings.IndexByte("\"'`<>?#", s[end]) < 0 {
		end++
	}
	for end > start && strings.IndexByte(`\,;.)}]&|`, s[end-1]) >= 0 {
		end--
	}
	isHook := strings.HasPrefix(s[host:], "hooks.")
	for at := start; at < end; {
		segment := at + 1
		at = segment
		for at < end && s[at] != '/' {
			at++
		}
		text := s[segment:at]
		isHook = isHook || strings.Contains(s[host:segment], "webhook")
		if isHook && isRandom(text) && !strings.Contains(text, "webhook") {
			m.hide(segment, end)
			return end
		}
		if id, _, ok := strings.Cut(strings.TrimPrefix(text, "bot"), ":"); ok && isDigits(id) && strings.HasPrefix(text, "bot") {
			m.hide(segment+len("bot")+len(id)+1, at)
			return at
		}
	}
	return start
}

// isQueryKey tells whether the name, with its value at start, is that of a key
// in a URL's query. It also stands for keys of other kinds.
func (m *masker) isQueryKey(name, end, start int) bool {
	s := m.s
	if name == 0 || s[name-1] != '?' && s[name-1] != '&' || s[end] != '=' || s[name:end] != "key" && s[name:end] != "code" {
		return false
	}
	from, to := m.value(start, 0)
	return isRandom(s[from:to])
}
