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

// installRun is one installation or uninstallation.
type installRun struct {
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

func (r *installRun) run(names []string) int {
	targets, err := findTargets(r.p, names, r.verb == "install")
	if err != nil {
		return r.p.fail(err)
	}
	if len(names) == 0 {
		targets = slices.DeleteFunc(targets, func(t *target) bool { return !t.isThere() })
		if len(targets) == 0 {
			return r.p.fail(fmt.Errorf("no agent is here; name %s", agentList("or")))
		}
	}
	status := 0
	outcomes := []outcome{}
	for _, t := range targets {
		o, err := r.one(t)
		if err != nil {
			status = r.p.fail(err)
			o.Error = oneLine(err.Error())
		}
		outcomes = append(outcomes, o)
		if !r.asJSON && err == nil {
			r.tell(o)
		}
	}
	if r.asJSON {
		return max(status, r.p.printJSON(map[string]any{"agents": outcomes}))
	}
	return status
}

// one changes the files of one agent. When another program changes one of them
// at the same time, the work is done again from what that left.
func (r *installRun) one(t *target) (outcome, error) {
	for attempt := 1; ; attempt++ {
		o, err := r.attempt(t)
		if errors.Is(err, fs.ErrPermission) && r.verb == "install" {
			err = fmt.Errorf("%w; panehook install %s --print shows what to put there by hand", err, t.Agent)
		}
		if !errors.Is(err, errChangedMeanwhile) || attempt == 3 {
			return o, err
		}
	}
}

func (r *installRun) attempt(t *target) (outcome, error) {
	o := outcome{Agent: t.Agent}
	plan, problems, err := r.plan(t)
	if err != nil {
		return o, err
	}
	o.Problems = problems
	for i := range plan {
		o.Files = append(o.Files, plan[i].describe())
		o.Changed = o.Changed || plan[i].differs()
	}
	if r.dryRun {
		return o, nil
	}
	err = r.carryOut(t, plan, &o)
	return o, err
}

// plannedFile is one file and what shall stand in it.
type plannedFile struct {
	*editedFile
	after    []byte // nil for no file
	pristine bool   // nothing of ours is in it
	allOurs  bool   // nothing else is in it
}

func (f *plannedFile) differs() bool { return !same(f.now, f.after) }

// plan is what there is to write, in that order, and what will keep the agent
// from running its hooks all the same.
func (r *installRun) plan(t *target) ([]plannedFile, []adapters.Finding, error) {
	request, files, err := t.read(r.p, r.program)
	if err != nil {
		return nil, nil, err
	}
	if _, err := t.Inspect(request); err != nil && r.verb == "install" {
		return nil, nil, t.withRemedy(err, r.verb)
	}
	plan := make([]plannedFile, len(files))
	bare, err := t.Uninstall(request)
	for i, f := range files {
		plan[i].editedFile = f
		if err != nil || t.OwnFiles {
			continue
		}
		plan[i].allOurs = bare[i] == nil && f.now != nil
		if plan[i].pristine = same(bare[i], f.now); plan[i].pristine {
			request.Files[i].Original = f.now // a record from an earlier time says nothing
		}
	}
	edit := t.Install
	if r.verb == "uninstall" {
		edit = t.Uninstall
	}
	after, err := edit(request)
	if err != nil {
		return nil, nil, t.withRemedy(err, r.verb)
	}
	for i := range plan {
		plan[i].after = after[i]
	}
	if r.verb == "uninstall" {
		slices.Reverse(plan)
		return plan, nil, nil
	}
	return plan, problemsAfter(t, *request, after), nil
}

// carryOut writes what is planned, and adds the backups to the outcome.
func (r *installRun) carryOut(t *target, plan []plannedFile, o *outcome) error {
	for _, f := range plan {
		f.removeAbandoned()
	}
	if !o.Changed {
		return nil
	}
	for i := range plan {
		f := &plan[i]
		if r.verb == "install" && !t.OwnFiles && !f.allOurs && f.differs() {
			if err := f.keepBackup(f.pristine); err != nil {
				return err
			}
		}
		if err := r.write(t, f); err != nil {
			return err
		}
		if f.readBackup() != nil {
			o.Files[i].Backup = f.backup()
		}
	}
	return nil
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

func (r *installRun) write(t *target, f *plannedFile) error {
	if f.differs() {
		if err := f.write(f.after); err != nil {
			return err
		}
	}
	if r.verb == "uninstall" && !t.OwnFiles {
		if backup := f.readBackup(); backup != nil && bytes.Equal(backup, f.after) {
			return removeIfThere(f.backup()) // it has done its work
		}
	}
	if f.after == nil && t.OwnFiles {
		os.Remove(filepath.Dir(f.target)) // if nothing else is in it
	}
	return nil
}

// same tells whether two files are the same, where nil is no file.
func same(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(a, b)
}

func (f *plannedFile) describe() fileOutcome {
	o := fileOutcome{Path: f.path, Action: "changed"}
	before, behind := f.path, f.path
	switch {
	case !f.differs():
		o.Action = "unchanged"
	case f.now == nil:
		o.Action, before = "created", os.DevNull
	case f.after == nil:
		o.Action, behind = "removed", os.DevNull
	}
	o.Diff = string(diff.Diff(before, f.now, behind, f.after))
	return o
}

func (r *installRun) tell(o outcome) {
	if r.dryRun {
		for _, f := range o.Files {
			fmt.Fprint(r.p.stdout, visibleLines(f.Diff))
		}
	}
	if !o.Changed {
		fmt.Fprintf(r.p.stdout, "%s: nothing to change\n", o.Agent)
	}
	for _, f := range o.Problems {
		printFinding(r.p, o.Agent+": ", f)
	}
	for _, f := range o.Files {
		if r.dryRun || f.Action == "unchanged" {
			continue
		}
		fmt.Fprintf(r.p.stdout, "%s: %s %s\n", o.Agent, f.Action, oneLine(f.Path))
		if f.Backup != "" {
			fmt.Fprintf(r.p.stdout, "%s: as it was before panehook: %s\n", o.Agent, oneLine(f.Backup))
		}
	}
}
