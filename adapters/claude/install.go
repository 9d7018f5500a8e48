package claude

import (
	"path/filepath"
	"slices"
	"strings"

	"panehook/adapters"
)

const settingsName = "settings.json"

// execFormSince is the oldest version in which the exec form, command and args
// without a shell, was seen to work. A version that does not know it would run
// the bare command, so older ones get a shell line.
const execFormSince = "2.1.197"

// otherSettings can switch off the hooks of ours: those of the folder one works
// in, and those of whoever manages the machine.
var otherSettings = []string{
	"./.claude/settings.json", "./.claude/settings.local.json",
	"/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json",
}

// Installation puts panehook into Claude Code's settings.json.
var Installation = adapters.Installation{
	Agent:     "claude",
	Programs:  []string{"claude"},
	Package:   "@anthropic-ai/claude-code",
	Files:     []string{settingsName},
	ReadOnly:  otherSettings,
	Dir:       settingsDir,
	Install:   install,
	Uninstall: uninstall,
	Inspect:   inspect,
	Print:     printSettings,
}

func settingsDir(env func(string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := adapters.Home(env); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

func install(r *adapters.InstallRequest) ([][]byte, error) {
	file := r.Files[0]
	settings, err := parse(r)
	if err != nil {
		return nil, err
	}
	if err := settings.Install(handlers(r, settings), file.Original); err != nil {
		return nil, inSettings(err)
	}
	return [][]byte{settings.Bytes()}, nil
}

func uninstall(r *adapters.InstallRequest) ([][]byte, error) {
	file := r.Files[0]
	if file.Now == nil {
		return [][]byte{nil}, nil
	}
	settings, err := parse(r)
	if err != nil {
		return nil, err
	}
	after, err := settings.UninstallFrom(file)
	return [][]byte{after}, inSettings(err)
}

func inspect(r *adapters.InstallRequest) (adapters.InstallReport, error) {
	settings, err := parse(r)
	if err != nil {
		return adapters.InstallReport{}, err
	}
	if err := settings.CheckShape(); err != nil {
		return adapters.InstallReport{}, inSettings(err)
	}
	var report adapters.InstallReport
	report.ReportEntries(settings.Entries(), handlers(r, settings))
	// A byte order mark does no harm (observed in Claude Code 2.1.197).
	if place := settings.NotStrict(); place != "" && !strings.HasSuffix(place, "mark") {
		report.Findings = append(report.Findings, adapters.Finding{Problem: true,
			Text: "Claude Code reads strict JSON only and passes over " + filepath.Join(r.Dir, settingsName) + " whole: " + place,
			Fix:  "take comments and trailing commas out of that file"})
	}
	report.Findings = append(report.Findings, switchedOff(settings, filepath.Join(r.Dir, settingsName))...)
	for i, name := range otherSettings {
		if others, err := adapters.ParseHooksFile(r.Files[1+i].Now, r.Own); err == nil {
			report.Findings = append(report.Findings, switchedOff(others, name)...)
		}
	}
	return report, nil
}

func switchedOff(settings *adapters.HooksFile, path string) (list []adapters.Finding) {
	names := []string{"disableAllHooks"}
	if filepath.Base(path) == "managed-settings.json" {
		names = append(names, "allowManagedHooksOnly") // means nothing elsewhere
	}
	for _, name := range names {
		if settings.Boolean(name) {
			list = append(list, adapters.Finding{Problem: true,
				Text: "hooks are switched off: " + name + " is true in " + path, Fix: "take " + name + " out of that file"})
		}
	}
	return list
}

func printSettings(r *adapters.InstallRequest) ([]byte, string, error) {
	none, err := adapters.ParseHooksFile(nil, r.Own)
	if err != nil {
		return nil, "", err
	}
	text, err := adapters.HooksFragment(handlers(r, none))
	return text, `for one session: claude --settings "$(panehook install claude --print)"`, err
}

// handlers are the entries that the installed version shall have. While the
// version is unknown, entries that are there keep their form.
func handlers(r *adapters.InstallRequest, settings *adapters.HooksFile) []adapters.HookHandler {
	exec := r.AgentVersion != "" && adapters.VersionAtLeast(r.AgentVersion, execFormSince)
	if r.AgentVersion == "" {
		exec = slices.ContainsFunc(settings.Entries(), func(e adapters.HookEntry) bool { return e.Own && len(e.Args) > 0 })
	}
	var list []adapters.HookHandler
	for _, hook := range hooks {
		if hook.Timeout == 0 || !adapters.VersionAtLeast(r.AgentVersion, hook.Since) {
			continue
		}
		handler := adapters.HookHandler{Event: hook.Name, Timeout: hook.Timeout}
		words := adapters.HookWords(r.Program, "claude", hook.Name)
		if exec {
			handler.Command, handler.Args = r.Program, words
		} else {
			handler.Command = adapters.ShellLine(r.Program, words)
		}
		list = append(list, handler)
	}
	return list
}

func parse(r *adapters.InstallRequest) (*adapters.HooksFile, error) {
	settings, err := adapters.ParseHooksFile(r.Files[0].Now, r.Own)
	return settings, inSettings(err)
}

func inSettings(err error) error {
	if err == nil {
		return nil
	}
	return &adapters.FileError{Name: settingsName, Err: err}
}
