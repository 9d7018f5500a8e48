package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Every type of this package that is a JSON object says so with a table: one
// member a key, and the place for keys that it does not know. This file reads
// and writes JSON by such tables, and nothing else in the package does.
//
// encoding/json would find the same by reflection, at a cost that a hook feels:
// about half of what its whole process takes.

// laidOut is a type with a table.
type laidOut interface {
	layout() layout
}

// layout is the table of one value. Its members point into that value.
type layout struct {
	members []member
	// unknown keeps the keys that are no member. Nil drops them.
	unknown keeper
	// sorted has all keys written in order of name when there are unknown ones.
	sorted bool
}

// member is one key of an object.
type member struct {
	key   string
	value value
	// optional members are left out while they are zero.
	optional bool
}

// value is what stands behind a key.
type value interface {
	isZero() bool
	appendTo(dst []byte) ([]byte, error)
	// readFrom reads exactly one JSON value, which is not null. One of another
	// kind is no error: it is handed back as misfit, good until the next read.
	readFrom(d *jsontext.Decoder) (misfit jsontext.Value, err error)
}

// errShape tells of JSON that cannot be the file it claims to be.
var errShape = errors.New("not the expected JSON object")

func optional(m member) member {
	m.optional = true
	return m
}

// encode returns v as compact JSON in valid UTF-8.
func encode(v laidOut) ([]byte, error) {
	out, err := v.layout().appendTo(make([]byte, 0, 2048))
	if err != nil {
		return nil, err
	}
	return validUTF8(out), nil
}

// encodeIndented returns v as JSON for people: two spaces a level.
func encodeIndented(v laidOut) ([]byte, error) {
	out, err := encode(v)
	if err != nil {
		return nil, err
	}
	return appendRaw(nil, out, jsontext.WithIndent("  "))
}

// decode reads v from data, which must be one JSON object and nothing else.
// Members that are absent, null or of another kind stay as they are.
func decode(data []byte, v laidOut) error {
	d := newDecoder(validUTF8(data))
	misfit, err := v.layout().readFrom(d)
	if err != nil {
		return err
	}
	if misfit != nil {
		return errShape
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return fmt.Errorf("more after the JSON object: %w", errShape)
	}
	return nil
}

// validUTF8 puts U+FFFD in the place of every byte that is not UTF-8, as
// encoding/json does.
func validUTF8(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	return []byte(string([]rune(string(data))))
}

func newDecoder(data []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func (l layout) isZero() bool {
	for _, m := range l.members {
		if !m.value.isZero() {
			return false
		}
	}
	return l.unknown == nil || len(l.unknown.kept()) == 0
}

func (l layout) appendTo(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	var err error
	first := true
	for _, m := range l.written() {
		if m.optional && m.value.isZero() {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendQuoted(dst, m.key)
		dst = append(dst, ':')
		if dst, err = m.value.appendTo(dst); err != nil {
			return nil, fmt.Errorf("%s: %w", m.key, err)
		}
	}
	return append(dst, '}'), nil
}

// written returns the members as they go into the file: the known ones, then
// the unknown. A known key can be among the unknown, when it was read with a
// value of another kind: that value stands until the member gets one.
func (l layout) written() []member {
	if l.unknown == nil {
		return l.members
	}
	kept := l.unknown.kept()
	if len(kept) == 0 {
		return l.members
	}
	all := slices.Clone(l.members)
	for _, k := range kept {
		i := slices.IndexFunc(l.members, func(m member) bool { return m.key == k.key })
		switch {
		case i < 0:
			all = append(all, k)
		case l.members[i].value.isZero():
			all[i] = k
		}
	}
	if l.sorted {
		slices.SortFunc(all, byKey)
	}
	return all
}

func (l layout) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.ReadValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var unknown []member
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		m, key := l.find(name)
		var misfit jsontext.Value
		if m != nil {
			misfit, err = readOrNull(m.value, d)
		} else {
			misfit, err = d.ReadValue()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if misfit != nil && l.unknown != nil {
			unknown = append(unknown, member{key: key, value: rawValue(misfit.Clone())})
		}
	}
	if len(unknown) > 0 {
		l.unknown.keep(unknown)
	}
	_, err := d.ReadToken()
	return nil, err
}

// find returns the member of a quoted name, nil if there is none, and the name.
func (l layout) find(quoted jsontext.Value) (*member, string) {
	plain := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(plain, '\\') >= 0 {
		plain, _ = jsontext.AppendUnquote(nil, quoted)
	}
	for i := range l.members {
		if l.members[i].key == string(plain) {
			return &l.members[i], l.members[i].key
		}
	}
	return nil, string(plain)
}

func readOrNull(v value, d *jsontext.Decoder) (jsontext.Value, error) {
	if d.PeekKind() == jsontext.KindNull {
		return nil, d.SkipValue()
	}
	return v.readFrom(d)
}

// readIf hands the next value to use, and hands it back if that refuses it.
func readIf(d *jsontext.Decoder, use func(jsontext.Value) bool) (jsontext.Value, error) {
	raw, err := d.ReadValue()
	if err != nil || use(raw) {
		return nil, err
	}
	return raw, nil
}

func appendQuoted(dst []byte, s string) []byte {
	// The error only says that bad UTF-8 was replaced, which is what we want.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// Text.

type textValue string

func text(key string, s *string) member {
	return member{key: key, value: (*textValue)(s)}
}

func (t *textValue) isZero() bool { return *t == "" }

func (t *textValue) appendTo(dst []byte) ([]byte, error) {
	return appendQuoted(dst, string(*t)), nil
}

func (t *textValue) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	if d.PeekKind() != jsontext.KindString {
		return d.ReadValue()
	}
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	*t = textValue(token.String())
	return nil, nil
}

// Whole numbers. One with a fraction, or too large, is a misfit.

type numberValue[N int | int64] struct{ n *N }

func number[N int | int64](key string, n *N) member {
	return member{key: key, value: numberValue[N]{n}}
}

func (v numberValue[N]) isZero() bool { return *v.n == 0 }

func (v numberValue[N]) appendTo(dst []byte) ([]byte, error) {
	return strconv.AppendInt(dst, int64(*v.n), 10), nil
}

func (v numberValue[N]) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	return readIf(d, func(raw jsontext.Value) bool {
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || int64(N(n)) != n {
			return false
		}
		*v.n = N(n)
		return true
	})
}

// Truth values.

type flagValue bool

func flag(key string, b *bool) member {
	return member{key: key, value: (*flagValue)(b)}
}

func (f *flagValue) isZero() bool { return !bool(*f) }

func (f *flagValue) appendTo(dst []byte) ([]byte, error) {
	return strconv.AppendBool(dst, bool(*f)), nil
}

func (f *flagValue) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	return readIf(d, func(raw jsontext.Value) bool {
		*f = raw.Kind() == jsontext.KindTrue
		return bool(*f) || raw.Kind() == jsontext.KindFalse
	})
}

// Times, in RFC 3339 with as many digits as they have.

type stampValue time.Time

func stamp(key string, t *time.Time) member {
	return member{key: key, value: (*stampValue)(t)}
}

func (s *stampValue) isZero() bool { return time.Time(*s).IsZero() }

func (s *stampValue) appendTo(dst []byte) ([]byte, error) {
	t := time.Time(*s)
	if y := t.Year(); y < 0 || y > 9999 {
		t = time.Time{} // RFC 3339 has no such year, and no reader would take it
	}
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"'), nil
}

func (s *stampValue) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	return readIf(d, func(raw jsontext.Value) bool {
		if raw.Kind() != jsontext.KindString {
			return false
		}
		t, err := time.Parse(time.RFC3339Nano, string(raw[1:len(raw)-1]))
		if err != nil {
			return false
		}
		*s = stampValue(t)
		return true
	})
}

// Objects within objects, by value and by pointer.

type objectValue struct{ laidOut }

func object(key string, o laidOut) member {
	return member{key: key, value: objectValue{o}}
}

func (o objectValue) isZero() bool { return o.layout().isZero() }

func (o objectValue) appendTo(dst []byte) ([]byte, error) {
	return o.layout().appendTo(dst)
}

func (o objectValue) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	return o.layout().readFrom(d)
}

type pointerValue[T any, P laidOutPointer[T]] struct{ p **T }

type laidOutPointer[T any] interface {
	*T
	laidOut
}

// pointer is a member that is there or not: nil is left out, an empty object
// is written.
func pointer[T any, P laidOutPointer[T]](key string, p **T) member {
	return optional(member{key: key, value: pointerValue[T, P]{p}})
}

func (v pointerValue[T, P]) isZero() bool { return *v.p == nil }

func (v pointerValue[T, P]) appendTo(dst []byte) ([]byte, error) {
	return P(*v.p).layout().appendTo(dst)
}

func (v pointerValue[T, P]) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	item := new(T)
	misfit, err := P(item).layout().readFrom(d)
	if misfit == nil && err == nil {
		*v.p = item
	}
	return misfit, err
}

// Lists. A list with an element of another kind is a misfit as a whole.

type listValue[T any] struct {
	items *[]T
	each  func(*T) value
}

func texts(key string, items *[]string) member {
	return optional(member{key: key, value: &listValue[string]{items, func(s *string) value { return (*textValue)(s) }}})
}

func objects[T any, P laidOutPointer[T]](key string, items *[]T) member {
	return optional(member{key: key, value: &listValue[T]{items, func(t *T) value { return objectValue{P(t)} }}})
}

func (l *listValue[T]) isZero() bool { return len(*l.items) == 0 }

func (l *listValue[T]) appendTo(dst []byte) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i := range *l.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = l.each(&(*l.items)[i]).appendTo(dst); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func (l *listValue[T]) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	return readIf(d, func(raw jsontext.Value) bool {
		if raw.Kind() != jsontext.KindBeginArray {
			return false
		}
		in := newDecoder(raw)
		in.ReadToken() // the bracket, which Kind has seen
		var items []T
		for in.PeekKind() != jsontext.KindEndArray {
			var item T
			misfit, err := readOrNull(l.each(&item), in)
			if misfit != nil || err != nil {
				return false
			}
			items = append(items, item)
		}
		*l.items = items
		return true
	})
}

// Objects by name. They are the body of their file, so that anything else in
// their place is damage.

type namedValue[T any, P laidOutPointer[T]] struct{ items *map[string]T }

func named[T any, P laidOutPointer[T]](key string, items *map[string]T) member {
	return member{key: key, value: namedValue[T, P]{items}}
}

func (v namedValue[T, P]) isZero() bool { return len(*v.items) == 0 }

func (v namedValue[T, P]) appendTo(dst []byte) ([]byte, error) {
	names := make([]string, 0, len(*v.items))
	for name := range *v.items {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	var err error
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, name), ':')
		item := (*v.items)[name]
		if dst, err = P(&item).layout().appendTo(dst); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return append(dst, '}'), nil
}

func (v namedValue[T, P]) readFrom(d *jsontext.Decoder) (jsontext.Value, error) {
	if d.PeekKind() != jsontext.KindBeginObject {
		return nil, errShape
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	items := make(map[string]T)
	for d.PeekKind() != jsontext.KindEndObject {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		var item T
		misfit, err := readOrNull(objectValue{P(&item)}, d)
		if err != nil {
			return nil, err
		}
		if misfit != nil {
			return nil, fmt.Errorf("%s: %w", name, errShape)
		}
		items[name] = item
	}
	*v.items = items
	_, err := d.ReadToken()
	return nil, err
}
