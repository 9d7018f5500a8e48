package adapters

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// What a Scanner keeps, in bytes. The names and ids that adapters read are
// short; everything longer is only ever shown as one line of text.
const (
	maxPayload = 1 << 20   // all of the kept text
	maxMember  = 256 << 10 // the value of one top-level member or element
	maxString  = 16 << 10  // the text of one string
	maxLater   = 256       // the same once half the room of its member is used

	// A member or string may also take no more than one part in fairShare of
	// what room is left, so that small fields behind large ones always fit.
	fairShare = 4
	// With less room than this, all further members are dropped.
	minRoom = 4 << 10

	// Deeper than this a value is dropped; no agent nests its payload so.
	maxDepth = 1000
)

// A Scanner finds the end of the first JSON value in a stream of bytes and
// keeps a shortened copy of it: long strings are cut, huge values at the top
// level become null, and white space between tokens goes. A valid value stays
// valid, and its short fields stay as they are, however large the rest is.
// Invalid input gives no error, only a bounded copy of no promised form.
//
// The zero Scanner is ready for use.
type Scanner struct {
	out   []byte
	phase phase
	bom   int // bytes of a byte order mark seen so far

	depth   int
	isArray bool // the outermost value is an array

	drop        dropping
	inMember    bool // at or inside the value of a top-level member
	memberStart int  // where that value starts in out
	limit       int  // out may grow to this while the member lasts

	escaped     bool // the next byte follows a backslash
	cut         bool // the rest of this string is not kept
	stringStart int
	stringLimit int
}

type phase int

const (
	beforeValue phase = iota
	inStructure
	inString
	afterValue
	inGarbage
)

type dropping int

const (
	dropNothing dropping = iota
	dropMember           // to the end of the member's value
	dropRest             // to the end of the outermost value
)

const byteOrderMark = "\xef\xbb\xbf"

// Feed takes the next bytes of the stream and tells whether the value has
// ended; later bytes are ignored. Input that does not start with an object,
// an array or a string is never done.
func (s *Scanner) Feed(chunk []byte) (done bool) {
	for len(chunk) > 0 {
		var n int
		switch s.phase {
		case beforeValue:
			n = s.start(chunk)
		case inStructure:
			n = s.structure(chunk)
		case inString:
			n = s.text(chunk)
		default:
			return s.phase == afterValue
		}
		chunk = chunk[n:]
	}
	return s.phase == afterValue
}

// Complete tells whether the value has ended.
func (s *Scanner) Complete() bool { return s.phase == afterValue }

// Payload returns what was kept: at most about 1 MiB. Of a value that has not
// ended it is the kept beginning; of garbage it is empty.
func (s *Scanner) Payload() []byte { return s.out }

// start skips white space and a byte order mark, and opens the value.
func (s *Scanner) start(b []byte) int {
	for i, c := range b {
		if s.bom < len(byteOrderMark) && c == byteOrderMark[s.bom] {
			s.bom++
			continue
		}
		if s.bom > 0 && s.bom < len(byteOrderMark) {
			s.phase = inGarbage // half a mark
			return i
		}
		switch c {
		case ' ', '\t', '\n', '\r':
			continue
		case '{', '[':
			s.out = append(make([]byte, 0, min(len(b), maxString)), c)
			s.phase = inStructure
			s.depth = 1
			s.isArray = c == '['
			s.limit = maxPayload
			if s.isArray {
				s.openMember()
			}
		case '"':
			s.limit = maxPayload
			s.openString()
		default:
			s.phase = inGarbage
		}
		return i + 1
	}
	return len(b)
}

// structure reads everything outside strings, up to the next string or the
// end of the value. Brackets are only counted: whether they match is for the
// reader of the payload to find out.
func (s *Scanner) structure(b []byte) int {
	start := 0 // of the run not yet kept
	for i, c := range b {
		if '-' <= c && c <= '9' || 'a' <= c && c <= 'z' {
			continue // numbers and literals
		}
		switch c {
		case ' ', '\t', '\n', '\r':
			s.keep(b[start:i])
			start = i + 1
		case '"':
			s.keep(b[start:i])
			s.openString()
			return i + 1
		case '{', '[':
			s.depth++
			if s.depth > maxDepth {
				s.overflow()
			}
		case '}', ']':
			s.depth--
			if s.depth == 0 {
				s.keep(b[start:i])
				s.out = append(s.out, c)
				s.phase = afterValue
				return i + 1
			}
		case ':':
			if s.depth == 1 && !s.inMember {
				s.keep(b[start : i+1])
				start = i + 1
				s.openMember()
			}
		case ',':
			if s.depth == 1 {
				s.keep(b[start:i])
				start = i + 1
				s.nextMember()
			}
		}
	}
	s.keep(b[start:])
	return len(b)
}

func (s *Scanner) openMember() {
	s.inMember = true
	s.memberStart = len(s.out)
	s.limit = len(s.out) + min(maxMember, (maxPayload-len(s.out))/fairShare)
}

func (s *Scanner) nextMember() {
	if s.drop == dropRest {
		return
	}
	s.drop = dropNothing
	s.inMember = false
	s.limit = maxPayload
	if maxPayload-len(s.out) < minRoom {
		s.drop = dropRest
		return
	}
	s.out = append(s.out, ',')
	if s.isArray {
		s.openMember()
	}
}

func (s *Scanner) keep(run []byte) {
	if s.drop != dropNothing || len(run) == 0 {
		return
	}
	if len(s.out)+len(run) > s.limit {
		s.overflow()
		return
	}
	s.out = append(s.out, run...)
}

// overflow gives up the member that takes too much room. Outside the value of
// a member only invalid input gets here.
func (s *Scanner) overflow() {
	if s.drop != dropNothing {
		return
	}
	if !s.inMember {
		s.drop = dropRest
		return
	}
	s.drop = dropMember
	s.out = append(s.out[:s.memberStart], "null"...)
}

func (s *Scanner) openString() {
	s.phase = inString
	if len(s.out)+len(`""`) > s.limit {
		s.overflow()
	}
	s.cut = s.drop != dropNothing
	if s.cut {
		return
	}
	s.out = append(s.out, '"')
	s.stringStart = len(s.out)
	longest := maxString
	if s.inMember && len(s.out) > (s.memberStart+s.limit)/2 {
		longest = maxLater
	}
	s.stringLimit = len(s.out) + min(longest, (s.limit-len(s.out))/fairShare)
}

func (s *Scanner) closeString() {
	s.phase = inStructure
	if s.drop == dropNothing {
		s.out = append(s.out, '"')
	}
	if s.depth == 0 {
		s.phase = afterValue
	}
}

// text reads the inside of a string, up to and with the quote that ends it.
func (s *Scanner) text(b []byte) int {
	i := 0
	if s.escaped {
		s.escaped = false
		s.keepText(b[:1])
		i = 1
	}
	for i < len(b) {
		n := plainRun(b[i:])
		if end := i + n; end < len(b) && b[end] == '\\' {
			n = min(n+len(`\"`), len(b)-i)
			s.escaped = end+1 == len(b)
		} else if end < len(b) {
			s.keepText(b[i:end])
			s.closeString()
			return end + 1
		}
		if !s.cut {
			s.keepText(b[i : i+n])
		}
		i += n
	}
	return len(b)
}

func (s *Scanner) keepText(run []byte) {
	if s.cut {
		return
	}
	room := s.stringLimit - len(s.out)
	if len(run) <= room {
		s.out = append(s.out, run...)
		return
	}
	s.cut = true
	s.out = append(s.out, run[:max(room, 0)]...)
	s.out = s.out[:s.stringStart+wholeCharacters(s.out[s.stringStart:])]
}

// plainRun returns how many bytes come before the next quote or backslash. It
// looks at eight bytes at a time: two calls of bytes.IndexByte are slower
// where escapes are dense, and quadratic where only one of the two occurs.
func plainRun(b []byte) int {
	const (
		ones        = 0x0101010101010101
		tops        = 0x8080808080808080
		quotes      = ones * '"'
		backslashes = ones * '\\'
	)
	n := 0
	if len(b) > 0 && (b[0] == '"' || b[0] == '\\') {
		return 0
	}
	for ; len(b)-n >= 8; n += 8 {
		e := b[n : n+8 : n+8]
		x := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 |
			uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56
		q, bs := x^quotes, x^backslashes
		// The lowest top bit left marks the first byte that became zero.
		if found := ((q-ones)&^q | (bs-ones)&^bs) & tops; found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	for ; n < len(b); n++ {
		if b[n] == '"' || b[n] == '\\' {
			break
		}
	}
	return n
}

// wholeCharacters returns the length of text, the inside of a JSON string cut
// anywhere, without an incomplete escape sequence, half a surrogate pair or an
// incomplete rune at its end.
func wholeCharacters(text []byte) int {
	const longest = len(`\u1234`)
	end := len(text)
	tail := max(0, end-longest)
	if i := bytes.LastIndexByte(text[tail:], '\\'); i >= 0 && startsEscape(text, tail+i) {
		i += tail
		escape := text[i:]
		switch {
		case len(escape) < 2, escape[1] == 'u' && len(escape) < longest:
			end = i
		case len(escape) == longest && isHighSurrogate(escape):
			return i
		}
		// The first half of a pair stands before the incomplete second one.
		if first := i - longest; first >= 0 && end == i && isHighSurrogate(text[first:i]) && startsEscape(text, first) {
			return first
		}
		if end == i {
			return end
		}
	}
	for i := end - 1; i >= max(0, end-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:end]) {
				return i
			}
			break
		}
	}
	return end
}

// startsEscape tells whether the backslash at i is not itself escaped.
func startsEscape(text []byte, i int) bool {
	before := 0
	for i--; i >= 0 && text[i] == '\\'; i-- {
		before++
	}
	return before%2 == 0
}

func isHighSurrogate(escape []byte) bool {
	if escape[0] != '\\' || escape[1] != 'u' || escape[2] != 'd' && escape[2] != 'D' {
		return false
	}
	switch escape[3] {
	case '8', '9', 'a', 'b', 'A', 'B':
		return true
	}
	return false
}
