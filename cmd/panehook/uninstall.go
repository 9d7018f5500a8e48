package main

import (
	"flag"
	"os"
)

const uninstallUsage = `usage: panehook uninstall [--dry-run] [--json] [AGENT...]

Takes everything of panehook out of the agents' files again, and nothing else.
`

// runUninstall is `panehook uninstall [AGENT...]`.
func runUninstall(p *process, args []string) int {
	r := installRun{p: p, verb: "uninstall"}
	fs := flag.NewFlagSet("uninstall", flag.ContinueOnError)
	fs.BoolVar(&r.dryRun, "dry-run", false, "")
	fs.BoolVar(&r.asJSON, "json", false, "")
	names, err := p.parseFlags(fs, args, uninstallUsage)
	if err != nil {
		return p.fail(err)
	}
	if r.program, err = binaryPath(p, ""); err != nil {
		r.program = os.Args[0] // good enough to know our entries by
	}
	return r.run(names)
}
