package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"panehook/adapters"
)

const installUsage = `usage: panehook install [--dry-run] [--json] [--program PATH] [AGENT...]
       panehook install AGENT --print

Makes agents report to panehook: claude, codex, pi; without a name all that are
there. What is not ours in their files stays as it is, byte for byte. The file
before the first change is kept beside it as NAME.panehook-backup.

  --dry-run       print what would change, and change nothing
  --print         print what can be passed to the agent or pasted instead
  --program PATH  the program that agents shall run, if not this one
  --json          tell the outcome as JSON
`

const uninstallUsage = `usage: panehook uninstall [--dry-run] [--json] [AGENT...]

Takes everything of panehook out of the agents' files again, and nothing else.
`

// runInstall is `panehook install [AGENT...]`.
func runInstall(p *process, args []string) int {
	c := change{p: p, verb: "install"}
	fs := flag.NewFlagSet("install", flag.ContinueOnError)
	fs.BoolVar(&c.dryRun, "dry-run", false, "")
	fs.BoolVar(&c.asJSON, "json", false, "")
	printOnly := fs.Bool("print", false, "")
	given := fs.String("program", "", "")
	names, err := parseFlags(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(p.stdout, installUsage)
		return 0
	}
	if err != nil {
		return p.fail(err)
	}
	if c.program, err = binaryPath(p, *given); err != nil {
		return p.fail(err)
	}
	if *printOnly {
		return printInstallation(p, names, c.program)
	}
	return c.run(names)
}

// runUninstall is `panehook uninstall [AGENT...]`.
func runUninstall(p *process, args []string) int {
	c := change{p: p, verb: "uninstall", program: os.Args[0]}
	fs := flag.NewFlagSet("uninstall", flag.ContinueOnError)
	fs.BoolVar(&c.dryRun, "dry-run", false, "")
	fs.BoolVar(&c.asJSON, "json", false, "")
	names, err := parseFlags(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(p.stdout, uninstallUsage)
		return 0
	}
	if err != nil {
		return p.fail(err)
	}
	return c.run(names)
}

// printInstallation is for people whose settings are not to be edited.
func printInstallation(p *process, names []string, program string) int {
	if len(names) != 1 {
		return p.fail(errors.New("--print needs one agent; see panehook install --help"))
	}
	targets, err := findTargets(p, names, true)
	if err != nil {
		return p.fail(err)
	}
	t := targets[0]
	text, usage, err := t.Print(&adapters.InstallRequest{Program: program, AgentVersion: t.version, Env: p.env, Dir: t.dir, RealDir: t.realDir})
	if err != nil {
		return p.fail(err)
	}
	if _, err := p.stdout.Write(text); err != nil {
		return p.fail(err)
	}
	fmt.Fprintf(p.stderr, "panehook: %s\n", usage)
	return 0
}

// change is one installation or uninstallation.
type change struct {
	p              *process
	verb           string
	program        string // for the agents to run
	dryRun, asJSON bool
}

// outcome is what became of one agent's files.
type outcome struct {
	Agent   string        `json:"agent"`
	Changed bool          `json:"changed"`
	Files   []fileOutcome `json:"files,omitempty"`
	Error   string        `json:"error,omitempty"`
	// Problems are what keeps an agent from running its hooks all the same.
	Problems []adapters.Finding `json:"problems,omitempty"`
}

type fileOutcome struct {
	Path   string `json:"path"`
	Action string `json:"action"` // created, changed, removed or unchanged
	Diff   string `json:"diff,omitempty"`
	// Backup is the file as it was before the first change, where there is one.
	Backup string `json:"backup,omitempty"`
}

func (c *change) run(names []string) int {
	targets, err := findTargets(c.p, names, c.verb == "install")
	if err != nil {
		return c.p.fail(err)
	}
	if len(names) == 0 {
		targets = slices.DeleteFunc(targets, func(t *target) bool { return !t.isThere() })
		if len(targets) == 0 {
			return c.p.fail(fmt.Errorf("no agent is here; name one of %s", strings.Join(agentNames(), ", ")))
		}
	}
	status := 0
	outcomes := []outcome{}
	for _, t := range targets {
		o, err := c.one(t)
		if err != nil {
			status = c.p.fail(err)
			o.Error = oneLine(err.Error())
		}
		outcomes = append(outcomes, o)
		if !c.asJSON && err == nil {
			c.tell(o)
		}
	}
	if c.asJSON {
		return printJSON(c.p, map[string]any{"agents": outcomes}, status)
	}
	return status
}

// one changes the files of one agent. When another program changes one of them
// at the same time, the work is done again from what that left.
func (c *change) one(t *target) (outcome, error) {
	for attempt := 1; ; attempt++ {
		o, err := c.attempt(t)
		if !errors.Is(err, errChangedMeanwhile) || attempt == 3 {
			return o, err
		}
	}
}

func (c *change) attempt(t *target) (outcome, error) {
	o := outcome{Agent: t.Agent}
	r, files, err := t.read(c.p, c.program)
	if err != nil {
		return o, err
	}
	edit, order := t.Install, countUp(len(files))
	if c.verb == "uninstall" {
		edit = t.Uninstall
		slices.Reverse(order)
	}
	report, err := t.Inspect(r)
	if err != nil && c.verb == "install" {
		return o, t.withPaths(err)
	}
	if c.verb == "install" && !report.Installed && !t.OwnFiles {
		for i := range t.Files {
			r.Files[i].Original = r.Files[i].Now // a record from an earlier time says nothing
		}
	}
	after, err := edit(r)
	if err != nil {
		return o, t.withPaths(err)
	}
	for _, i := range order {
		o.Files = append(o.Files, describe(files[i], after[i]))
		o.Changed = o.Changed || !same(files[i].now, after[i])
	}
	if c.verb == "install" {
		o.Problems = problemsAfter(t, *r, after)
	}
	if c.dryRun || !o.Changed {
		return o, nil
	}
	allOurs := make([]bool, len(files)) // nothing in the file but what we made
	if bare, err := t.Uninstall(r); err == nil {
		for i := range files {
			allOurs[i] = report.Installed && bare[i] == nil
		}
	}
	for n, i := range order {
		if c.verb == "install" && !t.OwnFiles && !allOurs[i] && !same(files[i].now, after[i]) {
			if err := files[i].keepBackup(!report.Installed); err != nil {
				return o, err
			}
		}
		if err := c.write(t, files[i], after[i]); err != nil {
			return o, err
		}
		if data := files[i].readBackup(); data != nil {
			o.Files[n].Backup = files[i].backup()
		}
	}
	return o, nil
}

// problemsAfter is what a look at the files will find when they are written.
func problemsAfter(t *target, r adapters.InstallRequest, after [][]byte) []adapters.Finding {
	r.Files = slices.Clone(r.Files)
	for i := range after {
		r.Files[i].Now = after[i]
	}
	report, err := t.Inspect(&r)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(report.Findings, func(f adapters.Finding) bool { return !f.Problem })
}

func countUp(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func (c *change) write(t *target, f *editedFile, after []byte) error {
	if !same(f.now, after) {
		if err := f.write(after); err != nil {
			return err
		}
	}
	if c.verb == "uninstall" && !t.OwnFiles {
		if backup := f.readBackup(); backup != nil && bytes.Equal(backup, after) {
			return removeIfThere(f.backup()) // it has done its work
		}
	}
	if after == nil && t.OwnFiles {
		os.Remove(filepath.Dir(f.target)) // if nothing else is in it
	}
	return nil
}

// same tells whether two files are the same, where nil is no file.
func same(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(a, b)
}

func describe(f *editedFile, after []byte) fileOutcome {
	o := fileOutcome{Path: f.path, Action: "changed"}
	before, behind := f.path, f.path
	switch {
	case same(f.now, after):
		o.Action = "unchanged"
	case f.now == nil:
		o.Action, before = "created", os.DevNull
	case after == nil:
		o.Action, behind = "removed", os.DevNull
	}
	o.Diff = string(diff.Diff(before, f.now, behind, after))
	return o
}

func (c *change) tell(o outcome) {
	if c.dryRun {
		for _, f := range o.Files {
			fmt.Fprint(c.p.stdout, f.Diff)
		}
	}
	if !o.Changed {
		fmt.Fprintf(c.p.stdout, "%s: nothing to change\n", o.Agent)
	}
	for _, f := range o.Problems {
		printFinding(c.p, o.Agent+": ", f)
	}
	for _, f := range o.Files {
		if c.dryRun || f.Action == "unchanged" {
			continue
		}
		fmt.Fprintf(c.p.stdout, "%s: %s %s\n", o.Agent, f.Action, oneLine(f.Path))
		if f.Backup != "" {
			fmt.Fprintf(c.p.stdout, "%s: as it was before panehook: %s\n", o.Agent, oneLine(f.Backup))
		}
	}
}

func printJSON(p *process, value any, status int) int {
	out := json.NewEncoder(p.stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(value); err != nil {
		return p.fail(err)
	}
	return status
}
