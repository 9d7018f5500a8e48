package adapters

import "testing"

func TestOwnCommand(t *testing.T) {
	own := OwnCommand{Agent: "claude", Self: "ph", IsPanehook: func(path string) bool { return path == "/build/of/us" }}
	for _, test := range []struct {
		command string
		args    []string
		program string // "" for a foreign command
	}{
		{"/opt/panehook hook claude Stop", nil, "/opt/panehook"},
		{"panehook hook claude", nil, "panehook"},
		{"panehook.exe hook codex Stop", nil, "panehook.exe"},
		{"/opt/panehook-1.2 hook claude Stop", nil, "/opt/panehook-1.2"},
		{"/opt/old-panehook --root /x hook --session qm-1 claude Stop", nil, "/opt/old-panehook"},
		{`'/opt/it'\''s $HOME/panehook' hook claude Stop`, nil, "/opt/it's $HOME/panehook"},
		{`"/opt/a b/panehook" "hook" 'claude' Stop`, nil, "/opt/a b/panehook"},
		{`/opt/a\ b/panehook hook claude Stop`, nil, "/opt/a b/panehook"},
		{`"$HOME/bin/panehook" hook claude Stop 2>/dev/null || true`, nil, "$HOME/bin/panehook"},
		{"exec env A=b /opt/panehook hook claude Stop >/dev/null 2>&1; exit 0", nil, "/opt/panehook"},
		{"[ -x /opt/panehook ] && /opt/panehook hook claude Stop || true", nil, "/opt/panehook"},
		{"if command -v panehook >/dev/null; then panehook hook claude Stop; fi", nil, "panehook"},
		{`sh -c "/opt/panehook hook claude Stop"`, nil, "/opt/panehook"},
		{"/opt/a b/panehook", []string{"hook", "claude", "Stop"}, "/opt/a b/panehook"},
		{"/opt/a b/panehook", nil, "/opt/a b/panehook"},
		{"/opt/panehook", []string{}, "/opt/panehook"},
		{"/opt/ph hook claude Stop", nil, "/opt/ph"},
		{"/opt/other hook claude Stop panehook", nil, "/opt/other"},
		{"/opt/other", HookWords("/opt/other", "claude", "Stop"), "/opt/other"},
		{"/build/of/us hook claude Stop", nil, "/build/of/us"},

		{"", nil, ""},
		{"/home/dev/guard.sh", nil, ""},
		{"/opt/ph", nil, ""},
		{"/opt/ph hook codex Stop", nil, ""},
		{"/opt/tracker hook claude Stop", nil, ""},
		{"/opt/tracker", []string{"hook", "claude", "Stop"}, ""},
		{"/opt/panehook ls", nil, ""},
		{"/opt/panehook-notify.sh", nil, ""},
		{"echo panehook hook claude Stop", nil, ""},
		{"logger x; /opt/panehook hook claude Stop", nil, ""},
		{"tee /tmp/log | /opt/panehook hook claude Stop", nil, ""},
		{"say 'panehook hook claude Stop'", nil, ""},
		{"# panehook hook claude Stop", nil, ""},
		{"say done # panehook hook claude Stop", nil, ""},
		{"'unfinished panehook hook claude", nil, ""},
	} {
		program, ok := own.Program(test.command, test.args)
		if ok != (test.program != "") || ok && program != test.program {
			t.Errorf("%q %q: %q, %v, want %q", test.command, test.args, program, ok, test.program)
		}
	}
}

func FuzzShellQuote(f *testing.F) {
	f.Add("/opt/it's $HOME/a \"b\" \\ c\nd")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		commands := shellCommands(ShellQuote(s) + " hook")
		if len(commands) != 1 || len(commands[0]) != 2 || commands[0][0] != s {
			t.Errorf("%q came back as %q", s, commands)
		}
	})
}
