package codex

import (
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"panehook/adapters"
)

const (
	hooksName  = "hooks.json"
	configName = "config.toml"
)

// Installation puts panehook into Codex's hooks.json and records in
// config.toml that its hooks are trusted: Codex passes over others in silence,
// or asks about them at every start. The records are written first, so that no
// Codex ever sees a hook of ours without its record.
var Installation = adapters.Installation{
	Agent:     "codex",
	Programs:  []string{"codex"},
	Package:   "@openai/codex",
	Files:     []string{configName, hooksName},
	TrustFile: configName,
	Dir:       codexHome,
	Daemon:    &adapters.AgentDaemon{Argument: appServer, Fix: "codex app-server daemon stop, then start it with: codex --no-daemon"},
	Install:   install,
	Uninstall: uninstall,
	Inspect:   inspect,
	Print:     printHooks,
}

func codexHome(env func(string) string) string {
	if dir := env("CODEX_HOME"); dir != "" {
		return dir
	}
	if home := adapters.Home(env); home != "" {
		return filepath.Join(home, ".codex")
	}
	return ""
}

// hooksPaths are the ways in which a trust record may name our hooks file; the
// first is the one that Codex uses now. It resolves $CODEX_HOME, and leaves
// $HOME/.codex as it is spelled (observed in Codex 0.171.0).
func hooksPaths(r *adapters.InstallRequest) []string {
	spelled, resolved := filepath.Join(r.Dir, hooksName), filepath.Join(r.RealDir, hooksName)
	if r.Env("CODEX_HOME") != "" {
		spelled, resolved = resolved, spelled
	}
	if spelled == resolved {
		return []string{spelled}
	}
	return []string{spelled, resolved}
}

func install(r *adapters.InstallRequest) ([][]byte, error) {
	if !utf8.ValidString(hooksPaths(r)[0]) {
		return nil, errors.New("the path of the Codex directory is not valid UTF-8, and config.toml could not name it")
	}
	return edit(r, func(hooks *adapters.HooksFile, file adapters.InstallFile) ([]byte, error) {
		err := hooks.Install(handlers(r.Program), file.Original)
		return hooks.Bytes(), err
	})
}

func uninstall(r *adapters.InstallRequest) ([][]byte, error) {
	return edit(r, func(hooks *adapters.HooksFile, file adapters.InstallFile) ([]byte, error) {
		if file.Now == nil {
			return nil, nil
		}
		return hooks.UninstallFrom(file)
	})
}

// edit changes hooks.json, and then the trust records so that they say the
// same of every hook as before, wherever it stands now, and trust ours.
func edit(r *adapters.InstallRequest, change func(*adapters.HooksFile, adapters.InstallFile) ([]byte, error)) ([][]byte, error) {
	trustFile, hooksFile := r.Files[0], r.Files[1]
	hooks, err := adapters.ParseHooksFile(hooksFile.Now, r.Own)
	if err != nil {
		return nil, &adapters.FileError{Name: hooksName, Err: err}
	}
	before := hooks.Entries()
	hooksAfter, err := change(hooks, hooksFile)
	if err != nil {
		return nil, &adapters.FileError{Name: hooksName, Err: err}
	}
	config, err := parseConfig(trustFile.Now)
	if err != nil {
		return nil, &adapters.FileError{Name: configName, Err: err}
	}
	configAfter, err := config.edit(followHooks(r.Program, config, hooksPaths(r), before, hooks.Entries()))
	if err != nil {
		return nil, &adapters.FileError{Name: configName, Err: err}
	}
	return [][]byte{likeOriginal(configAfter, trustFile), hooksAfter}, nil
}

// likeOriginal gives back the end of the file that was there before us, and
// drops a file that we made.
func likeOriginal(after []byte, file adapters.InstallFile) []byte {
	switch {
	case bytes.Equal(after, file.Now):
		return file.Now
	case file.Original == nil && len(bytes.TrimSpace(after)) == 0:
		return nil
	case file.Original != nil && bytes.Equal(bytes.TrimRight(after, "\r\n"), bytes.TrimRight(file.Original, "\r\n")):
		return file.Original
	}
	return after
}

func inspect(r *adapters.InstallRequest) (adapters.InstallReport, error) {
	var report adapters.InstallReport
	hooks, err := adapters.ParseHooksFile(r.Files[1].Now, r.Own)
	if err == nil {
		err = hooks.CheckShape()
	}
	if err != nil {
		return report, &adapters.FileError{Name: hooksName, Err: err}
	}
	config, err := parseConfig(r.Files[0].Now)
	if err != nil {
		return report, &adapters.FileError{Name: configName, Err: err}
	}
	entries := hooks.Entries()
	report.ReportEntries(entries, handlers(r.Program))
	for _, e := range entries {
		if !e.Own {
			continue
		}
		switch record := config.find(position(hooksPaths(r)[0], e)); {
		case record == nil || record.hash == "":
			report.Untrusted = append(report.Untrusted, e.Event)
		case record.hash != trustHash(e):
			report.Modified = append(report.Modified, e.Event)
		case record.disabled:
			report.SwitchedOff = append(report.SwitchedOff, e.Event)
		default:
			report.Trusted = append(report.Trusted, e.Event)
		}
	}
	if place := hooks.NotStrict(); place != "" {
		report.Findings = append(report.Findings, adapters.Finding{Problem: true,
			Text: "Codex reads strict JSON only and passes over " + filepath.Join(r.Dir, hooksName) + " whole: " + place,
			Fix:  "take it out of that file"})
	}
	report.Findings = append(report.Findings, findings(r, &report, config)...)
	return report, nil
}

func findings(r *adapters.InstallRequest, report *adapters.InstallReport, config *configFile) (list []adapters.Finding) {
	path := filepath.Join(r.Dir, configName)
	if config.features["hooks"] == "false" {
		list = append(list, adapters.Finding{Problem: true,
			Text: "hooks are switched off: features.hooks is false in " + path, Fix: "set features.hooks to true in that file"})
	}
	if n := len(report.Untrusted) + len(report.Modified); n > 0 {
		list = append(list, adapters.Finding{Problem: true,
			Text: "Codex does not trust " + strconv.Itoa(n) + " of our hooks and passes over them", Fix: "panehook install codex"})
	}
	if len(report.SwitchedOff) > 0 {
		list = append(list, adapters.Finding{Problem: true,
			Text: "switched off in " + path + ": " + strings.Join(report.SwitchedOff, ", "), Fix: "type /hooks in Codex and enable them"})
	}
	if report.Installed && config.features["daemon_auto_start"] != "false" {
		list = append(list, adapters.Finding{
			Text: "a plain codex runs its hooks in a shared daemon, with the environment of the first codex: panes are then told apart by Codex's session id only, and quitting or closing a pane is not reported",
			Fix:  "start it with: codex --no-daemon"})
	}
	return list
}

func printHooks(r *adapters.InstallRequest) ([]byte, string, error) {
	text, err := adapters.HooksFragment(handlers(r.Program))
	return text, "paste it into " + filepath.Join(r.Dir, hooksName) + ", then type /hooks in Codex and trust them", err
}

// handlers are shell lines: Codex knows no other form.
func handlers(program string) []adapters.HookHandler {
	var list []adapters.HookHandler
	for _, hook := range hooks {
		if hook.Timeout == 0 {
			continue
		}
		list = append(list, adapters.HookHandler{Event: hook.Name, Timeout: hook.Timeout,
			Command: adapters.ShellLine(program, adapters.HookWords(program, "codex", hook.Name))})
	}
	return list
}
