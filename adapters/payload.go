package adapters

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// Payload is the top level of a hook's JSON. Every look-up works whatever the
// payload holds: a member that is missing or of the wrong type reads as empty,
// and the wrong type is remembered for whoever asks why.
type Payload struct {
	members  []member
	consult  string
	oddities []string
}

type member struct {
	name  string
	value gjson.Result
}

// ParsePayload reads as much of a payload as can be read. One that was cut
// gives the members before the cut, one that is no JSON object gives none.
func ParsePayload(data []byte, whole bool) Payload {
	var p Payload
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0:
		p.odd("no payload, or none that is JSON: only the event's name counts")
		return p
	case data[0] != '{':
		p.odd("payload is not a JSON object: only the event's name counts")
		return p
	case !whole:
		p.odd("payload was cut: what stands before the cut counts")
		data = closeAfterLastMember(data)
	}
	// gjson reads on where JSON is broken, which is right here: the members
	// around a raw byte are still true. It only has to be said.
	if !gjson.ValidBytes(data) {
		p.odd("payload is not valid JSON: what could be read of it counts")
	}
	p.members = make([]member, 0, 24)
	gjson.ParseBytes(data).ForEach(func(key, value gjson.Result) bool {
		if len(p.members) == maxMembers {
			p.odd("payload has too many members: the first " + strconv.Itoa(maxMembers) + " count")
			return false
		}
		p.members = append(p.members, member{key.Str, value})
		return true
	})
	return p
}

// maxMembers bounds the work for one payload; agents send about 20.
const maxMembers = 1000

// closeAfterLastMember makes an object of the prefix of one: everything up to
// the last comma of the top level.
func closeAfterLastMember(data []byte) []byte {
	depth, end := 0, 0
	inString, escaped := false, false
	for i, c := range data {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 1:
			end = i
		}
	}
	if end == 0 {
		return []byte("{}")
	}
	return append(bytes.Clone(data[:end]), '}')
}

func (p *Payload) odd(what string) { p.oddities = append(p.oddities, what) }

// Get is the value of a member; of several with one name, the last.
func (p *Payload) Get(name string) gjson.Result {
	for i := len(p.members) - 1; i >= 0; i-- {
		if p.members[i].name == name {
			return p.members[i].value
		}
	}
	return gjson.Result{}
}

// Has tells whether a member is there and is not null.
func (p *Payload) Has(name string) bool { return p.Get(name).Type != gjson.Null }

// Text is a member's text, not yet safe to show. A number or a flag serves as
// its text; an object or a list does not.
func (p *Payload) Text(name string) string {
	v := p.Get(name)
	if v.Type == gjson.JSON {
		p.odd("member " + name + " is not a text")
		return ""
	}
	return v.String()
}

// Line is a member's text as one safe line.
func (p *Payload) Line(name string) string { return Clean(p.Text(name)) }

// ID is a member that identifies something, short and safe.
func (p *Payload) ID(name string) string { return Ident(p.Text(name)) }

// Path is a member that names a file, "" where no file can be meant.
func (p *Payload) Path(name string) string {
	path := p.Text(name)
	odd := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0xfffd }
	if len(path) > maxPath || strings.ContainsFunc(path, odd) {
		return ""
	}
	return path
}

// maxPath bounds the paths that a state file keeps. A cut path is no path.
const maxPath = 1024

// Flag is a member that is true.
func (p *Payload) Flag(name string) bool {
	v := p.Get(name)
	if v.Exists() && !v.IsBool() && v.Type != gjson.Null {
		p.odd("member " + name + " is not a flag")
	}
	return v.Type == gjson.True
}

// List is the elements of a member that is a list.
func (p *Payload) List(name string) []gjson.Result {
	v := p.Get(name)
	if !v.Exists() || v.Type == gjson.Null {
		return nil
	}
	if !v.IsArray() {
		p.odd("member " + name + " is not a list")
		return nil
	}
	return v.Array()
}

// Object is a member that is an object; TextIn reads what is in it. A plain text
// in its place is kept, as agents have sent one for the other.
func (p *Payload) Object(name string) gjson.Result {
	v := p.Get(name)
	if v.Exists() && !v.IsObject() && v.Type != gjson.Null {
		p.odd("member " + name + " is not an object")
	}
	return v
}

// AskFor asks for the ends of a file that says more than the payload.
func (p *Payload) AskFor(path string) { p.consult = path }

// TextIn is the text of an object's member. It never fails: anything but a
// text, a number or a flag reads as "".
func TextIn(object gjson.Result, name string) string {
	if !object.IsObject() {
		return ""
	}
	var found gjson.Result
	object.ForEach(func(key, value gjson.Result) bool {
		if key.Str == name {
			found = value // the last one counts, as for JSON.parse
		}
		return true
	})
	if found.Type == gjson.JSON {
		return ""
	}
	return found.String()
}
