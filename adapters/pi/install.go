package pi

import (
	"bytes"
	_ "embed"
	"errors"
	"path/filepath"
	"strings"

	"panehook/adapters"
)

// source is the extension. It runs whatever programLine names.
//
//go:embed panehook.ts
var source string

const (
	extensionName = "extensions/panehook.ts"
	settingsName  = "settings.json"
	marker        = "@panehook-extension"
	programLine   = `const PROGRAM = `
)

// Installation puts the extension into Pi's directory of extensions. Pi does
// not start when a file there is broken (observed in Pi 0.74.2 and 1.6.0), so
// it has to be written by renaming, from a name that does not end in .ts.
var Installation = adapters.Installation{
	Agent:     "pi",
	Programs:  []string{"pi"},
	Package:   "@earendil-works/pi-coding-agent",
	Files:     []string{extensionName},
	OwnFiles:  true,
	ReadOnly:  []string{settingsName},
	Dir:       agentDir,
	Install:   install,
	Uninstall: uninstall,
	Inspect:   inspect,
	Print:     printExtension,
}

func agentDir(env func(string) string) string {
	home := adapters.Home(env)
	switch dir := env("PI_CODING_AGENT_DIR"); {
	case strings.HasPrefix(dir, "~/") && home != "":
		return filepath.Join(home, dir[2:])
	case dir != "":
		return dir
	case home != "":
		return filepath.Join(home, ".pi", "agent")
	}
	return ""
}

// Extension is the source of the extension that runs program.
func Extension(program string) []byte {
	before, rest, _ := strings.Cut(source, programLine)
	_, after, _ := strings.Cut(rest, "\n")
	return []byte(before + programLine + scriptString(program) + ";\n" + after)
}

// scriptString is s as a JavaScript string; s has to be valid UTF-8.
func scriptString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029:
			const hex = "0123456789abcdef"
			b.WriteString(`\u` + string([]byte{hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15]}))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func isOurs(file []byte) bool {
	return bytes.Contains(file[:min(len(file), 1<<10)], []byte(marker))
}

func install(r *adapters.InstallRequest) ([][]byte, error) {
	if now := r.Files[0].Now; now != nil && !isOurs(now) {
		return nil, &adapters.FileError{Name: extensionName, Err: errors.New("this file is not panehook's; move it away first")}
	}
	return [][]byte{Extension(r.Program)}, nil
}

func uninstall(r *adapters.InstallRequest) ([][]byte, error) {
	if isOurs(r.Files[0].Now) {
		return [][]byte{nil}, nil
	}
	return [][]byte{r.Files[0].Now}, nil
}

func inspect(r *adapters.InstallRequest) (adapters.InstallReport, error) {
	var report adapters.InstallReport
	if !isOurs(r.Files[0].Now) {
		return report, nil
	}
	report.Installed = true
	if program := programOf(r.Files[0].Now); program != "" {
		report.Programs = []string{program}
	}
	settings, err := adapters.ParseHooksFile(r.Files[1].Now, r.Own)
	if err != nil {
		return report, nil // Pi's own affair
	}
	for _, entry := range settings.Strings("extensions") {
		if strings.HasPrefix(entry, "-") && filepath.Base(entry[1:]) == filepath.Base(extensionName) {
			report.Findings = append(report.Findings, adapters.Finding{Problem: true,
				Text: "the extension is switched off by " + entry + " in " + filepath.Join(r.Dir, settingsName),
				Fix:  "switch it on with: pi config"})
		}
	}
	if r.Env("PANEHOOK_DISABLE") != "" && r.Env("PANEHOOK_DISABLE") != "0" {
		report.Findings = append(report.Findings, adapters.Finding{Problem: true,
			Text: "the extension is switched off by PANEHOOK_DISABLE in the environment", Fix: "unset PANEHOOK_DISABLE"})
	}
	return report, nil
}

// programOf reads back what Extension wrote.
func programOf(extension []byte) string {
	_, rest, _ := strings.Cut(string(extension), programLine)
	line, _, _ := strings.Cut(rest, "\n")
	return adapters.JSONText(strings.TrimSuffix(strings.TrimSpace(line), ";"))
}

func printExtension(r *adapters.InstallRequest) ([]byte, string, error) {
	return Extension(r.Program), `for one session: panehook install pi --print > /tmp/panehook.ts && pi -e /tmp/panehook.ts`, nil
}
