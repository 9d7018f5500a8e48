package adapters

import "strings"

// Words that make a name secret wherever they stand in it, and the ones that
// do so as its last part only. Case and the separators _ and - do not count.
var (
	secretWords = [...]string{
		"password", "passwd", "passphrase", "passcode", "secret", "token", "credential",
		"apikey", "accesskey", "privatekey", "authkey", "encryptionkey", "signingkey",
		"storepass", "keypass", "masterkey", "deploykey", "servicekey", "accountkey", "sshkey", "authorization",
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

// isPasscode tells the flags for passwords that serve once. As plain names they
// mean other things too.
func isPasscode(flag string) bool {
	return strings.EqualFold(flag, "otp") || strings.EqualFold(flag, "totp")
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
	// A folder, where the name was what to look for in it.
	return strings.HasSuffix(value, "/") && isLowerWord(strings.Map(pathSign, value))
}

// pathSign drops what stands between the words of a path.
func pathSign(r rune) rune {
	if strings.ContainsRune("/._-", r) {
		return -1
	}
	return r
}

func isLowerWord(s string) bool {
	for i := range len(s) {
		if !isLower(s[i]) {
			return false
		}
	}
	return s != ""
}

func hasAny(s string, words []string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}
