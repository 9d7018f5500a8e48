package codex

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"panehook/adapters"
)

func request(config, hooks, originalConfig, originalHooks []byte) *adapters.InstallRequest {
	return &adapters.InstallRequest{
		Program: "/new/bin/panehook",
		Own:     adapters.OwnCommand{Agent: "codex", Self: "panehook"},
		Env:     func(string) string { return "" },
		Dir:     "/home/dev/.codex", RealDir: "/home/dev/.codex",
		Files: []adapters.InstallFile{{Now: config, Original: originalConfig}, {Now: hooks, Original: originalHooks}},
	}
}

// The hashes are those that Codex 0.171.0 showed and wrote for these handlers.
func TestTrustHash(t *testing.T) {
	matcher := "request_user_input|mcp__.*"
	const command = "'/opt/pane state/bin/panestate' hook codex"
	for _, test := range []struct {
		entry adapters.HookEntry
		want  string
	}{
		{adapters.HookEntry{Event: "SessionEnd", Command: command, Fields: map[string]any{"timeout": 3.0}}, "5e46ee944b97bc66d7f19ec45546c20ead8eba2b5a2958b029da0ce9d6c0a159"},
		{adapters.HookEntry{Event: "SessionEnd", Command: command, Fields: map[string]any{"timeout": 60.0}}, "5e46ee944b97bc66d7f19ec45546c20ead8eba2b5a2958b029da0ce9d6c0a159"},
		{adapters.HookEntry{Event: "SessionStart", Command: command, Fields: map[string]any{"timeout": 5.0}}, "5f02a46f096b722092b8b6b8638513328946ce76faa7c195a09af1d5643911a7"},
		{adapters.HookEntry{Event: "Stop", Command: command, Fields: map[string]any{"timeout": 5.0}}, "c32f7594bb366e5780a22334f94d5d2170b79d409c05c9b418ed359f1b81fbc7"},
		{adapters.HookEntry{Event: "Stop", Command: command, Matcher: &matcher, Fields: map[string]any{"timeout": 5.0}}, "c32f7594bb366e5780a22334f94d5d2170b79d409c05c9b418ed359f1b81fbc7"},
		{adapters.HookEntry{Event: "PreToolUse", Command: command, Matcher: &matcher, Fields: map[string]any{"timeout": 5.0}}, "dc3e0482729ad5c81706e9b23d9a067473ee8e215b1ae388ed7e7b178565dabd"},
	} {
		if got := trustHash(test.entry); got != "sha256:"+test.want {
			t.Errorf("%s %v: %s, want %s", test.entry.Event, test.entry.Fields, got, test.want)
		}
	}
}

func TestEventLabel(t *testing.T) {
	want := []string{"session_start", "user_prompt_submit", "pre_model_request", "pre_tool_use", "permission_request", "post_tool_use",
		"pre_compact", "post_compact", "subagent_start", "subagent_stop", "stop", "interrupt", "session_end"}
	registered := handlers("/new/bin/panehook")
	if len(registered) != len(want) {
		t.Fatalf("%d events are registered, want %d", len(registered), len(want))
	}
	for i, handler := range registered {
		if got := eventLabel(handler.Event); got != want[i] {
			t.Errorf("%s: %s, want %s", handler.Event, got, want[i])
		}
	}
}

const foreignHash = "sha256:1111111111111111111111111111111111111111111111111111111111111111"

var hooksFiles = []string{
	"", "{}\n",
	`{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "/home/dev/other-tool start", "timeout": 5}]}]}}`,
	`{
  "hooks": {
    "SessionStart": [
      {"hooks": [{"type": "command", "command": "/old/bin/panehook hook codex SessionStart", "timeout": 5}]},
      {"hooks": [{"type": "command", "command": "/home/dev/other-tool start", "timeout": 5}]}
    ],
    "Stop": [
      {"matcher": "x", "hooks": [
        {"type": "command", "command": "/old/bin/panehook hook codex Stop", "timeout": 5},
        {"type": "command", "command": "/home/dev/other-tool stop"},
        {"type": "command", "command": "/old/bin/panehook hook codex Stop", "timeout": 5},
        {"type": "command", "command": "/home/dev/third-tool stop"}
      ]}
    ]
  }
}
`,
}

// configFiles hold a record for every place that the hooks files have.
var configFiles = []string{
	"", "\n", "# mine\n", "model = \"gpt-5.4\"", "model = \"gpt-5.4\"\n\n[features]\nhooks = true\n",
	`model = "gpt-5.4" # fast

[hooks.state."/home/dev/.codex/hooks.json:session_start:0:0"]
trusted_hash = "FOREIGN"

# the second
[hooks.state."/home/dev/.codex/hooks.json:session_start:1:0"] # here
# inside
trusted_hash = "FOREIGN" # trusted

[hooks.state."/home/dev/.codex/hooks.json:stop:0:0"]
enabled = false
[hooks.state."/home/dev/.codex/hooks.json:stop:0:1"]
trusted_hash = "FOREIGN"
enabled = false
[hooks.state."/home/dev/.codex/hooks.json:stop:0:3"]
trusted_hash = "FOREIGN"

[projects."/home/dev/x"]
trust_level = "trusted"
note = """
[hooks.state."/home/dev/.codex/hooks.json:stop:0:3"]
"""`,
	`[hooks.state]
'/home/dev/.codex/hooks.json:session_start:1:0' = { trusted_hash = 'FOREIGN' }
"/home/dev/.codex/hooks.json:session_start:0:0".trusted_hash = "FOREIGN"
"/home/dev/.codex/hooks.json:session_start:0:0".enabled = true
"/home/dev/.codex/hooks.json:stop:0:1" = { trusted_hash = 'FOREIGN', enabled = false }
`,
	`[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "mine"
`,
}

func TestInstallUninstall(t *testing.T) {
	for _, config := range configFiles {
		for _, hooks := range hooksFiles {
			for _, crlf := range []bool{false, true} {
				config := strings.ReplaceAll(config, "FOREIGN", foreignHash)
				if crlf {
					config, hooks = strings.ReplaceAll(config, "\n", "\r\n"), strings.ReplaceAll(hooks, "\n", "\r\n")
				}
				checkInstall(t, []byte(config), []byte(hooks))
			}
		}
	}
}

func FuzzInstall(f *testing.F) {
	for _, config := range configFiles {
		for _, hooks := range hooksFiles {
			f.Add([]byte(strings.ReplaceAll(config, "FOREIGN", foreignHash)), []byte(hooks))
		}
	}
	f.Fuzz(func(t *testing.T, config, hooks []byte) {
		var any map[string]any
		if _, err := install(request(config, hooks, config, hooks)); err != nil || toml.Unmarshal(config, &any) != nil {
			return
		}
		checkInstall(t, config, hooks)
	})
}

func checkInstall(t *testing.T, config, hooks []byte) {
	t.Helper()
	before := foreignTrust(t, config, hooks)
	installed, err := install(request(config, hooks, config, hooks))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, config, hooks)
	}
	report, err := inspect(request(installed[0], installed[1], config, hooks))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(report.Trusted) + len(report.SwitchedOff); n != len(handlers("/new/bin/panehook")) || len(report.Missing) > 0 || len(report.Doubled) > 0 {
		t.Fatalf("after install: %+v\n%s\n%s", report, installed[0], installed[1])
	}
	if now := foreignTrust(t, installed[0], installed[1]); !maps.Equal(before, now) {
		t.Fatalf("foreign trust after install: %v, before %v\n%s", now, before, installed[0])
	}
	again, err := install(request(installed[0], installed[1], config, hooks))
	if err != nil || !bytes.Equal(again[0], installed[0]) || !bytes.Equal(again[1], installed[1]) {
		t.Fatalf("a second install changed (%v)\n%s\nto\n%s", err, installed[0], again[0])
	}
	removed, err := uninstall(request(installed[0], installed[1], config, hooks))
	if err != nil {
		t.Fatal(err)
	}
	if now := foreignTrust(t, removed[0], removed[1]); !maps.Equal(before, now) {
		t.Fatalf("foreign trust after uninstall: %v, before %v\n%s", now, before, removed[0])
	}
	if bytes.Contains(hooks, []byte("hook")) && bytes.Contains(hooks, []byte("panehook")) || bytes.Contains(config, []byte("/home/dev/.codex/hooks.json")) {
		return // records or entries of ours were there before
	}
	if !bytes.Equal(removed[0], config) || !bytes.Equal(removed[1], hooks) {
		t.Fatalf("uninstall gave\n%q\n%q\nwant\n%q\n%q", removed[0], removed[1], config, hooks)
	}
}

// foreignTrust is what config.toml says of each foreign entry, by command.
func foreignTrust(t *testing.T, config, hooks []byte) map[string]string {
	t.Helper()
	var decoded struct {
		Hooks struct {
			State map[string]struct {
				Hash    string `toml:"trusted_hash"`
				Enabled *bool
			}
		}
	}
	if err := toml.Unmarshal(bytes.TrimPrefix(config, []byte("\xef\xbb\xbf")), &decoded); err != nil {
		t.Fatalf("%v\n%s", err, config)
	}
	parsed, err := adapters.ParseHooksFile(hooks, adapters.OwnCommand{Agent: "codex", Self: "panehook"})
	if err != nil {
		t.Fatal(err)
	}
	trust := map[string]string{}
	for _, e := range parsed.Entries() {
		if e.Own {
			continue
		}
		state := decoded.Hooks.State[position("/home/dev/.codex/hooks.json", e)]
		trust[e.Event+e.Command] += state.Hash
		if state.Enabled != nil && !*state.Enabled {
			trust[e.Event+e.Command] += " off"
		}
	}
	return trust
}

func TestInstallBesideForeignHooks(t *testing.T) {
	config := `model = "gpt-5.4"

[hooks.state."/home/dev/.codex/hooks.json:session_start:0:0"]
trusted_hash = "sha256:1111111111111111111111111111111111111111111111111111111111111111"

[hooks.state."/home/dev/.codex/hooks.json:session_start:1:0"]
trusted_hash = "sha256:2222222222222222222222222222222222222222222222222222222222222222"
`
	hooks := `{"hooks": {"SessionStart": [
  {"hooks": [{"type": "command", "command": "/home/dev/other-tool start", "timeout": 5}]},
  {"hooks": [{"type": "command", "command": "/old/bin/panehook hook codex SessionStart", "timeout": 5}]}
]}}
`
	report, err := inspect(request([]byte(config), []byte(hooks), nil, nil))
	if err != nil || !slices.Equal(report.Modified, []string{"SessionStart"}) || len(report.Missing) != len(handlers("/new/bin/panehook"))-1 {
		t.Errorf("before: %+v, %v", report, err)
	}
	files, err := install(request([]byte(config), []byte(hooks), nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Replace(config, "sha256:2222222222222222222222222222222222222222222222222222222222222222",
		trustHash(adapters.HookEntry{Event: "SessionStart", Command: "/new/bin/panehook hook codex SessionStart", Fields: map[string]any{"timeout": 5.0}}), 1)
	if !strings.HasPrefix(string(files[0]), head+"\n[hooks.state.") {
		t.Errorf("config.toml is\n%s", files[0])
	}
}

func TestRefuses(t *testing.T) {
	for _, test := range []struct{ config, hooks, want string }{
		{"model = \n", "{}", "config.toml: line 1, column 9: not TOML"},
		{"a = 1\nb = [1,\n", "{}", "config.toml: line 2, column 8: not TOML"},
		{"hooks = { state = {} }\n", "{}", "config.toml: line 1: hooks.state is an inline table, to which no trust record can be added: make it a table of its own"},
		{"[hooks]\nstate = {}\n", "{}", "config.toml: line 2: hooks.state is an inline table, to which no trust record can be added: make it a table of its own"},
		{"", "{\"hooks\": 1}", "hooks.json: line 1, column 11: hooks is not an object"},
	} {
		if _, err := install(request([]byte(test.config), []byte(test.hooks), nil, nil)); err == nil || err.Error() != test.want {
			t.Errorf("%q %q: error %v, want %s", test.config, test.hooks, err, test.want)
		}
	}
}
