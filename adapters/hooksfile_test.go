package adapters

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

var testOwn = OwnCommand{Agent: "claude", Self: "panehook"}

func testHandlers(program string, args bool) []HookHandler {
	var handlers []HookHandler
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"} {
		h := HookHandler{Event: event, Command: ShellQuote(program) + " hook claude " + event, Timeout: 5}
		if args {
			h.Command, h.Args = program, []string{"hook", "claude", event}
		}
		handlers = append(handlers, h)
	}
	return handlers
}

// settingsFiles are files as people and programs leave them, none with an
// entry of ours.
var settingsFiles = []string{
	"", "\n", " \n\n", "{}", "{}\n", "{ }\n", "{\n}\n", "{\n\n}\n", "{ /* nothing yet */ }\n", "{\n  // nothing yet\n}\n",
	`{"model":"opus"}`,
	`{"model": "opus"}` + "\n",
	`{ "model": "opus" }` + "\n",
	`{"hooks":{}}`,
	`{"hooks":{},}`,
	`{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}`,
	`{"model":"opus", "hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]},],},}`,
	`{"hooks": {"Stop": [], "PreToolUse": [ ], "SessionEnd": [
  ]}, "model": "opus"}`,
	`// the whole file is mine
{
  // house rules, keep this line
  "model": "opus",
  "permissions": {
    "allow": ["Bash(git status)"],
    "deny": ["Read(./.env)", "Bash(rm -rf *)"], /* important */
  },
  "env": { "EXAMPLE_FLAG": "1" },
  "hooks": {},
} // and the end`,
	`{
  "model": "opus" // fast enough
}
`,
	`{
  "model": "opus", // fast enough
}
`,
	`{
  "model": "opus"
  // end of settings
}
`,
	`{
  "model": "opus" /* a */, /* b */
  // c
  /* d */ }
`,
	`{
    "hooks": {
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {
                        "type": "command",
                        "command": "/home/dev/guard.sh",
                        "timeout": 5
                    }
                ]
            }
        ],
        "Stop": [
            {
                "hooks": [
                    { "type": "command", "command": "say done" }, // loud
                    { "type": "command", "command": "tee -a ~/log" }
                ]
            }
        ]
    },
    "model": "opus"
}
`,
	`{
	"hooks": {
		"Stop": [{
			"hooks": [{
				"type": "command",
				"command": "say \"done\"\u00e9 é"
			}]
		}],
		"Notification": [{"hooks": [{"type": "command", "command": "notify"}]}],
	},
}`,
	`{
  "hooks": {
    "UserPromptSubmit": [
      // first the log
      {
        "hooks": [
          {"type": "command", "command": "/home/dev/prompt-log"}
        ]
      }, // then nothing
    ],
    "Stop": [
      // none at the moment
    ]
  }
}
`,
	`{
  "hooks": {
    // no hooks here
  },
  "z": [1, 2.50, -0e1, true, null, "\ud800"]
}
`,
	"{\n  \"a\": 1, // x\n  \"hooks\"  :  { \"Stop\" : [ {\"hooks\" : [ ]} ] }\n}\n\n\n",
	"{\"a\": 1,\n\"b\": 2,\n\"hooks\": {\n\"Stop\": [\n{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}\n]\n}}\n",
}

// spellings of one file: line ends, byte order mark, tabs, no final newline.
func spellings(file string) []string {
	all := []string{file, strings.TrimRight(file, "\n"), strings.ReplaceAll(file, "  ", "\t")}
	for _, f := range slices.Clone(all) {
		all = append(all, strings.ReplaceAll(f, "\n", "\r\n"), "\xef\xbb\xbf"+f)
	}
	return all
}

func TestHooksFileRestored(t *testing.T) {
	for _, file := range settingsFiles {
		for _, spelling := range spellings(file) {
			for _, args := range []bool{false, true} {
				checkHooksFile(t, []byte(spelling), args)
			}
		}
	}
}

// FuzzHooksFile holds for any file: what can be parsed is given back to the
// byte, foreign entries never move, and a second installation changes nothing.
func FuzzHooksFile(f *testing.F) {
	for _, file := range settingsFiles {
		f.Add([]byte(file), false)
	}
	f.Fuzz(func(t *testing.T, file []byte, args bool) {
		parsed, err := ParseHooksFile(file, testOwn)
		if err != nil || parsed.CheckShape() != nil {
			return
		}
		if slices.ContainsFunc(parsed.Entries(), func(e HookEntry) bool { return e.Own }) {
			return
		}
		checkHooksFile(t, file, args)
	})
}

func checkHooksFile(t *testing.T, file []byte, args bool) {
	t.Helper()
	handlers := testHandlers("/opt/pane hook/it's/panehook", args)
	installed := edit(t, file, func(h *HooksFile) error { return h.Install(handlers, file) })

	h := mustParse(t, installed)
	if err := h.CheckShape(); err != nil {
		t.Fatalf("after install: %v\n%s", err, installed)
	}
	var own []HookEntry
	var foreign []string
	for _, e := range h.Entries() {
		if e.Own {
			own = append(own, e)
		} else {
			foreign = append(foreign, entryID(e))
		}
	}
	if len(own) != len(handlers) {
		t.Fatalf("%d own entries, want %d\n%s", len(own), len(handlers), installed)
	}
	for _, want := range handlers {
		if !slices.ContainsFunc(own, func(e HookEntry) bool { return e.Event == want.Event && e.Runs(want) && e.matchesAll() }) {
			t.Fatalf("no entry for %s\n%s", want.Event, installed)
		}
	}
	var before []string
	for _, e := range mustParse(t, file).Entries() {
		before = append(before, entryID(e))
	}
	slices.Sort(before)
	slices.Sort(foreign)
	if !slices.Equal(before, foreign) {
		t.Fatalf("foreign entries moved:\n%q\n%q", before, foreign)
	}

	again := edit(t, installed, func(h *HooksFile) error { return h.Install(handlers, file) })
	if !bytes.Equal(again, installed) {
		t.Fatalf("a second installation changed\n%s\nto\n%s", installed, again)
	}

	u := mustParse(t, installed)
	if err := u.Uninstall(file); err != nil {
		t.Fatal(err)
	}
	restored := u.Bytes()
	if u.IsEmpty() && isBlank(bytes.TrimPrefix(file, utf8BOM)) {
		restored = file // the caller's part
	}
	if !bytes.Equal(restored, file) {
		t.Fatalf("uninstall gave\n%q\nof\n%q\nby\n%s", restored, file, installed)
	}

	// Without the original, what is not ours still means the same.
	u = mustParse(t, installed)
	if err := u.Uninstall(nil); err != nil {
		t.Fatal(err)
	}
	if got, want := withoutEmptyHooks(t, u.Bytes()), withoutEmptyHooks(t, file); !reflect.DeepEqual(got, want) {
		t.Fatalf("uninstall without the original: %v, want %v", got, want)
	}

	// Another program re-formats the file: ours are found all the same.
	value, err := hujson.Parse(bytes.TrimPrefix(installed, utf8BOM))
	if err != nil {
		return // a comment on the last line
	}
	value.Format()
	formatted := edit(t, value.Pack(), func(h *HooksFile) error { return h.Install(handlers, file) })
	if !bytes.Equal(formatted, value.Pack()) {
		t.Fatalf("installation after re-formatting changed\n%s\nto\n%s", value.Pack(), formatted)
	}
	u = mustParse(t, formatted)
	if err := u.Uninstall(file); err != nil {
		t.Fatal(err)
	}
	if got, want := withoutEmptyHooks(t, u.Bytes()), withoutEmptyHooks(t, file); !reflect.DeepEqual(got, want) {
		t.Fatalf("uninstall after re-formatting: %v, want %v", got, want)
	}
}

func entryID(e HookEntry) string {
	fields, _ := json.Marshal(e.Fields)
	return fmt.Sprint(e.Event, e.Group, e.Index, string(fields))
}

func edit(t *testing.T, file []byte, do func(*HooksFile) error) []byte {
	t.Helper()
	h := mustParse(t, file)
	if err := do(h); err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	return h.Bytes()
}

func mustParse(t *testing.T, file []byte) *HooksFile {
	t.Helper()
	h, err := ParseHooksFile(file, testOwn)
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	return h
}

// withoutEmptyHooks decodes a file less its empty arrays and objects of hooks.
func withoutEmptyHooks(t *testing.T, file []byte) map[string]any {
	t.Helper()
	f, err := parseJSONFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := decodeObject(&f.root)
	if hooks, ok := all["hooks"].(map[string]any); ok {
		for name, event := range hooks {
			if groups, ok := event.([]any); ok && len(groups) == 0 {
				delete(hooks, name)
			}
		}
		if len(hooks) == 0 {
			delete(all, "hooks")
		}
	}
	return all
}

func TestHooksFileUpgrade(t *testing.T) {
	const before = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "/home/dev/guard.sh", "timeout": 5}]
      },
      {
        "hooks": [
          {
            "type": "command",
            "command": "/old/go/bin/panehook hook claude PreToolUse",
            "async": true
          }
        ]
      },
      {
        "matcher": "*",
        "hooks": [{"type": "command", "command": "'/old/go/bin/panehook' hook claude PreToolUse", "timeout": 5}]
      }
    ],
    "Stop": [
      {"matcher": "x", "hooks": [{"type": "command", "command": "panehook --quiet hook claude Stop || true"}]},
      {"hooks": [{"type": "command", "command": "say done"}]}
    ],
    "MessageDisplay": [
      {"hooks": [{"type": "command", "command": "panehook hook claude MessageDisplay"}]}
    ],
    "UserPromptSubmit": [
      {
        "matcher": "x",
        "hooks": [
          {"type": "command", "command": "/old/go/bin/panehook hook claude UserPromptSubmit"},
          {"type": "command", "command": "/home/dev/prompt-log"}
        ]
      }
    ]
  },
  "model": "opus"
}
`
	const want = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "/home/dev/guard.sh", "timeout": 5}]
      },
      {
        "hooks": [
          {
            "type": "command",
            "command": "/new/panehook hook claude PreToolUse",
            "timeout": 5
          }
        ]
      }
    ],
    "Stop": [
      {"hooks": [{"type": "command", "command": "/new/panehook hook claude Stop", "timeout": 5}]},
      {"hooks": [{"type": "command", "command": "say done"}]}
    ],
    "UserPromptSubmit": [
      {
        "matcher": "x",
        "hooks": [
          {"type": "command", "command": "/home/dev/prompt-log"}
        ]
      },
      {
        "hooks": [
          {
            "type": "command",
            "command": "/new/panehook hook claude UserPromptSubmit",
            "timeout": 5
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/new/panehook hook claude SessionStart",
            "timeout": 5
          }
        ]
      }
    ],
    "SessionEnd": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/new/panehook hook claude SessionEnd",
            "timeout": 5
          }
        ]
      }
    ]
  },
  "model": "opus"
}
`
	got := edit(t, []byte(before), func(h *HooksFile) error { return h.Install(testHandlers("/new/panehook", false), nil) })
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
}

func TestHooksFileRefuses(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"{\n  \"deny\": [\"Bash(rm -rf ", "line 2, column 25: parsing string: unexpected EOF"},
		{"{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: invalid character '\"' after object value (expecting ',' or '}')"},
		{`{"token": "secret\q"}`, "line 1, column 11: malformed value"},
		{`{"token": secret}`, "line 1, column 11: malformed value"},
		{"{}\n{}", "line 2, column 1: invalid character '{' after top-level value"},
		{"[]", "line 1, column 1: the file is not an object"},
		{`{"hooks": []}`, "line 1, column 11: hooks is not an object"},
		{`{"hooks": null}`, "line 1, column 11: hooks is not an object"},
		{`{"hooks": {"Stop": {}}}`, "line 1, column 20: hooks.Stop is not an array"},
		{`{"hooks": {"Stop": ["x"]}}`, "line 1, column 21: hooks.Stop[0] is not an object"},
		{`{"hooks": {"Stop": [{"command": "x"}]}}`, "line 1, column 21: hooks.Stop[0] has no array of hooks"},
		{`{"hooks": {"Stop": [{"hooks": ["x"]}]}}`, "line 1, column 32: hooks.Stop[0].hooks[0] is not an object"},
		{`{"hooks": {}, "hooks": {}}`, `line 1, column 15: a second "hooks" in the same object`},
		{`{"hooks": {"Stop": [], "Stop": []}}`, `line 1, column 24: a second "Stop" in the same object`},
	} {
		h, err := ParseHooksFile([]byte(test.file), testOwn)
		if err == nil {
			if err = h.Install(testHandlers("/p/panehook", false), nil); err != nil && string(h.Bytes()) != test.file {
				t.Errorf("%q: changed in spite of the error", test.file)
			}
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: error %v, want %s", test.file, err, test.want)
		}
	}
}

// BenchmarkHooksFile installs into, and uninstalls from, settings with long
// lists of permissions.
func BenchmarkHooksFile(b *testing.B) {
	for _, rules := range []int{10, 1000, 20000} {
		b.Run(strconv.Itoa(rules), func(b *testing.B) {
			before := []byte("{\n  \"permissions\": [\n" + strings.Repeat("    \"Bash(make:*)\",\n", rules) + "    \"Read\"\n  ]\n}\n")
			b.SetBytes(int64(len(before)))
			for b.Loop() {
				h, err := ParseHooksFile(before, OwnCommand{Agent: "claude"})
				if err != nil {
					b.Fatal(err)
				}
				if err := h.Install(testHandlers("/opt/panehook", false), nil); err != nil {
					b.Fatal(err)
				}
				after, err := h.UninstallFrom(InstallFile{Now: h.Bytes(), Original: before})
				if err != nil || !bytes.Equal(after, before) {
					b.Fatal("not as it was", err)
				}
			}
		})
	}
}

// Which of two members with one name counts, differs by reader. Indexes into
// one must not cut the other.
func TestUninstallLeavesMembersThatAreThereTwice(t *testing.T) {
	const ours = `{"type":"command","command":"/old/panehook hook claude Stop"}`
	const theirs = `{"type":"command","command":"say done"}`
	group := func(handlers ...string) string { return `[{"hooks":[` + strings.Join(handlers, ",") + `]}]` }
	for _, text := range []string{
		`{"hooks":{"Stop":` + group(theirs) + `,"Stop":` + group(ours, theirs) + `}}`,
		`{"hooks":{"Stop":` + group(ours) + `,"Stop":` + group(theirs, ours) + `}}`,
		`{"hooks":{"Stop":` + group(theirs, ours) + `},"hooks":{"Stop":` + group(ours) + `}}`,
		`{"hooks":{"Stop":[{"hooks":[` + theirs + `,` + ours + `],"hooks":[` + ours + `]}]}}`,
	} {
		h, err := ParseHooksFile([]byte(text), testOwn)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Uninstall(nil); err == nil || !strings.Contains(err.Error(), "a second ") {
			t.Errorf("%s: %v", text, err)
		}
		if got := string(h.Bytes()); got != text {
			t.Errorf("%s: became %s", text, got)
		}
	}
}
