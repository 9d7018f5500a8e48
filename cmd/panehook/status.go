package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"panehook/adapters"
)

const statusUsage = `usage: panehook status [--json] [AGENT...]

Tells for each agent that is there, or that is named, whether it reports to
panehook, and what is in the way.
`

// What status says of an agent in one word.
const (
	stateNotFound     = "not found"
	stateNotInstalled = "not installed"
	stateInstalled    = "installed"
	stateOutdated     = "outdated"
	stateUnreadable   = "unreadable"
)

// agentStatus is what is known of one agent.
type agentStatus struct {
	Agent   string   `json:"agent"`
	Found   bool     `json:"found"`
	Program string   `json:"program,omitempty"` // the agent's own
	Version string   `json:"version,omitempty"`
	State   string   `json:"state"`
	Files   []string `json:"files,omitempty"`
	// Trust is trusted, untrusted, modified or disabled, where the agent asks.
	Trust string `json:"trust,omitempty"`
	adapters.InstallReport
}

// runStatus is `panehook status [AGENT...]`.
func runStatus(p *process, args []string) int {
	fs := flag.NewFlagSet("status", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "")
	names, err := p.parseFlags(fs, args, statusUsage)
	if err != nil {
		return p.fail(err)
	}
	list, err := allStatus(p, names)
	if err != nil {
		return p.fail(err)
	}
	if *asJSON {
		return p.printJSON(map[string]any{"agents": list})
	}
	for _, s := range list {
		printStatus(p, s)
	}
	return 0
}

func allStatus(p *process, names []string) ([]agentStatus, error) {
	targets, err := findTargets(p, names, true)
	if err != nil {
		return nil, err
	}
	list := []agentStatus{}
	for _, t := range targets {
		list = append(list, t.status(p))
	}
	return list, nil
}

// status looks at one agent. Whatever is wrong becomes a finding.
func (t *target) status(p *process) agentStatus {
	s := agentStatus{Agent: t.Agent, Found: t.isThere(), Program: t.executable, Version: t.version, State: stateNotFound}
	found := (*findings)(&s.Findings)
	for _, name := range t.Files {
		s.Files = append(s.Files, t.path(name))
	}
	self, pathErr := binaryPath(p, "")
	r, files, err := t.read(p, cmp.Or(self, "panehook"))
	if err == nil {
		s.InstallReport, err = t.Inspect(r)
	}
	install := "panehook install " + t.Agent
	if err != nil {
		if s.Found {
			s.State = stateUnreadable
			found.problem(t.withPaths(err).Error(), t.mendFirst("install"))
		}
		return s
	}
	switch {
	case !s.Found && !s.Installed:
		return s
	case !s.Installed:
		s.State = stateNotInstalled
		found.problem("not installed", install)
		return s
	}
	s.State = stateInstalled
	s.Trust = trustWord(&s.InstallReport)

	// Entries that run another binary are fine as long as that one is.
	for _, program := range s.Programs {
		runs, err := resolveProgram(p, program)
		if err != nil {
			found.problem("the hooks run a program that cannot run: "+err.Error(), install)
			continue
		}
		if len(s.Programs) == 1 {
			r.Program = runs
		}
		if pathErr == nil && !sameFile(runs, self) {
			found.note("the hooks run "+runs+", which is not this program", install)
		}
	}
	if len(s.Programs) > 1 {
		found.problem("the hooks run different programs: "+strings.Join(s.Programs, ", "), install)
	}
	if len(s.Missing) > 0 {
		found.problem("not reported: "+strings.Join(s.Missing, ", "), install)
	}
	if len(s.Doubled) > 0 {
		found.problem("reported more than once: "+strings.Join(s.Doubled, ", "), install)
	}
	if wanted, err := t.Install(r); err != nil {
		found.problem(t.withPaths(err).Error(), "")
	} else {
		for i, f := range files {
			if t.Files[i] != t.TrustFile && !same(f.now, wanted[i]) {
				s.State = stateOutdated
			}
		}
	}
	if s.State == stateOutdated && !slices.ContainsFunc(s.Findings, func(f adapters.Finding) bool { return f.Fix == install }) {
		found.problem("written by another version of panehook, or for another version of "+t.Agent, install)
	}
	slices.SortStableFunc(s.Findings, func(a, b adapters.Finding) int {
		switch {
		case a.Problem == b.Problem:
			return 0
		case a.Problem:
			return -1
		}
		return 1
	})
	return s
}

// findings are what there is to know, each with the command or edit that mends
// it, "" where there is none.
type findings []adapters.Finding

func (f *findings) problem(text, fix string) {
	*f = append(*f, adapters.Finding{Problem: true, Text: text, Fix: fix})
}

func (f *findings) note(text, fix string) {
	*f = append(*f, adapters.Finding{Text: text, Fix: fix})
}

// trustWord is the worst that an agent thinks of our hooks.
func trustWord(r *adapters.InstallReport) string {
	switch {
	case len(r.Untrusted) > 0:
		return "untrusted"
	case len(r.Modified) > 0:
		return "modified"
	case len(r.SwitchedOff) > 0:
		return "disabled"
	case len(r.Trusted) > 0:
		return "trusted"
	}
	return ""
}

// resolveProgram finds the file behind a program as a hooks file spells it, and
// says what is wrong with it.
func resolveProgram(p *process, program string) (string, error) {
	for _, home := range []string{"$HOME/", "${HOME}/", "~/"} {
		if rest, ok := strings.CutPrefix(program, home); ok {
			program = filepath.Join(adapters.Home(p.env), rest)
		}
	}
	if !strings.ContainsAny(program, `/\`) {
		found := findProgram(p.env("PATH"), program)
		if found == "" {
			return "", fmt.Errorf("%s is not in $PATH", program)
		}
		return found, nil
	}
	return program, checkExecutable(program)
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func printStatus(p *process, s agentStatus) {
	words := []string{s.State}
	if s.Trust != "" {
		words = append(words, s.Trust)
	}
	fmt.Fprintf(p.stdout, "%-7s %-10s %s\n", s.Agent, cmp.Or(s.Version, "-"), strings.Join(words, ", "))
	if s.Installed {
		for _, program := range s.Programs {
			fmt.Fprintf(p.stdout, "        runs %s\n", oneLine(program))
		}
		for _, file := range s.Files {
			fmt.Fprintf(p.stdout, "        in %s\n", oneLine(file))
		}
		if len(s.Events) > 0 {
			fmt.Fprintf(p.stdout, "        for %d events\n", len(s.Events))
		}
	}
	for _, f := range s.Findings {
		printFinding(p, "        ", f)
	}
}

// printFinding prints a finding on lines that all begin with indent.
func printFinding(p *process, indent string, f adapters.Finding) {
	mark := "note:"
	if f.Problem {
		mark = "problem:"
	}
	fmt.Fprintf(p.stdout, "%s%s %s\n", indent, mark, oneLine(f.Text))
	if f.Fix != "" {
		fmt.Fprintf(p.stdout, "%s  mend it: %s\n", indent, oneLine(f.Fix))
	}
}
