package codex

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// configFile is config.toml, of which only the tables [hooks.state."…"] are
// ever changed, by cutting and inserting bytes.
type configFile struct {
	bom, text []byte
	newline   string
	records   []*trustRecord
	// closed says where hooks or hooks.state is an inline table, to which no
	// table can be added.
	closed string
	// features are the plain values of [features], as they are spelled.
	features map[string]string
}

// trustRecord is what config.toml says of one hook.
type trustRecord struct {
	key      string
	names    []span // where the key is spelled
	lines    []span // the whole of the record
	fixed    bool   // part of a larger inline table
	hash     string
	hashAt   span // of the value, zero where there is none
	disabled bool
}

type span struct{ start, end int }

func parseConfig(file []byte) (*configFile, error) {
	c := &configFile{newline: "\n", features: map[string]string{}}
	c.text = file
	if bom := []byte("\xef\xbb\xbf"); bytes.HasPrefix(file, bom) {
		c.bom, c.text = bom, file[len(bom):]
	}
	if i := bytes.IndexByte(c.text, '\n'); i > 0 && c.text[i-1] == '\r' {
		c.newline = "\r\n"
	}
	var p unstable.Parser
	p.Reset(c.text)
	var table tomlKey
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = keyOf(e.Key())
			if e.Kind == unstable.ArrayTable {
				table.names = append(table.names, "[]")
				table.at = append(table.at, span{})
			}
			if table.isRecord() {
				c.record(table, c.line(table.at[0].start), false)
			}
		case unstable.KeyValue:
			c.value(table, e, c.line(int(e.Raw.Offset)), false)
		}
	}
	var parseError *unstable.ParserError
	if err := p.Error(); errors.As(err, &parseError) {
		place := p.Shape(p.Range(parseError.Highlight)).Start
		return nil, fmt.Errorf("line %d, column %d: not TOML", place.Line, place.Column)
	} else if err != nil {
		return nil, err
	}
	return c, nil
}

// tomlKey is a dotted key with the place of each part.
type tomlKey struct {
	names []string
	at    []span
}

func keyOf(parts unstable.Iterator) (key tomlKey) {
	for parts.Next() {
		node := parts.Node()
		key.names = append(key.names, string(node.Data))
		key.at = append(key.at, span{int(node.Raw.Offset), int(node.Raw.Offset + node.Raw.Length)})
	}
	return key
}

func (k tomlKey) join(more tomlKey) tomlKey {
	return tomlKey{slices.Concat(k.names, more.names), slices.Concat(k.at, more.at)}
}

func (k tomlKey) isRecord() bool {
	return len(k.names) >= 3 && k.names[0] == "hooks" && k.names[1] == "state"
}

// value takes in one key and its value; of inline tables also what is inside.
func (c *configFile) value(table tomlKey, e *unstable.Node, line span, inline bool) {
	key := table.join(keyOf(e.Key()))
	node := e.Value()
	if len(key.names) == 2 && key.names[0] == "features" && node.Raw.Length > 0 {
		c.features[key.names[1]] = string(c.text[node.Raw.Offset : node.Raw.Offset+node.Raw.Length])
	}
	if node.Kind == unstable.InlineTable {
		if len(key.names) <= 2 && (key.names[0] == "hooks" && (len(key.names) == 1 || key.names[1] == "state")) {
			c.closed = fmt.Sprintf("line %d: %s is an inline table", 1+bytes.Count(c.text[:line.start], []byte("\n")), strings.Join(key.names, "."))
		}
		if key.isRecord() {
			c.record(key, line, inline)
		}
		for children := node.Children(); children.Next(); {
			if child := children.Node(); child.Kind == unstable.KeyValue {
				c.value(key, child, line, inline || len(key.names) < 3)
			}
		}
		return
	}
	if !key.isRecord() || len(key.names) != 4 {
		return
	}
	record := c.record(key, line, inline)
	switch key.names[3] {
	case "trusted_hash":
		record.hash = string(node.Data)
		record.hashAt = span{int(node.Raw.Offset), int(node.Raw.Offset + node.Raw.Length)}
	case "enabled":
		record.disabled = node.Kind == unstable.Bool && string(node.Data) == "false"
	}
}

// record finds the record of a key or starts one, and adds to its lines.
func (c *configFile) record(key tomlKey, line span, fixed bool) *trustRecord {
	i := slices.IndexFunc(c.records, func(r *trustRecord) bool { return r.key == key.names[2] })
	if i < 0 {
		i = len(c.records)
		c.records = append(c.records, &trustRecord{key: key.names[2]})
	}
	r := c.records[i]
	r.fixed = r.fixed || fixed
	if at := key.at[2]; !slices.Contains(r.names, at) {
		r.names = append(r.names, at)
	}
	// Lines of one table belong together, with the comments between them.
	if last := len(r.lines) - 1; last >= 0 && key.at[2].start < r.lines[last].end && key.at[2].start >= r.lines[last].start {
		r.lines[last].end = max(r.lines[last].end, line.end)
	} else {
		r.lines = append(r.lines, line)
	}
	return r
}

func (c *configFile) find(key string) *trustRecord {
	for _, r := range c.records {
		if r.key == key {
			return r
		}
	}
	return nil
}

// line is the range of the line of offset, with its end.
func (c *configFile) line(offset int) span {
	start := bytes.LastIndexByte(c.text[:offset], '\n') + 1
	end := bytes.IndexByte(c.text[offset:], '\n')
	if end < 0 {
		return span{start, len(c.text)}
	}
	return span{start, offset + end + 1}
}

// trustEdit is a change of trust records.
type trustEdit struct {
	remove map[string]bool
	rename map[string]string // from the key before to the key after
	want   []wantedTrust     // keys after renaming
}

type wantedTrust struct{ key, hash string }

// edit applies a change. What has the right hash already is left alone; a
// record that a person switched off stays so.
func (c *configFile) edit(change trustEdit) ([]byte, error) {
	type cut struct {
		span
		insert string
	}
	var cuts []cut
	have := map[string]*trustRecord{} // by key after renaming
	for _, r := range c.records {
		key, renamed := change.rename[r.key]
		switch {
		case change.remove[r.key]:
			if r.fixed {
				return nil, fmt.Errorf("%s: trust records in it have to be taken out by hand", c.closed)
			}
			for _, lines := range r.lines {
				cuts = append(cuts, cut{c.withBlankLineBefore(lines), ""})
			}
			continue
		case renamed && key != r.key:
			for _, at := range r.names {
				cuts = append(cuts, cut{at, tomlString(key)})
			}
			have[key] = r
		default:
			have[r.key] = r
		}
	}
	var added []wantedTrust
	for _, want := range change.want {
		r := have[want.key]
		switch {
		case r == nil:
			added = append(added, want)
		case r.hash == want.hash:
		case r.hashAt != span{}:
			cuts = append(cuts, cut{r.hashAt, tomlString(want.hash)})
		case r.fixed || !bytes.HasPrefix(bytes.TrimSpace(c.text[r.lines[0].start:r.lines[0].end]), []byte("[")):
			return nil, fmt.Errorf("%s: it needs a trusted_hash by hand", cmp.Or(c.closed, "a trust record is spelled in an unusual way"))
		default:
			header := c.line(r.names[0].start)
			cuts = append(cuts, cut{span{header.end, header.end}, "trusted_hash = " + tomlString(want.hash) + c.newline})
		}
	}
	if len(added) > 0 && c.closed != "" {
		return nil, fmt.Errorf("%s, to which no trust record can be added: make it a table of its own", c.closed)
	}

	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(a.start, b.start) })
	out := bytes.Clone(c.bom)
	done := 0
	for _, cut := range cuts {
		out = append(out, c.text[done:max(done, cut.start)]...)
		out = append(out, cut.insert...)
		done = max(done, cut.end)
	}
	out = append(out, c.text[done:]...)
	for _, want := range added {
		if body := out[len(c.bom):]; len(body) > 0 {
			if body[len(body)-1] != '\n' {
				out = append(out, c.newline...)
			}
			out = append(out, c.newline...)
		}
		out = append(out, "[hooks.state."+tomlString(want.key)+"]"+c.newline+"trusted_hash = "+tomlString(want.hash)+c.newline...)
	}
	return out, nil
}

// withBlankLineBefore takes in the empty line that we put before a table.
func (c *configFile) withBlankLineBefore(lines span) span {
	before := c.text[:lines.start]
	for _, blank := range []string{"\r\n", "\n"} {
		if rest, ok := bytes.CutSuffix(before, []byte(blank)); ok && bytes.HasSuffix(rest, []byte("\n")) {
			return span{len(rest), lines.end}
		}
	}
	return lines
}

// tomlString is s as a basic string; s has to be valid UTF-8.
func tomlString(s string) string {
	return canonicalString(s)
}
