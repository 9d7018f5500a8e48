package adapters

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

func TestClean(t *testing.T) {
	long := strings.Repeat("0123456789", 11)
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "go test ./...", "go test ./..."},
		{"white space", "  a \t b\r\n\v\f c\u00a0\u2003d\u2028e\u2029f\u0085g\u3000h  ", "a b c d e f g h"},
		{"only white space", " \n\t ", ""},
		{"control characters", "a\x00b\x01c\x7fd\u0080e\u0099f", "abcdef"},
		{"tmux formats stay", "#(touch x) #{pane_tty} ##", "#(touch x) #{pane_tty} ##"},

		{"bad bytes", "open \x9d\xff caf\xe9 \xc0\xaf now", "open caf now"},
		{"half a rune", "日本\xe6\x97", "日本"},
		{"lone surrogate as bytes", "a\xed\xa0\xbdb", "ab"},
		{"replacement character", "a\ufffdb", "ab"},

		{"colours", "\x1b[1;31mred\x1b[0m \u009b32mgreen\u009bm", "red green"},
		{"cursor", "a\x1b[2K\x1b[1Gb\x1b[?25l\x1b[>4;2m\x1b[ qc", "abc"},
		{"title ended by BEL", "a\x1b]0;title\ab", "ab"},
		{"title ended by ST", "a\x1b]0;title\x1b\\b\u009d2;t\u009cc", "abc"},
		{"link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"title without end", "a\x1b]0;title", "a"},
		{"title without end on its line", "a\x1b]0;title\nb", "a b"},
		{"title cut off by another sequence", "a\x1b]0;title\x1b[31mb", "ab"},
		{"DCS SOS PM APC", "a\x1bPx\x1b\\b\x1bXx\x1b\\c\x1b^x\x1b\\d\x1b_x\x1b\\e", "abcde"},
		{"8-bit DCS SOS PM APC", "a\u0090x\u009cb\u0098x\u009cc\u009ex\u009cd\u009fx\ae", "abcde"},
		{"character sets and keypad", "a\x1b(Bb\x1b=c\x1b#8d\x1b7e\x1bOPf", "abcdef"},
		{"CSI without end", "a\x1b[31", "a"},
		{"lone ESC", "a\x1b", "a"},
		{"ESC before a letter outside ASCII", "a\x1bé", "aé"},

		{"bidi", "a\u202eb\u2066c\u2069d\u200ee\u200ff\u061cg", "abcdefg"},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u034fh", "abcdefgh"},
		{"blank letters", "a\u3164b\u115fc\u1160d\uffa0e\u2800f\u17b4g", "abcdefg"},
		{"private use and tags", "a\ue000b\U000e0041c\U000f0000d", "abcd"},
		{"selectors without an emoji", "a\ufe0fb\ufe0ec\U000e0100d", "abcd"},
		{"emoji", "👩‍👩‍👧‍👦 ❤️‍🔥 👍🏽 🇯🇵 👩🏽‍🚀", "👩‍👩‍👧‍👦 ❤️‍🔥 👍🏽 🇯🇵 👩🏽‍🚀"},
		{"joiner at an end", "👩\u200d a\u200d👩", "👩 a👩"},
		{"two joiners", "👩\u200d\u200d👩", "👩\u200d👩"},
		{"two selectors", "❤\ufe0f\ufe0f", "❤\ufe0f"},
		{"accents", "e\u0301\u0301\u0301\u0301\u0301\u0301 \u0301x", "e\u0301\u0301\u0301\u0301 x"},
		{"accent at the start", "\u0301x", "x"},

		{"100 columns", long[:100], long[:100]},
		{"101 columns", long[:101], long[:99] + "…"},
		{"space before the cut", long[:98] + " x y", long[:98] + "…"},
		{"wide", strings.Repeat("日", 50), strings.Repeat("日", 50)},
		{"too wide", strings.Repeat("日", 51), strings.Repeat("日", 49) + "…"},
		{"cut before an emoji", long[:98] + "👩‍👩‍👧‍👦 x", long[:98] + "…"},
		{"cut before a letter with accents", long[:99] + "e\u0301x", long[:99] + "…"},
		{"far too long", strings.Repeat("word ", 60000), strings.Repeat("word ", 19) + "word…"},
		{"text behind much that goes", strings.Repeat("\x1b[0m", 5000) + "x", "x"},

		{"secret", "TOKEN=" + hunter + " run", "TOKEN=*** run"},
		{"secret split by a colour", "TOKEN=\x1b[1mXq7Vz2\x1b[0mKp9Rt4Wm6Y run", "TOKEN=*** run"},
		{"secret split by zero width", "TO\u200bKEN=Xq7V\u200bz2Kp9R\u200dt4Wm6Y run", "TOKEN=*** run"},
		{"key split by zero width", "echo g\u200dhp_Xq7V\u200bz2Kp9R\ufe0ft4Wm6Y", "echo ***"},
		{"secret at the cut", strings.Repeat("x", 85) + " --token=" + hunter, strings.Repeat("x", 85) + " --token=***"},
		{"mask at the cut", strings.Repeat("x", 89) + " --token=" + hunter, strings.Repeat("x", 89) + " --token=*…"},
		{"secret longer than what is looked at", "TOKEN=" + strings.Repeat(hunter, 1000), "TOKEN=***…"},
	}
	for _, test := range tests {
		got := Clean(test.in)
		if got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
		if again := Clean(got); again != got {
			t.Errorf("%s: %q becomes %q", test.name, got, again)
		}
	}
}

func TestWord(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Bash", "Bash"},
		{"mcp__server__tool", "mcp__server__tool"},
		{"toolu_01ABCdef", "toolu_01ABCdef"},
		{"call_abc|fc_def", "call_abc|fc_def"},
		{"a\x1b[31m\nb", "a b"},
		{strings.Repeat("x", 64), strings.Repeat("x", 64)},
		{strings.Repeat("x", 65), strings.Repeat("x", 61) + "…"},
		{strings.Repeat("日", 30), strings.Repeat("日", 20) + "…"},
	}
	for _, test := range tests {
		if got := Word(test.in); got != test.want {
			t.Errorf("Word(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestBase(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""}, {"/", "/"}, {"a", "a"}, {"/a/b.go", "b.go"}, {"/a/b/", "b"}, {`C:\a\b.go`, "b.go"},
		{"/проект/настройки.go", "настройки.go"}, {"/a/\x1b[31mb\n.go", "b .go"},
	}
	for _, test := range tests {
		if got := Base(test.in); got != test.want {
			t.Errorf("Base(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestLines(t *testing.T) {
	key := "-----BEGIN PRIVATE KEY-----\n" + hunter + "\n" + hunter + "\n-----END PRIVATE KEY-----"
	tests := []struct {
		in   string
		n    int
		want []string
	}{
		{"", 3, nil},
		{"a", 0, nil},
		{"a\nb\nc\n", 2, []string{"b", "c"}},
		{"\n\na\r\n \r\n\tb \n\x1b[0m\n", 5, []string{"a", "b"}},
		{"a\x1b]0;title\nb", 5, []string{"a", "b"}},
		{"a\rb", 5, []string{"a", "b"}},
		{"x\n" + key + "\ny", 5, []string{"x", "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----", "y"}},
		{key[40:] + "\ny", 5, []string{"***-----END PRIVATE KEY-----", "y"}},
		{"password:\n\n  " + hunter + "\nAuthorization: Bearer \n" + hunter, 5, []string{"password:", "***", "Authorization: ***", "***"}},
		{key[:50], 5, []string{"-----BEGIN PRIVATE KEY-----***"}},
		{strings.Repeat("a\n", 100000) + "b", 2, []string{"a", "b"}},
		{strings.Repeat("x", 200), 1, []string{strings.Repeat("x", 99) + "…"}},
	}
	for _, test := range tests {
		if got := Lines(test.in, test.n); !slices.Equal(got, test.want) {
			t.Errorf("Lines(%.40q, %d)\n got %q\nwant %q", test.in, test.n, got, test.want)
		}
	}
}

// checkSafe fails the test unless s is what Clean promises.
func checkSafe(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) {
		t.Errorf("%q is not clean UTF-8", s)
	}
	if width := uniseg.StringWidth(s); width > MaxColumns {
		t.Errorf("%q has %d columns", s, width)
	}
	if len(s) > maxBytes {
		t.Errorf("%d bytes", len(s))
	}
	if strings.TrimSpace(s) != s || strings.Contains(s, "  ") {
		t.Errorf("%q has needless white space", s)
	}
	for _, r := range s {
		if r != ' ' && r != zeroWidthJoiner && !unicode.IsPrint(r) {
			t.Errorf("%q has %U", s, r)
		}
	}
}

var textSeeds = []string{
	"go test ./... && git push", "a\x1b[31mb\x1b]0;t\ac", "日本語 👩‍👩‍👧‍👦 e\u0301", "x\u202ey\u200bz", "\xff\xfe\xed\xa0\x80",
	"TOKEN='a b' --password x", `{"password":"a\"b"}`, "https://a:b@c:80/d", "Authorization: Basic x, y", "-u a:b -p$(c) <d>",
	strings.Repeat("long words ", 20), "-----BEGIN PRIVATE KEY-----x", "mysql -pabc", "❤️\u200d\u200d🏽", "`'\"`'\"",
}

func FuzzClean(f *testing.F) {
	for _, seed := range textSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		checkSafe(t, got)
		if again := Clean(got); again != got {
			t.Errorf("%q becomes %q, then %q", s, got, again)
		}
		if word := Word(s); len(word) > maxWord || Word(word) != word {
			t.Errorf("Word(%q) is %q, then %q", s, word, Word(word))
		}
		checkSafe(t, Base(s))
		for _, line := range Lines(s, 3) {
			checkSafe(t, line)
		}
	})
}

// FuzzSecret plants a secret after each thing that announces one, with any
// lines in front and any text behind.
func FuzzSecret(f *testing.F) {
	for i, seed := range textSeeds {
		f.Add(seed+" ", uint8(i), " "+seed, uint8(0))
		f.Add("x ", uint8(i+len(textSeeds)), "\x1b[0m", uint8(3))
	}
	f.Fuzz(func(t *testing.T, before string, leader uint8, after string, splitAt uint8) {
		if leaks(before+" "+after, hunter) != "" {
			return
		}
		// Removed characters inside the secret must not matter.
		split := int(splitAt) % len(hunter)
		in := before + "\n" + leaders[int(leader)%len(leaders)] + hunter[:split] + "\u200b\x00" + hunter[split:] + after
		for _, line := range append(Lines(in, 5), Clean(in), Word(in)) {
			if leak := leaks(line, hunter); leak != "" {
				t.Errorf("%q leaks %q", in, leak)
			}
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"ascii", "go test ./adapters -run Scanner -count 3"},
		{"colours", "\x1b[1;31merror\x1b[0m: \x1b[1mcannot find the file\x1b[0m"},
		{"japanese", strings.Repeat("設定ファイルの読み込み処理を書き直してください。", 3)},
		{"emoji", strings.Repeat("👩‍👩‍👧‍👦 ", 40)},
		{"long", strings.Repeat("the quick brown fox jumps over the lazy dog\n", 400)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Clean(bench.text)
			}
		})
	}
}
