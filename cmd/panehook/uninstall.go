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
	c := change{p: p, verb: "uninstall"}
	fs := flag.NewFlagSet("uninstall", flag.ContinueOnError)
	fs.BoolVar(&c.dryRun, "dry-run", false, "")
	fs.BoolVar(&c.asJSON, "json", false, "")
	names, err := p.parseFlags(fs, args, uninstallUsage)
	if err != nil {
		return p.fail(err)
	}
	if c.program, err = binaryPath(p, ""); err != nil {
		c.program = os.Args[0] // good enough to know our entries by
	}
	return c.run(names)
}
