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
	if start == end && end < len(s) && isBlankByte(s[end]) {
		if !m.command.spaced {
			return 0
		}
		start = skipBlanks(s, end)
	}
	start, end = m.value(start, 0)
	if after := m.command.after; after != 0 {
		k := strings.IndexByte(s[start:end], after)
		if k < 0 || strings.HasPrefix(s[start+k:], "://") {
			return 0
		}
		start += k + 1
	}
	m.hide(start, end)
	return end
}
