package adapters

import "strings"

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
	case strings.HasSuffix(lower, "output_tokens"), strings.HasSuffix(lower, "input_tokens"), lower == "max_tokens":
		return true // of a model; also the name of an error
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
