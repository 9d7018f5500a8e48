package adapters

import "strings"

// A passwordFlag is how a command takes a password by a flag of its own.
type passwordFlag struct {
	command, flag string
	spaced        bool // the password may also be the next word
	after         byte // what the password comes after, 0 where it is all
}

var passwordFlags = [...]passwordFlag{
	{"mysql", "-p", false, 0},
	{"mysqldump", "-p", false, 0},
	{"mysqladmin", "-p", false, 0},
	{"mysqlimport", "-p", false, 0},
	{"mysqlcheck", "-p", false, 0},
	{"mysqlsh", "-p", false, 0},
	{"mariadb", "-p", false, 0},
	{"mariadb-dump", "-p", false, 0},
	{"7z", "-p", false, 0},
	{"7za", "-p", false, 0},
	{"sshpass", "-p", true, 0},
	{"login", "-p", true, 0}, // docker, podman, helm registry
	{"mongo", "-p", true, 0},
	{"mongosh", "-p", true, 0},
	{"mongodump", "-p", true, 0},
	{"zip", "-P", true, 0},
	{"unzip", "-P", true, 0},
	{"sqlcmd", "-P", true, 0},
	{"redis-cli", "-a", true, 0},
	{"ldapsearch", "-w", true, 0},
	{"curl", "-b", true, 0}, // cookies
	{"openssl", "-k", true, 0},
	{"ssh-keygen", "-N", true, 0},
	{"twine", "-p", true, 0},
	{"http", "-a", true, ':'},
	{"https", "-a", true, ':'},
	{"smbclient", "-U", true, '%'},
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

// maskPasswordFlag masks the password that the present command takes by a flag.
func (m *masker) maskPasswordFlag(i, end int) int {
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

// maskUserFlag masks the password of -u user:password, --user user:password and
// their like.
func (m *masker) maskUserFlag(i, end int) int {
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

// isPasscode tells the flags for passwords that serve once. As plain names they
// mean other things too.
func isPasscode(flag string) bool {
	return strings.EqualFold(flag, "otp") || strings.EqualFold(flag, "totp")
}
