package adapters

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// feed gives input to a new Scanner in chunks of n bytes.
func feed(input string, n int) *Scanner {
	s := new(Scanner)
	for rest := []byte(input); len(rest) > 0; {
		chunk := rest[:min(n, len(rest))]
		rest = rest[len(chunk):]
		s.Feed(chunk)
	}
	return s
}

func TestScanner(t *testing.T) {
	tests := []struct {
		name, input, payload string
		complete             bool
	}{
		{"empty", "", "", false},
		{"white space only", " \n\t\r", "", false},
		{"object", `{"a":1}`, `{"a":1}`, true},
		{"no members", `{}`, `{}`, true},
		{"array", `[1,"x",null]`, `[1,"x",null]`, true},
		{"string", `"x\"y"`, `"x\"y"`, true},
		{"newline before and after", "\n {\"a\":1}\n", `{"a":1}`, true},
		{"byte order mark", "\xef\xbb\xbf{}", `{}`, true},
		{"half a byte order mark", "\xef\xbb{}", ``, false},
		{"white space between tokens", "{ \"a b\" :\t[ 1 ,\n 2 ] }", `{"a b":[1,2]}`, true},
		{"second value ignored", `{"a":1}{"b":2}`, `{"a":1}`, true},
		{"brackets in strings", `{"a":"}]\"}","b":["{"]}`, `{"a":"}]\"}","b":["{"]}`, true},
		{"escaped backslash ends no string", `{"a":"\\"}`, `{"a":"\\"}`, true},
		{"words are garbage", `hello {"a":1}`, ``, false},
		{"a number is garbage", `12`, ``, false},
		{"a literal is garbage", `null`, ``, false},
		{"cut in a string", `{"session_id":"`, `{"session_id":"`, false},
		{"cut in an escape", `{"a":"\u12`, `{"a":"\u12`, false},
		{"cut after a member", `{"a":1, `, `{"a":1,`, false},
		{"raw control characters stay", "{\"a\":\"x\ny\"}", "{\"a\":\"x\ny\"}", true},
		{"bad bytes stay", "{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}", true},
	}
	for _, test := range tests {
		for _, n := range []int{1, 2, 3, 7, 1 << 20} {
			s := feed(test.input, n)
			if got := string(s.Payload()); got != test.payload || s.Complete() != test.complete {
				t.Errorf("%s, chunks of %d: got %q, complete %v; want %q, %v", test.name, n, got, s.Complete(), test.payload, test.complete)
			}
		}
	}
}

func TestScannerTellsTheEnd(t *testing.T) {
	var s Scanner
	for _, chunk := range []string{" ", `{"a":`, `"}"`} {
		if s.Feed([]byte(chunk)) {
			t.Fatalf("done after %q", chunk)
		}
	}
	if !s.Feed([]byte("}\n")) {
		t.Error("not done after the closing brace")
	}
	if !s.Feed([]byte("more")) {
		t.Error("no longer done")
	}
}

// TestScannerCutsStrings puts every kind of character across the place of the
// cut: the kept text must decode to a beginning of the original.
func TestScannerCutsStrings(t *testing.T) {
	for _, unit := range []string{
		"a", "é", "日", "👩", `\n`, `\\`, `\"`, `\u00e9`, `\ud83d\udc69`, `\uD83D\uDC69`,
		`\\\ud83d\udc69`, `\\ud83d`, `\\u12`, `\\\\u`, `a\u0041\\`, `\ud83d\\u`,
	} {
		for pad := range 14 {
			text := strings.Repeat("x", pad) + strings.Repeat(unit, maxString)
			for _, n := range []int{13, 1 << 20} {
				s := feed(`{"long":"`+text+`","id":"after"}`, n)
				var got, want struct{ Long, ID string }
				if err := json.Unmarshal(s.Payload(), &got); err != nil {
					t.Fatalf("%q after %d: %v", unit, pad, err)
				}
				if err := json.Unmarshal([]byte(`{"long":"`+text+`"}`), &want); err != nil {
					t.Fatal(err)
				}
				if got.ID != "after" || !strings.HasPrefix(want.Long, got.Long) {
					t.Errorf("%q after %d: id %q, end of text %q", unit, pad, got.ID, got.Long[len(got.Long)-10:])
				}
				if len(s.Payload()) < maxString || len(s.Payload()) > maxString+100 {
					t.Errorf("%q after %d: kept %d bytes", unit, pad, len(s.Payload()))
				}
			}
		}
	}
}

func TestScannerBoundsWhatItKeeps(t *testing.T) {
	many := func(unit string) string { return strings.TrimSuffix(strings.Repeat(unit, 2<<20/len(unit)+1), ",") }
	long := strings.Repeat("x", 40<<10)
	tests := []struct {
		name, value string
		null        bool
	}{
		{"numbers", "[" + many("12345,") + "]", true},
		{"keys", "{" + many(`"k":1,`) + "}", true},
		{"one number", many("1"), true},
		{"empty strings", "[" + many(`"",`) + "]", true},
		{"deep", strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20), true},
		{"white space", "[" + many(" \n") + "]", false},
		{"one string", `"` + many("x") + `"`, false},
		{"long strings", "[" + strings.Repeat(`"`+long+`",`, 50) + "0]", false},
		{"calls", "[" + strings.Repeat(`{"out":"`+long+`","id":"toolu_01"},`, 100) + "0]", false},
	}
	for _, test := range tests {
		s := feed(`{"id":"before","big":`+test.value+`,"list":[1,2],"last":"after"}`, 64<<10)
		var got struct {
			ID, Last string
			Big      any
			List     []int
		}
		if err := json.Unmarshal(s.Payload(), &got); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got.ID != "before" || got.Last != "after" || len(got.List) != 2 {
			t.Errorf("%s: short fields are lost: %q %q %v", test.name, got.ID, got.Last, got.List)
		}
		if test.null != (got.Big == nil) {
			t.Errorf("%s: null is %v, want %v", test.name, got.Big == nil, test.null)
		}
		if n := len(s.Payload()); n > maxMember+100 {
			t.Errorf("%s: kept %d bytes", test.name, n)
		}
	}
}

func TestScannerKeepsSmallMembersBehindManyLarge(t *testing.T) {
	large := strings.Repeat(`"x",`, 60<<10) + `"x"`
	var b strings.Builder
	b.WriteString("{")
	for range 10 {
		b.WriteString(`"big":[` + large + `],`)
	}
	b.WriteString(`"tool_use_id":"toolu_01"}`)
	s := feed(b.String(), 64<<10)
	var got struct {
		ID string `json:"tool_use_id"`
	}
	if err := json.Unmarshal(s.Payload(), &got); err != nil || got.ID != "toolu_01" {
		t.Errorf("id %q, error %v", got.ID, err)
	}
}

func TestScannerDropsTheRestOfTooManyMembers(t *testing.T) {
	for _, input := range []string{
		"{" + strings.Repeat(`"some key":"some value",`, 200<<10) + `"a":1}`,
		"[" + strings.Repeat(`"some value",`, 200<<10) + `1]`,
	} {
		s := feed(input, 64<<10)
		if !s.Complete() || !json.Valid(s.Payload()) || len(s.Payload()) > maxPayload {
			t.Errorf("complete %v, valid %v, %d bytes", s.Complete(), json.Valid(s.Payload()), len(s.Payload()))
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`{"a":"x","b":[1,{"c":null}]}`, "\xef\xbb\xbf [\"\\u00e9\\\\\"]", `"s"`, `{"a":"\ud83d\udc69"`, `{"a":]}`, `nope`,
	} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		whole := feed(string(input), len(input)+1)
		parts := feed(string(input), int(size)+1)
		if !bytes.Equal(whole.Payload(), parts.Payload()) || whole.Complete() != parts.Complete() {
			t.Fatalf("chunks of %d change the payload: %q, %q", int(size)+1, whole.Payload(), parts.Payload())
		}
		if !json.Valid(input) || !strings.ContainsRune("{[\"", rune(bytes.TrimLeft(input, " \t\r\n")[0])) {
			return
		}
		var got, want any
		if err := json.Unmarshal(whole.Payload(), &got); err != nil || !whole.Complete() {
			t.Fatalf("%q: complete %v, %v", whole.Payload(), whole.Complete(), err)
		}
		if err := json.Unmarshal(input, &want); err != nil {
			t.Fatal(err)
		}
		if len(input) < maxString/fairShare && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q", input, whole.Payload())
		}
	})
}

// FuzzScannerBounds repeats a piece of input until it is large.
func FuzzScannerBounds(f *testing.F) {
	for _, seed := range []string{`""`, `{"a":[`, `:`, `,`, `\`, `é`, `"\ud83d`, `{`, `]`, ` `} {
		f.Add(`{"a":`, seed)
		f.Add(`["`, seed)
		f.Add(``, seed)
	}
	f.Fuzz(func(t *testing.T, head, unit string) {
		if len(unit) == 0 || len(head) > 100 {
			return
		}
		s := feed(head+strings.Repeat(unit, 3*maxPayload/len(unit)), 64<<10)
		if n := len(s.Payload()); n > maxPayload+1<<10 {
			t.Fatalf("kept %d bytes", n)
		}
	})
}

func FuzzWholeCharacters(f *testing.F) {
	f.Add("ab\\u00e9\\\\é\\ud83d\\udc69", 5)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		if cut < 0 || cut > len(text) || !utf8.ValidString(text) || !json.Valid([]byte(`"`+text+`"`)) {
			return
		}
		n := wholeCharacters([]byte(text[:cut]))
		var kept, all string
		if err := json.Unmarshal([]byte(`"`+text[:n]+`"`), &kept); err != nil {
			t.Fatalf("%q cut to %q: %v", text[:cut], text[:n], err)
		}
		if err := json.Unmarshal([]byte(`"`+text+`"`), &all); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(all, kept) {
			t.Fatalf("%q cut to %q", text[:cut], text[:n])
		}
		if cut-n > 11 {
			t.Fatalf("%q cut to %q: too much", text[:cut], text[:n])
		}
	})
}

func BenchmarkScanner(b *testing.B) {
	const size = 2 << 20
	for _, bench := range []struct{ name, unit, before, after string }{
		{"plain", "0123456789abcde ", `{"a":"`, `"}`},
		{"lines", `the quick brown fox jumps over the lazy dog\n`, `{"a":"`, `"}`},
		{"escapes", `if x == \"y\" {\n\treturn \\\n}\n`, `{"a":"`, `"}`},
		{"only escapes", `\"\\`, `{"a":"`, `"}`},
		{"numbers", `12345,`, `{"a":[`, `0]}`},
		{"objects", `{"name":"value","n":1},`, `{"a":[`, `0]}`},
		{"small", ``, `{"session_id":"5b1f0c9e-1111-4a6b-9c3d-000000000001","cwd":"/home/dev/proj","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"go test ./..."},"tool_use_id":"toolu_01"}`, ``},
	} {
		input := []byte(bench.before)
		if bench.unit != "" {
			input = append(input, strings.Repeat(bench.unit, size/len(bench.unit))...)
		}
		input = append(input, bench.after...)
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				var s Scanner
				for rest := input; len(rest) > 0; {
					chunk := rest[:min(64<<10, len(rest))]
					rest = rest[len(chunk):]
					s.Feed(chunk)
				}
				if !s.Complete() {
					b.Fatal("not complete")
				}
			}
		})
	}
}
