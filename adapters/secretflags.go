package adapters

import "strings"

// A passwordFlag is how a command takes a password by a flag of its own.
type passwordFlag struct {
	before  string // the word in front of the command, "" for any
	command string
	flag    string
	form    flagForm
	after   byte // what the password comes after, 0 where it is all
}

type flagForm int

const (
	joined flagForm = iota // -pPASSWORD, where -p alone means something else
	apart                  // -p PASSWORD, and --flag=PASSWORD for a long one
	either
)

// passwordFlags holds the flags of one command one after the other.
var passwordFlags = [...]passwordFlag{
	{"", "mysql", "-p", joined, 0},
	{"", "mysqldump", "-p", joined, 0},
	{"", "mysqladmin", "-p", joined, 0},
	{"", "mysqlimport", "-p", joined, 0},
	{"", "mysqlcheck", "-p", joined, 0},
	{"", "mysqlpump", "-p", joined, 0},
	{"", "mysqlslap", "-p", joined, 0},
	{"", "mysqlsh", "-p", joined, 0},
	{"", "mariadb", "-p", joined, 0},
	{"", "mariadb-dump", "-p", joined, 0},
	{"", "7z", "-p", joined, 0},
	{"", "7za", "-p", joined, 0},
	{"", "sshpass", "-p", either, 0},
	{"", "login", "-p", either, 0}, // docker, podman, helm registry
	{"", "mongo", "-p", either, 0},
	{"", "mongosh", "-p", either, 0},
	{"", "mongodump", "-p", either, 0},
	{"", "useradd", "-p", either, 0},
	{"", "usermod", "-p", either, 0},
	{"", "cqlsh", "-p", either, 0},
	{"", "twine", "-p", either, 0},
	{"poetry", "publish", "-p", either, 0},
	{"", "zip", "-P", either, 0},
	{"", "unzip", "-P", either, 0},
	{"", "sqlcmd", "-P", either, 0},
	{"", "bcp", "-P", either, 0},
	{"", "ipmitool", "-P", either, 0},
	{"", "mosquitto_pub", "-P", either, 0},
	{"", "mosquitto_sub", "-P", either, 0},
	{"", "redis-cli", "-a", either, 0},
	{"", "ldapsearch", "-w", either, 0},
	{"", "ldapadd", "-w", either, 0},
	{"", "ldapmodify", "-w", either, 0},
	{"", "ldapdelete", "-w", either, 0},
	{"", "add-generic-password", "-w", apart, 0}, // security, of macOS
	{"", "add-internet-password", "-w", apart, 0},
	{"", "curl", "-b", either, 0}, // cookies
	{"", "curl", "-E", either, ':'},
	{"", "curl", "--cert", apart, ':'},
	{"", "openssl", "-k", apart, 0},
	{"", "openssl", "-K", apart, 0},
	{"", "ssh-keygen", "-N", either, 0},
	{"", "ssh-keygen", "-P", either, 0},
	{"nuget", "push", "-k", apart, 0},
	{"secret", "set", "-b", either, 0}, // gh
	{"secret", "set", "--body", apart, 0},
	{"secret", "set", "--value", apart, 0}, // az keyvault
	{"", "put-parameter", "--value", apart, 0},
	{"secret", "generic", "--from-literal", apart, '='},
	{"", "http", "-a", either, ':'},
	{"", "https", "-a", either, ':'},
	{"", "smbclient", "-U", either, '%'},
	{"", "lftp", "-u", either, ','},
}

// commandSizes has a bit for the length of each command in passwordFlags, by
// its first byte: most words of a text need no look into the table.
var commandSizes = func() (sizes [256]uint32) {
	for i := range passwordFlags {
		command := passwordFlags[i].command
		sizes[command[0]] |= 1 << len(command)
	}
	return sizes
}()

// noteCommand keeps what the command s[i:end] takes by flags.
func (m *masker) noteCommand(i, end int) {
	word := m.s[i:end]
	if word == "set" || word == "setenv" || word == "setx" {
		m.set = true
	}
	if commandSizes[word[0]]&(1<<len(word)) == 0 {
		return
	}
	for from := range passwordFlags {
		first := &passwordFlags[from]
		if first.command != word || first.before != "" && !follows(m.s, i, first.before) {
			continue
		}
		to := from + 1
		for to < len(passwordFlags) && passwordFlags[to].command == word {
			to++
		}
		m.flags = passwordFlags[from:to]
		return
	}
}

// maskPasswordFlag masks the password that the present command takes by a flag.
func (m *masker) maskPasswordFlag(i, end int) int {
	for k := range m.flags {
		flag := &m.flags[k]
		start := flag.valueStart(m.s, i, end)
		if start < 0 {
			continue
		}
		from, to := m.value(start, 0)
		if flag.after != 0 {
			k := strings.IndexByte(m.s[from:to], flag.after)
			if k < 0 || strings.HasPrefix(m.s[from+k:], "://") {
				return 0
			}
			from += k + 1
		}
		m.hide(from, to)
		return to
	}
	return 0
}

// valueStart returns where the value starts if s[i:end] is, or begins with, the
// flag, or -1.
func (f *passwordFlag) valueStart(s string, i, end int) int {
	word := s[i:end]
	switch {
	case !strings.HasPrefix(word, f.flag):
		return -1
	case word == f.flag && end < len(s) && isBlankByte(s[end]):
		if f.form == joined {
			return -1
		}
		return skipBlanks(s, end)
	case f.form != apart:
		return i + len(f.flag)
	case word == f.flag && strings.HasPrefix(word, "--") && strings.HasPrefix(s[end:], "="):
		return end + 1
	}
	return -1
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
