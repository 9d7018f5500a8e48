package adapters

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// The bounds of a safe copy: enough to see what a payload was, and to play it
// again, without keeping what was in it.
const (
	copyDepth   = 8
	copyMembers = 64
	copyHead    = 16 // lines of a text; commands and patches say most there
	copyTail    = 8  // and messages here
	copyColumns = 4 * MaxColumns
	copyBytes   = 2 << 10
)

// SafeCopy is a payload that can be given away, as in a bug report: the same
// members, with every text made safe, shortened, and freed of secrets. Of a
// payload that is no JSON object nothing is left.
func SafeCopy(payload []byte) []byte {
	if !gjson.ValidBytes(payload) {
		return []byte("{}")
	}
	root := gjson.ParseBytes(payload)
	if !root.IsObject() {
		return []byte("{}")
	}
	var b bytes.Buffer
	copyValue(&b, root, 0, false)
	return b.Bytes()
}

// copyValue writes one value. Of a secret one, which its name has told, only
// the form is left.
func copyValue(b *bytes.Buffer, v gjson.Result, depth int, secret bool) {
	switch {
	case v.Type == gjson.String && secret:
		b.Write(quote(mask))
	case v.Type == gjson.String:
		b.Write(quote(safeText(v.Str)))
	case v.Type != gjson.JSON:
		b.WriteString(v.Raw)
	case depth >= copyDepth:
		b.WriteString("null")
	default:
		copyMembersOf(b, v, depth, secret)
	}
}

func copyMembersOf(b *bytes.Buffer, v gjson.Result, depth int, secret bool) {
	open, end := byte('['), byte(']')
	if v.IsObject() {
		open, end = '{', '}'
	}
	b.WriteByte(open)
	n := 0
	name := "" // of the value that comes next: its key, or the argument before
	v.ForEach(func(key, value gjson.Result) bool {
		if n > 0 {
			b.WriteByte(',')
		}
		if v.IsObject() {
			name = key.Str
			b.Write(quote(Clean(name)))
			b.WriteByte(':')
		}
		copyValue(b, value, depth+1, secret || isSecretName(name))
		name = ""
		if flag := value.String(); v.IsArray() && strings.HasPrefix(flag, "-") {
			name = flag
		}
		n++
		return n < copyMembers
	})
	b.WriteByte(end)
}

// safeText keeps the lines of a text apart, since some are read by line.
// Secrets are looked for before that: they can stretch over several.
func safeText(text string) string {
	if !strings.Contains(text, "\n") {
		return copyLine(text)
	}
	text, _ = strip(text, maxLookLines, true)
	lines := strings.Split(Mask(text), "\n")
	if len(lines) > copyHead+copyTail+1 {
		lines = slices.Concat(lines[:copyHead], []string{ellipsis}, lines[len(lines)-copyTail:])
	}
	for i := range lines {
		lines[i] = copyLine(lines[i])
	}
	return strings.Join(lines, "\n")
}

// copyLine keeps more than a status line shows: files are shown by the last
// part of their path.
func copyLine(text string) string { return clean(text, copyColumns, copyBytes) }

func quote(text string) []byte {
	quoted, _ := json.Marshal(text)
	return quoted
}
