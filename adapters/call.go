package adapters

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// maxIdent is the longest id that is stored as it is. The agents' own are
// shorter: 36 bytes for a session, about 42 for a tool call.
const maxIdent = 48

// Ident makes an id of any text: the text itself where it is short and plain,
// else a digest, so that two ids stay two. No digest can be taken for an id that
// an agent could be resumed with.
func Ident(text string) string {
	plain := len(text) <= maxIdent && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '\\'
	})
	if plain {
		return text
	}
	h := newHash()
	h.add(text)
	return "~" + h.text()
}

// CallKey is the same for two events that speak of the same call: of one
// agent, one tool and one input. Codex adds a description to the input when it
// asks for permission, so descriptions do not count.
func CallKey(child, tool string, input gjson.Result) string {
	h := newHash()
	h.add(child, "\x00", tool, "\x00")
	digest(&h, input, "description", 0)
	return h.text()
}

// hash is the 64-bit FNV-1a hash. That of hash/fnv takes texts only as copies.
type hash uint64

func newHash() hash { return 0xcbf29ce484222325 }

func (h *hash) add(texts ...string) {
	for _, text := range texts {
		for i := range len(text) {
			*h = (*h ^ hash(text[i])) * 0x100000001b3
		}
	}
}

func (h *hash) text() string { return strconv.FormatUint(uint64(*h), 16) }

// maxDigestDepth bounds the work: each level of a value is read once more than
// the one around it. Below it the text as it came has to do.
const maxDigestDepth = 16

// digest writes a value in canonical form: members sorted, texts decoded.
func digest(h *hash, v gjson.Result, without string, depth int) {
	switch {
	case depth == maxDigestDepth:
		h.add(v.Raw, "\x00")
	case v.IsObject():
		var members []member
		v.ForEach(func(key, value gjson.Result) bool {
			if key.Str != without {
				members = append(members, member{key.Str, value})
			}
			return true
		})
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		for _, m := range members {
			h.add("{", m.name, "\x00")
			digest(h, m.value, "", depth+1)
		}
	case v.IsArray():
		v.ForEach(func(_, value gjson.Result) bool {
			h.add("[")
			digest(h, value, "", depth+1)
			return true
		})
	default:
		h.add(v.String(), "\x00")
	}
}

// Line joins a prefix such as "Bash" and a text to one safe line. Where the
// text has nothing to show, the prefix stands alone.
func Line(prefix, text string) string {
	text = Clean(text)
	if text == "" {
		return Clean(prefix)
	}
	return Clean(prefix + ": " + text)
}

// Phrase is how a tool's calls read: a prefix, and the first of these members
// of its input that is there. Files are shown by their base name.
type Phrase struct {
	Tool    string
	Prefix  string
	Members []string
	File    bool
}

// ToolLine is the activity of a call: by its phrase, else as "server: tool"
// for a tool of an MCP server, else the tool with the first text of its input.
func ToolLine(phrases []Phrase, tool string, input gjson.Result) string {
	for i := range phrases {
		ph := &phrases[i]
		if ph.Tool == tool {
			return Line(ph.Prefix, ph.subject(input))
		}
	}
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if server, name, ok := strings.Cut(rest, "__"); ok {
			return Line(Word(server), Word(name))
		}
	}
	if input.Type == gjson.String {
		return Line(Word(tool), input.Str)
	}
	return Word(tool)
}

func (ph *Phrase) subject(input gjson.Result) string {
	if input.Type == gjson.String {
		return input.Str
	}
	for _, name := range ph.Members {
		text := TextIn(input, name)
		if text == "" {
			continue
		}
		if ph.File {
			return Base(text)
		}
		return text
	}
	return ""
}

// FirstQuestion is the first text under "questions" of a question tool's
// input, which may hold several.
func FirstQuestion(input gjson.Result) string {
	text := ""
	input.Get("questions").ForEach(func(_, q gjson.Result) bool {
		text = TextIn(q, "question")
		return text == ""
	})
	return text
}
