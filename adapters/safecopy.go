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
	copyValue(&b, root, 0, "")
	return b.Bytes()
}

// copyValue writes one value. Of one that belongs to a secret name only the form
// is left; secret is that name, else "".
func copyValue(b *bytes.Buffer, v gjson.Result, depth int, secret string) {
	switch {
	case v.Type == gjson.JSON && depth >= copyDepth:
		b.WriteString("null")
	case v.IsObject():
		copyObject(b, v, depth, secret)
	case v.IsArray():
		copyList(b, v, depth, secret, "")
	default:
		copyScalar(b, v, scalarText(v, secret))
	}
}

// scalarText is what may be seen of a text, a number or a flag.
func scalarText(v gjson.Result, secret string) string {
	isText := v.Type == gjson.String
	switch {
	case secret != "" && (isText || v.Type != gjson.Null && !isHarmless(strings.ToLower(secret), v.Raw)):
		return mask
	case isText:
		return safeText(v.Str)
	}
	return v.Raw
}

// copyScalar writes text in the place of v, as it is where nothing is hidden.
func copyScalar(b *bytes.Buffer, v gjson.Result, text string) {
	if v.Type == gjson.String || text != v.Raw {
		b.Write(quote(text))
		return
	}
	b.WriteString(v.Raw)
}

func copyObject(b *bytes.Buffer, v gjson.Result, depth int, secret string) {
	named, command := announced(v)
	b.WriteByte('{')
	n := 0
	v.ForEach(func(key, value gjson.Result) bool {
		if n > 0 {
			b.WriteByte(',')
		}
		name := Clean(key.Str)
		b.Write(quote(name))
		b.WriteByte(':')
		lower := strings.ToLower(name)
		inner := secret
		switch {
		case isSecretName(key.Str), isSecretName(name):
			inner = name
		case named != "" && strings.HasSuffix(lower, "value"):
			inner = named
		}
		if value.IsArray() && strings.HasPrefix(lower, "arg") && depth+1 < copyDepth {
			copyList(b, value, depth+1, inner, command)
		} else {
			copyValue(b, value, depth+1, inner)
		}
		n++
		return n < copyMembers
	})
	b.WriteByte('}')
}

// announced is what members of an object say about others: the secret name that
// its value belongs to, as in {"name": "TOKEN", "value": "x"}, and the command
// that its arguments do.
func announced(v gjson.Result) (named, command string) {
	v.ForEach(func(key, value gjson.Result) bool {
		if value.Type != gjson.String {
			return true
		}
		switch name := strings.ToLower(Clean(key.Str)); {
		case strings.HasSuffix(name, "name"), strings.HasSuffix(name, "key"):
			if text := safeText(value.Str); isSecretName(text) {
				named = text
			}
		case name == "command", name == "cmd", name == "program":
			command = safeText(value.Str)
		}
		return true
	})
	return named, command
}

// copyList writes a list. It may hold the arguments of a command, which is given
// if it is known and not among them.
func copyList(b *bytes.Buffer, v gjson.Result, depth int, secret, command string) {
	var (
		items []gjson.Result
		words []string
		inner []string // the secret name that each item belongs to
		flag  string   // the item before, if it is one
	)
	flat := true
	v.ForEach(func(_, item gjson.Result) bool {
		name, word := secret, ""
		if isSecretName(flag) {
			name = flag
		}
		if item.Type == gjson.JSON {
			flat = false
		} else {
			word = scalarText(item, name)
		}
		if flag = ""; strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			flag = word
		}
		items, words, inner = append(items, item), append(words, word), append(inner, name)
		return len(items) < copyMembers
	})
	// What is left may look like a secret that the whole did not.
	for n := 0; flat && n < 3 && maskArguments(command, words); n++ {
		for i := range words {
			if words[i] != items[i].Raw {
				words[i] = safeText(words[i])
			}
		}
	}
	b.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		if item.Type == gjson.JSON {
			copyValue(b, item, depth+1, inner[i])
		} else {
			copyScalar(b, item, words[i])
		}
	}
	b.WriteByte(']')
}

// maskArguments masks the words of a command as Mask would in its line, and
// tells whether it found any secret there.
func maskArguments(command string, words []string) bool {
	var line strings.Builder
	line.WriteString(command)
	places := make([]span, len(words))
	for i, word := range words {
		line.WriteByte(' ')
		from := line.Len()
		line.WriteString(ShellQuote(word))
		places[i] = span{from, line.Len()}
	}
	hidden := maskedSpans(line.String())
	found := false
	for i, place := range places {
		word := words[i]
		isBroken := strings.Contains(word, "'") // its quotes are longer than they are in it
		if place.to-place.from == len(word)+len("''") {
			place = span{place.from + 1, place.to - 1}
		}
		for _, h := range slices.Backward(hidden) {
			from, to := max(h.from, place.from), min(h.to, place.to)
			switch {
			case from >= to:
				continue
			case isBroken:
				words[i] = mask
			default:
				words[i] = words[i][:from-place.from] + mask + words[i][to-place.from:]
			}
			found = true
		}
	}
	return found
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
