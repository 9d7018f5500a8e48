package claude

import (
	"slices"
	"strings"
	"testing"

	"panehook/adapters"
)

func request(version, settings string) *adapters.InstallRequest {
	r := &adapters.InstallRequest{
		Program: "/opt/a b/panehook", AgentVersion: version,
		Own: adapters.OwnCommand{Agent: "claude", Self: "panehook"},
		Env: func(string) string { return "" }, Dir: "/home/dev/.claude", RealDir: "/home/dev/.claude",
		Files: make([]adapters.InstallFile, 1+len(otherSettings)),
	}
	r.Files[0].Now = []byte(settings)
	return r
}

func installed(t *testing.T, r *adapters.InstallRequest) []adapters.HookEntry {
	t.Helper()
	after, err := install(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Files[0].Now = after[0]
	settings, err := parse(r)
	if err != nil {
		t.Fatal(err)
	}
	return settings.Entries()
}

// A version gets the events that it knows, in the form that it knows: an
// unknown name once made Claude Code drop the whole file, and without the exec
// form it would run the bare program.
func TestInstallByVersion(t *testing.T) {
	for _, test := range []struct {
		version string
		events  int
		exec    bool
		lacks   string
	}{
		{"1.0.90", 9, false, "PermissionRequest"},
		{"2.1.10", 12, false, "PostCompact"},
		{"2.1.78", 16, false, "PermissionDenied"},
		{"2.1.122", 17, false, "PostToolBatch"},
		{"2.1.196", 19, false, ""},
		{"2.1.197", 19, true, ""},
		{"3.0.0", 19, true, ""},
		{"", 19, false, ""},
	} {
		entries := installed(t, request(test.version, `{}`))
		if len(entries) != test.events {
			t.Errorf("%q: %d events, want %d", test.version, len(entries), test.events)
		}
		for _, e := range entries {
			if e.Event == test.lacks {
				t.Errorf("%q: has %s", test.version, e.Event)
			}
			if !e.Own || e.Program != "/opt/a b/panehook" || e.Matcher != nil {
				t.Errorf("%q: %+v", test.version, e)
			}
			if exec := e.Args != nil; exec != test.exec {
				t.Errorf("%q: exec form %v", test.version, exec)
			}
			if !test.exec && e.Command != "'/opt/a b/panehook' hook claude "+e.Event {
				t.Errorf("%q: command %s", test.version, e.Command)
			}
		}
	}
}

// An upgrade or a downgrade of the agent changes form and events in place, and
// a version that cannot be learned changes nothing.
func TestInstallAgain(t *testing.T) {
	r := request("2.1.197", `{}`)
	installed(t, r)
	full := string(r.Files[0].Now)
	for _, test := range []struct {
		version string
		events  int
	}{{"2.1.78", 16}, {"2.1.197", 19}, {"", 19}} {
		r.AgentVersion = test.version
		if n := len(installed(t, r)); n != test.events {
			t.Errorf("%q: %d events, want %d", test.version, n, test.events)
		}
	}
	for _, line := range strings.Split(full, "\n") {
		if line = strings.TrimSuffix(line, ","); !strings.Contains(string(r.Files[0].Now), line) {
			t.Errorf("lost %s", line)
		}
	}
}

func TestHandlers(t *testing.T) {
	for _, e := range installed(t, request("", `{}`)) {
		if slices.Contains([]string{"WorktreeCreate", "MessageDisplay", "InstructionsLoaded"}, e.Event) {
			t.Errorf("%s must not be registered", e.Event)
		}
		if timeout := e.Fields["timeout"].(float64); timeout < 2 || timeout > 5 {
			t.Errorf("%s: timeout %v s", e.Event, timeout)
		}
	}
}

func TestInspect(t *testing.T) {
	for _, test := range []struct{ settings, managed, project, want string }{
		{`{}`, ``, ``, ""},
		{`{"disableAllHooks": false}`, ``, ``, ""},
		{`{"allowManagedHooksOnly": true}`, ``, ``, ""},
		{"\xef\xbb\xbf{}", ``, ``, ""},
		{`{"disableAllHooks": true}`, ``, ``, "disableAllHooks is true in /home/dev/.claude/settings.json"},
		{`{}`, `{"allowManagedHooksOnly": true}`, ``, "allowManagedHooksOnly is true in /etc/claude-code/managed-settings.json"},
		{`{}`, ``, `{"disableAllHooks": true}`, "disableAllHooks is true in ./.claude/settings.json"},
		{`{} // mine`, ``, ``, "line 1, column 4: a comment"},
		{`{"a": 1,}`, ``, ``, "line 1, column 8: a trailing comma"},
	} {
		r := request("2.1.197", test.settings)
		r.Files[1].Now, r.Files[3].Now = []byte(test.project), []byte(test.managed)
		report, err := inspect(r)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, f := range report.Findings {
			texts = append(texts, f.Text)
		}
		if got := strings.Join(texts, "; "); (got == "") != (test.want == "") || !strings.HasSuffix(got, test.want) {
			t.Errorf("%s: %q, want %q", test.settings, got, test.want)
		}
	}
}
