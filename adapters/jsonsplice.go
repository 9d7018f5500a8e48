package adapters

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFile is a JSON settings file that a person keeps by hand: comments,
// trailing commas, order and white space are theirs. It is changed by cutting
// and inserting bytes, never by writing it out anew, so that all that is not
// touched stays byte for byte.
type jsonFile struct {
	bom  []byte
	text []byte // without byte order mark, with one newline added at the end
	root hujson.Value

	newline string // "\n" or "\r\n"
	unit    string // one step of indentation
	oneLine bool   // the whole file stands on one line
	spaced  bool   // a space follows colons and commas
}

var utf8BOM = []byte("\xef\xbb\xbf")

// parseJSONFile reads a file of JSON with comments and trailing commas. An
// empty file is an empty object. The error tells line and column, and never
// quotes the file: settings hold secrets.
func parseJSONFile(file []byte) (*jsonFile, error) {
	f := &jsonFile{}
	if bytes.HasPrefix(file, utf8BOM) {
		f.bom, file = file[:len(utf8BOM)], file[len(utf8BOM):]
	}
	if len(bytes.TrimSpace(file)) == 0 {
		file = []byte("{}\n")
	}
	// The parser wants a line end after a comment on the last line.
	if err := f.reset(append(bytes.Clone(file), '\n')); err != nil {
		return nil, cmp.Or(f.reset(file), err) // with the place as it is without that
	}
	f.learnStyle()
	return f, nil
}

func (f *jsonFile) reset(text []byte) error {
	root, err := hujson.Parse(text)
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "hujson: ")
		if before, _, found := strings.Cut(message, "invalid literal:"); found {
			message = before + "malformed value"
		}
		return errors.New(message)
	}
	f.text, f.root = text, root
	return nil
}

func (f *jsonFile) bytes() []byte {
	return append(bytes.Clone(f.bom), f.text[:len(f.text)-1]...)
}

// learnStyle takes the habits of whoever wrote the file from its first lines.
func (f *jsonFile) learnStyle() {
	f.newline, f.unit, f.spaced = "\n", "  ", true
	if i := bytes.IndexByte(f.text[:len(f.text)-1], '\n'); i > 0 && f.text[i-1] == '\r' {
		f.newline = "\r\n"
	}
	object, ok := f.root.Value.(*hujson.Object)
	if !ok || len(object.Members) == 0 {
		return
	}
	first := object.Members[0]
	f.oneLine = !bytes.ContainsRune(f.text[f.root.StartOffset:f.root.EndOffset], '\n')
	f.spaced = len(first.Value.BeforeExtra) > 0
	if indent := lastLine(first.Name.BeforeExtra); len(indent) > 0 && isBlank(indent) && !f.oneLine {
		f.unit = string(indent)
	}
}

// at finds the value under the given member names and element numbers, nil
// where there is none.
func (f *jsonFile) at(path ...any) *hujson.Value {
	value := &f.root
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = memberOf(value, step)
		case int:
			elements := arrayOf(value)
			if step >= len(elements) {
				return nil
			}
			value = &elements[step]
		}
	}
	return value
}

// memberOf finds a member of an object, nil where there is none. Of members
// with the same name the last one counts, as in every JSON reader of the
// agents.
func memberOf(value *hujson.Value, name string) *hujson.Value {
	if value == nil {
		return nil
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := len(object.Members) - 1; i >= 0; i-- {
		if memberName(object.Members[i]) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

// arrayOf is the elements of an array, none where the value is none.
func arrayOf(value *hujson.Value) []hujson.Value {
	if value == nil {
		return nil
	}
	array, ok := value.Value.(*hujson.Array)
	if !ok {
		return nil
	}
	return array.Elements
}

func memberName(member hujson.ObjectMember) string {
	name, _ := member.Name.Value.(hujson.Literal)
	return name.String()
}

// place words an offset for a message.
func (f *jsonFile) place(offset int) string {
	before := f.text[:offset]
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), 1+len(lastLine(before)))
}

// element is one member of an object or element of an array: its bytes, and
// the white space and comments around it.
type element struct {
	name          string
	start, end    int
	before, after hujson.Extra
}

// elementsOf lists what an object or array holds, and what stands between the
// last of it and the closing bracket.
func elementsOf(value *hujson.Value) (elements []element, tail hujson.Extra) {
	switch container := value.Value.(type) {
	case *hujson.Object:
		for _, m := range container.Members {
			elements = append(elements, element{memberName(m), m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra})
		}
		return elements, container.AfterExtra
	case *hujson.Array:
		for _, e := range container.Elements {
			elements = append(elements, element{"", e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra})
		}
		return elements, container.AfterExtra
	}
	return nil, nil
}

// splice is one cut and insertion; offsets count in the text before any of it.
type splice struct {
	start, end int
	insert     string
}

// apply makes cuts that are sorted and do not overlap.
func (f *jsonFile) apply(splices ...splice) error {
	var out []byte
	done := 0
	for _, s := range splices {
		out = append(out, f.text[done:s.start]...)
		out = append(out, s.insert...)
		done = s.end
	}
	return f.reset(append(out, f.text[done:]...))
}

// editMember runs an edit that changes nothing but one member of the root. The
// others are short meanwhile: after each of its cuts the file is parsed again,
// and settings can be long.
func (f *jsonFile) editMember(name string, edit func() error) error {
	var others []string
	err := f.replaceOthers(name, func(_ int, value string) string {
		others = append(others, value)
		return shortValue(value)
	})
	if err != nil {
		return err
	}
	if err := edit(); err != nil {
		return err
	}
	return f.replaceOthers(name, func(i int, _ string) string { return others[i] })
}

// replaceOthers gives the members of the root, but those with the name given,
// new values.
func (f *jsonFile) replaceOthers(name string, with func(i int, value string) string) error {
	object, ok := f.root.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	var splices []splice
	for _, m := range object.Members {
		if memberName(m) != name {
			start, end := m.Value.StartOffset, m.Value.EndOffset
			splices = append(splices, splice{start, end, with(len(splices), string(f.text[start:end]))})
		}
	}
	return f.apply(splices...)
}

// shortValue stands for a value: it has lines if that has, and ends on a line
// with the same indentation.
func shortValue(value string) string {
	k := strings.LastIndexByte(value, '\n')
	if k < 0 {
		return "0"
	}
	last := value[k:]
	return "[" + last[:len(last)-len(strings.TrimLeft(last, "\n \t"))] + "]"
}

// insertLast adds content as the last element of the container at path: on a
// line of its own where the container's elements have lines of their own,
// after every comment that is there, with a trailing comma where those do.
func (f *jsonFile) insertLast(content jsonNode, path ...any) error {
	container := f.at(path...)
	elements, tail := elementsOf(container)
	closing := container.EndOffset - 1
	kept := len(bytes.TrimRight(tail, " \t\r\n")) // comments stay before us
	indent := f.lineIndent(container.StartOffset)

	if len(elements) == 0 {
		if f.oneLine {
			return f.apply(splice{closing - len(tail) + kept, closing, content.render(f, "", false)})
		}
		return f.apply(splice{closing - len(tail) + kept, closing,
			f.newline + indent + f.unit + content.render(f, indent+f.unit, true) + f.newline + indent})
	}

	last := elements[len(elements)-1]
	between, after := "", ""
	var onLines bool
	for _, e := range elements {
		onLines = onLines || bytes.ContainsRune(e.before, '\n')
	}
	switch {
	case onLines:
		indent += f.unit
		if own := lastLine(last.before); len(own) > 0 && isBlank(own) && bytes.ContainsRune(last.before, '\n') {
			indent = string(own)
		}
		between = f.newline + indent
	case bytes.ContainsRune(tail, '\n') && bytes.ContainsRune(tail, '/'):
		between = f.newline + indent + f.unit
	case f.spaced:
		between = " "
	}
	multiLine := onLines || bytes.ContainsRune(f.text[last.start:last.end], '\n')
	text := content.render(f, indent, multiLine)
	if last.after != nil { // a trailing comma
		after = ","
		return f.apply(splice{closing - len(tail) + kept, closing - len(tail) + kept, between + text + after})
	}
	return f.apply(splice{last.end, last.end, ","},
		splice{closing - len(tail) + kept, closing - len(tail) + kept, between + text})
}

// remove takes element i out of the container at path, with its comma and the
// white space before it. Comments stay. empty is what stood between the brackets
// when there was no element, if that is known.
func (f *jsonFile) remove(i int, empty string, path ...any) error {
	container := f.at(path...)
	elements, tail := elementsOf(container)
	closing := container.EndOffset - 1
	e := elements[i]
	isLast, trailingComma := i == len(elements)-1, elements[len(elements)-1].after != nil

	gapStart := e.start - len(e.before)
	start := gapStart + len(bytes.TrimRight(e.before, " \t\r\n"))
	var cuts []splice
	switch {
	case len(elements) == 1:
		rest := bytes.Join([][]byte{e.before, e.after, tail}, nil)
		if bytes.Equal(bytes.TrimSpace(rest), bytes.TrimSpace([]byte(empty))) {
			return f.apply(splice{gapStart, closing, empty})
		}
		if isBlank(rest) {
			return f.apply(splice{gapStart, closing, ""})
		}
		cuts = append(cuts, splice{start, e.end, ""})
		if trailingComma {
			cuts = append(cuts, splice{e.end + len(e.after), e.end + len(e.after) + 1, ""})
		}
	case isLast && !trailingComma:
		before := elements[i-1]
		comma := before.end + len(before.after)
		cuts = append(cuts, splice{comma, comma + 1, ""}, splice{start, e.end, ""})
	case !isLast && len(e.after) == 0 && isBlank(elements[i+1].before) && !bytes.ContainsRune(elements[i+1].before, '\n'):
		return f.apply(splice{e.start, elements[i+1].start, ""}) // the next one moves up on the same line
	default:
		comma := e.end + len(e.after)
		cuts = append(cuts, splice{start, e.end, ""}, splice{comma, comma + 1, ""})
	}
	// A comment to the end of the line would swallow what follows on it.
	if endsInLineComment(e.before) {
		for j := range cuts {
			if cuts[j].start == start {
				cuts[j].insert = f.newlineBefore(cuts[len(cuts)-1].end)
			}
		}
	}
	return f.apply(cuts...)
}

// newlineBefore gives a line end unless one follows at offset anyway.
func (f *jsonFile) newlineBefore(offset int) string {
	rest := bytes.TrimLeft(f.text[offset:], " \t\r")
	if len(rest) > 0 && rest[0] == '\n' {
		return ""
	}
	return f.newline
}

// setMember gives a member of the object at path a new value, in its place or
// as the last member.
func (f *jsonFile) setMember(name string, value jsonNode, path ...any) error {
	if old := f.at(append(path, name)...); old != nil {
		return f.apply(splice{old.StartOffset, old.EndOffset, value.render(f, f.lineIndent(old.StartOffset), false)})
	}
	return f.insertLast(jsonMember{name, value}, path...)
}

func (f *jsonFile) removeMember(name string, path ...any) error {
	elements, _ := elementsOf(f.at(path...))
	for i := len(elements) - 1; i >= 0; i-- {
		if elements[i].name == name {
			if err := f.remove(i, "", path...); err != nil {
				return err
			}
		}
	}
	return nil
}

// lineIndent is the white space with which the line of offset begins.
func (f *jsonFile) lineIndent(offset int) string {
	line := lastLine(f.text[:offset])
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func lastLine(text []byte) []byte {
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

func isBlank(text []byte) bool {
	return len(bytes.TrimSpace(text)) == 0
}

// endsInLineComment tells whether the last comment in extra runs to the end of
// its line.
func endsInLineComment(extra []byte) bool {
	line := false
	for len(extra) > 0 {
		switch {
		case bytes.HasPrefix(extra, []byte("//")):
			line = true
			end := bytes.IndexByte(extra, '\n')
			if end < 0 {
				return true
			}
			extra = extra[end:]
		case bytes.HasPrefix(extra, []byte("/*")):
			line = false
			end := bytes.Index(extra, []byte("*/"))
			if end < 0 {
				return false
			}
			extra = extra[end+2:]
		default:
			extra = extra[1:]
		}
	}
	return line
}

// jsonNode is a piece of JSON that we write into somebody's file, in the style
// of that file.
type jsonNode interface {
	render(style *jsonFile, indent string, onLines bool) string
}

type (
	jsonString string
	jsonInt    int
	jsonWords  []string // an array of strings, always on one line
	jsonArray  []jsonNode
	jsonObject []jsonMember
	jsonMember struct {
		name  string
		value jsonNode
	}
)

func (s jsonString) render(*jsonFile, string, bool) string {
	return string(hujson.String(string(s)))
}

func (n jsonInt) render(*jsonFile, string, bool) string {
	return fmt.Sprint(int(n))
}

func (words jsonWords) render(style *jsonFile, _ string, _ bool) string {
	var nodes jsonArray
	for _, word := range words {
		nodes = append(nodes, jsonString(word))
	}
	return nodes.render(style, "", false)
}

func (m jsonMember) render(style *jsonFile, indent string, onLines bool) string {
	colon := ":"
	if style.spaced {
		colon = ": "
	}
	return string(hujson.String(m.name)) + colon + m.value.render(style, indent, onLines)
}

func (nodes jsonArray) render(style *jsonFile, indent string, onLines bool) string {
	return renderList(style, "[", "]", nodes, indent, onLines)
}

func (members jsonObject) render(style *jsonFile, indent string, onLines bool) string {
	nodes := make([]jsonNode, len(members))
	for i, member := range members {
		nodes[i] = member
	}
	return renderList(style, "{", "}", nodes, indent, onLines)
}

func renderList(style *jsonFile, open, closing string, nodes []jsonNode, indent string, onLines bool) string {
	if len(nodes) == 0 {
		return open + closing
	}
	before, between, after := "", ",", ""
	inner := indent
	switch {
	case onLines:
		inner += style.unit
		before, between, after = style.newline+inner, ","+style.newline+inner, style.newline+indent
	case style.spaced:
		between = ", "
	}
	parts := make([]string, len(nodes))
	for i, node := range nodes {
		parts[i] = node.render(style, inner, onLines)
	}
	return open + before + strings.Join(parts, between) + after + closing
}
