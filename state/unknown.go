package state

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// keeper holds the keys of an object that its table does not know, so that
// what another program, or a later version of this one, wrote is written again.
type keeper interface {
	keep([]member)
	// kept returns what was kept in the order in which it is to be written.
	kept() []member
}

// extraMap keeps unknown keys in an exported Extra.
type extraMap map[string]json.RawMessage

func (e *extraMap) keep(members []member) {
	if *e == nil {
		*e = make(extraMap, len(members))
	}
	for _, m := range members {
		(*e)[m.key] = json.RawMessage(m.value.(rawValue))
	}
}

func (e *extraMap) kept() []member {
	if len(*e) == 0 {
		return nil
	}
	members := make([]member, 0, len(*e))
	for key, raw := range *e {
		members = append(members, member{key: key, value: rawValue(raw)})
	}
	slices.SortFunc(members, byKey)
	return members
}

// extraText keeps unknown keys as the text of their members. Types whose
// values programs may compare with == cannot hold a map.
type extraText string

func (e *extraText) keep(members []member) {
	text := []byte(*e)
	for _, m := range members {
		if len(text) > 0 {
			text = append(text, ',')
		}
		text = append(appendQuoted(text, m.key), ':')
		text = append(text, m.value.(rawValue)...)
	}
	*e = extraText(text)
}

func (e *extraText) kept() []member {
	if *e == "" {
		return nil
	}
	var all extraMap
	// The text consists of members that were read once, so it reads again.
	_, _ = layout{unknown: &all}.readFrom(newDecoder([]byte("{" + string(*e) + "}")))
	return all.kept()
}

func byKey(a, b member) int { return cmp.Compare(a.key, b.key) }

// rawValue is JSON that is written as it was read, without white space.
type rawValue json.RawMessage

func (r rawValue) isZero() bool { return false }

func (r rawValue) appendTo(dst []byte) ([]byte, error) {
	if len(r) == 0 {
		return append(dst, "null"...), nil
	}
	return appendRaw(dst, jsontext.Value(r))
}

func (r rawValue) readFrom(d *jsontext.Decoder) (jsontext.Value, error) { return d.ReadValue() }

// appendRaw appends JSON of unknown origin, compact unless style says
// otherwise. Its strings stay byte for byte what they were, except where they
// hold half a surrogate pair, which strict readers refuse.
func appendRaw(dst []byte, raw jsontext.Value, style ...jsontext.Options) ([]byte, error) {
	halfPairs := bytes.Contains(raw, []byte(`\ud`)) || bytes.Contains(raw, []byte(`\uD`))
	out, err := jsontext.AppendFormat(dst, raw, append(style,
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(!halfPairs),
	)...)
	if err != nil {
		return nil, err
	}
	return out, nil
}
