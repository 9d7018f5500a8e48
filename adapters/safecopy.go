package adapters

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// The bounds of a safe copy: enough to see what a payload was, and to play it
// again, without keeping what was in it.
const (
	copyDepth   = 8
	copyMembers = 64
	copyLines   = 8
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
	copyValue(&b, root, 0)
	return b.Bytes()
}

func copyValue(b *bytes.Buffer, v gjson.Result, depth int) {
	switch {
	case v.Type == gjson.String:
		b.Write(quote(safeText(v.Str)))
	case v.Type != gjson.JSON:
		b.WriteString(v.Raw)
	case depth >= copyDepth:
		b.WriteString("null")
	default:
		copyMembersOf(b, v, depth)
	}
}

func copyMembersOf(b *bytes.Buffer, v gjson.Result, depth int) {
	open, end := byte('['), byte(']')
	if v.IsObject() {
		open, end = '{', '}'
	}
	b.WriteByte(open)
	n := 0
	v.ForEach(func(key, value gjson.Result) bool {
		if n > 0 {
			b.WriteByte(',')
		}
		if v.IsObject() {
			b.Write(quote(Clean(key.Str)))
			b.WriteByte(':')
		}
		copyValue(b, value, depth+1)
		n++
		return n < copyMembers
	})
	b.WriteByte(end)
}

// safeText keeps the lines of a text apart, since some tools' inputs are read
// by line.
func safeText(text string) string {
	if !strings.Contains(text, "\n") {
		return Clean(text)
	}
	var lines []string
	for line := range strings.Lines(text) {
		if lines = append(lines, Clean(line)); len(lines) == copyLines {
			break
		}
	}
	return strings.Join(lines, "\n")
}

func quote(text string) []byte {
	quoted, _ := json.Marshal(text)
	return quoted
}
