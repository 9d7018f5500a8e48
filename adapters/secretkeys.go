package adapters

import "strings"

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
	from := privateKeyWords(s, i)
	if from == 0 {
		return i
	}
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

// keyBefore masks the lines in front of "-----END … PRIVATE KEY", whose BEGIN
// was cut off. The word END ends at end.
func (m *masker) keyBefore(end int) {
	s := m.s
	if privateKeyWords(s, end) == 0 {
		return
	}
	to := len(strings.TrimRight(s[:end-len("END")], "-"))
	from := to
	for from > m.done && (isAlnum(s[from-1]) || strings.IndexByte("+/=\\\"'>| \t\n", s[from-1]) >= 0) {
		from--
	}
	from = skipBlanks(s, from)
	m.hide(min(from, to), to)
}

// privateKeyWords returns the end of the words "… PRIVATE KEY" at i, or 0.
func privateKeyWords(s string, i int) int {
	const words, longest = "PRIVATE KEY", 48
	k := strings.Index(s[i:min(len(s), i+longest)], words)
	if k < 0 {
		return 0
	}
	for _, c := range []byte(s[i : i+k]) {
		if c != ' ' && !isUpperAlnum(c) {
			return 0
		}
	}
	return i + k + len(words)
}
