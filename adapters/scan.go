package adapters

import (
	"bytes"
	"unicode/utf8"
)

// What a Scanner keeps, in bytes. The names and ids that adapters read are
// short; everything longer is only ever shown as one line of text.
const (
	maxPayload = 1 << 20   // all of the kept text
	maxMember  = 256 << 10 // the value of one top-level member or element
	maxString  = 4 << 10   // the text of one string
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
	start := 0 // of what can escape
	if s.escaped {
		s.escaped = false
		start = 1
	}
	end, escaped := textEnd(b, start)
	s.keepText(b[:end])
	if end == len(b) {
		s.escaped = escaped
		return end
	}
	s.closeString()
	return end + 1
}

// textEnd is where the quote is that ends a string, of which the part from
// start on is given, or the length of that if it goes on. Then escaped tells
// whether the next byte belongs to an escape sequence.
//
// It is cheaper to look back from each quote than to stop at each backslash:
// code is full of those.
func textEnd(b []byte, start int) (end int, escaped bool) {
	for at := start; ; at++ {
		quote := bytes.IndexByte(b[at:], '"')
		if quote < 0 {
			return len(b), endsEscaping(b[start:])
		}
		at += quote
		if !endsEscaping(b[start:at]) {
			return at, false
		}
	}
}

// endsEscaping tells whether what follows a part of a string is escaped by it.
func endsEscaping(part []byte) bool {
	backslashes := 0
	for backslashes < len(part) && part[len(part)-1-backslashes] == '\\' {
		backslashes++
	}
	return backslashes%2 == 1
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

// wholeCharacters returns the length of text, the inside of a JSON string cut
// anywhere, without an incomplete escape sequence, half a surrogate pair or an
// incomplete rune at its end.
func wholeCharacters(text []byte) int {
	const longest = len(`\u1234`)
	end := len(text)
	tail := max(0, end-longest)
	if i := bytes.LastIndexByte(text[tail:], '\\'); i >= 0 && !endsEscaping(text[:tail+i]) {
		i += tail
		escape := text[i:]
		switch {
		case len(escape) < 2, escape[1] == 'u' && len(escape) < longest:
			end = i
		case len(escape) == longest && isHighSurrogate(escape):
			return i
		}
		// The first half of a pair stands before the incomplete second one.
		if first := i - longest; first >= 0 && end == i && isHighSurrogate(text[first:i]) && !endsEscaping(text[:first]) {
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
