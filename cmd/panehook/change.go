package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"panehook/adapters"
)

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
			return c.p.fail(fmt.Errorf("no agent is here; name %s", agentList("or")))
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
		return max(status, c.p.printJSON(map[string]any{"agents": outcomes}))
	}
	return status
}

// one changes the files of one agent. When another program changes one of them
// at the same time, the work is done again from what that left.
func (c *change) one(t *target) (outcome, error) {
	for attempt := 1; ; attempt++ {
		o, err := c.attempt(t)
		if errors.Is(err, fs.ErrPermission) && c.verb == "install" {
			err = fmt.Errorf("%w; panehook install %s --print shows what to put there by hand", err, t.Agent)
		}
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
	if _, err := t.Inspect(r); err != nil && c.verb == "install" {
		return o, t.withPaths(err)
	}
	pristine, allOurs := make([]bool, len(files)), make([]bool, len(files))
	if bare, err := t.Uninstall(r); err == nil && !t.OwnFiles {
		for i, f := range files {
			pristine[i] = same(bare[i], f.now)
			allOurs[i] = bare[i] == nil && f.now != nil
			if pristine[i] {
				r.Files[i].Original = f.now // a record from an earlier time says nothing
			}
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
	if c.dryRun {
		return o, nil
	}
	for _, f := range files {
		f.removeAbandoned()
	}
	if !o.Changed {
		return o, nil
	}
	for n, i := range order {
		if c.verb == "install" && !t.OwnFiles && !allOurs[i] && !same(files[i].now, after[i]) {
			if err := files[i].keepBackup(pristine[i]); err != nil {
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
