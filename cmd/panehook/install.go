package main

import (
	"errors"
	"flag"
	"fmt"

	"panehook/adapters"
)

const installUsage = `usage: panehook install [--dry-run] [--json] [--program PATH] [AGENT...]
       panehook install AGENT --print

Makes agents report to panehook; without a name all that are there. What is not
ours in their files stays as it is, byte for byte. The file before the first
change is kept beside it as NAME.panehook-backup; what has that name already
goes to NAME.panehook-backup.1 or a higher number.

  --dry-run       print what would change, and change nothing
  --print         print what can be passed to the agent or pasted instead
  --program PATH  the program that agents shall run, if not this one
  --json          tell the outcome as JSON
`

// runInstall is `panehook install [AGENT...]`.
func runInstall(p *process, args []string) int {
	r := installRun{p: p, verb: "install"}
	fs := flag.NewFlagSet("install", flag.ContinueOnError)
	fs.BoolVar(&r.dryRun, "dry-run", false, "")
	fs.BoolVar(&r.asJSON, "json", false, "")
	printOnly := fs.Bool("print", false, "")
	given := fs.String("program", "", "")
	names, err := p.parseFlags(fs, args, installUsage)
	if err != nil {
		return p.fail(err)
	}
	if r.program, err = binaryPath(p, *given); err != nil {
		return p.fail(err)
	}
	if *printOnly {
		return printInstallation(p, names, r.program)
	}
	return r.run(names)
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
