package state

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// fieldsValue is the free part of a log line.
type fieldsValue struct {
	fields *map[string]any
	// raw leaves objects and arrays as json.RawMessage when reading, so that
	// what was put in as RawMessage comes out as such.
	raw bool
}

func fields(key string, f *map[string]any, raw bool) member {
	return optional(member{key: key, value: fieldsValue{f, raw}})
}

func (v fieldsValue) isZero() bool { return len(*v.fields) == 0 }

func (v fieldsValue) appendTo(dst []byte) ([]byte, error) {
	return appendAny(dst, *v.fields), nil
}

func (v fieldsValue) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.ReadValue()
	}
	all, err := readAnyObject(d, v.raw)
	if err == nil {
		*v.fields = all
	}
	return nil, err
}

// appendAny appends v as JSON, keys sorted. What JSON cannot hold, such as a
// channel or NaN, becomes null: one odd field must not cost the event.
func appendAny(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return appendQuoted(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(dst, "null"...)
		}
		return jsontext.AppendFloat(dst, v, 64)
	case json.RawMessage:
		return appendRawOrNull(dst, v)
	case []string:
		dst = append(dst, '[')
		for i, s := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendQuoted(dst, s)
		}
		return append(dst, ']')
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendAny(dst, item)
		}
		return append(dst, ']')
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		dst = append(dst, '{')
		for i, key := range keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, key), ':')
			dst = appendAny(dst, v[key])
		}
		return append(dst, '}')
	default:
		// Not reached by a hook: reflection is slow but knows everything else.
		raw, err := json.Marshal(v)
		if err != nil {
			return append(dst, "null"...)
		}
		return appendRawOrNull(dst, raw)
	}
}

func appendRawOrNull(dst []byte, raw json.RawMessage) []byte {
	out, err := rawValue(raw).appendTo(dst)
	if err != nil {
		return append(dst, "null"...)
	}
	return out
}

// readAny reads one value as encoding/json would, with one exception: a whole
// number that a float64 cannot hold exactly becomes an int64.
func readAny(d *jsontext.Decoder, raw bool) (any, error) {
	switch kind := d.PeekKind(); {
	case raw && (kind == jsontext.KindBeginObject || kind == jsontext.KindBeginArray):
		v, err := d.ReadValue()
		return json.RawMessage(v.Clone()), err
	case kind == jsontext.KindBeginObject:
		return readAnyObject(d, raw)
	case kind == jsontext.KindBeginArray:
		return readAnyList(d)
	case kind == jsontext.KindNumber:
		v, err := d.ReadValue()
		return readNumber(string(v)), err
	}
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	case jsontext.KindString:
		return token.String(), nil
	}
	return nil, nil
}

func readAnyObject(d *jsontext.Decoder, raw bool) (map[string]any, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	all := make(map[string]any)
	for d.PeekKind() != jsontext.KindEndObject {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		key := token.String()
		if all[key], err = readAny(d, raw); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return all, err
}

func readAnyList(d *jsontext.Decoder) ([]any, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	all := []any{}
	for d.PeekKind() != jsontext.KindEndArray {
		item, err := readAny(d, false)
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	_, err := d.ReadToken()
	return all, err
}

func readNumber(s string) any {
	f, _ := strconv.ParseFloat(s, 64)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && !holdsExactly(f, n) {
		return n
	}
	if math.IsInf(f, 0) {
		return json.RawMessage(s)
	}
	return f
}

// holdsExactly tells whether f is n. The bound is where float64 to int64 is no
// longer defined.
func holdsExactly(f float64, n int64) bool {
	return f < 1<<63 && int64(f) == n
}

// wholeNumber returns a number that readAny gave.
func wholeNumber(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), float64(int64(v)) == v
	}
	return 0, false
}
