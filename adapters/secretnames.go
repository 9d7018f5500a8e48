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

// isSecretKey tells whether the word is the last one of "API key" and the like.
func (m *masker) isSecretKey(name, end int) bool {
	if !strings.EqualFold(m.s[name:end], "key") {
		return false
	}
	for _, kind := range [...]string{"api", "access", "secret", "private", "encryption"} {
		if follows(m.s, name, kind) {
			return true
		}
	}
	return false
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
