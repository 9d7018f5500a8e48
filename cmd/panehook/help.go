package main

import (
	"fmt"
	"runtime/debug"
)

const usage = `panehook keeps the state of the terminal panes in which coding agents run.

usage:
  panehook hook AGENT [EVENT]      what an agent's hook runs, payload on stdin
  panehook install [AGENT...]      make agents report here; uninstall takes it out again
  panehook status [AGENT...]       what is installed, and whether it runs
  panehook doctor                  why is nothing to be seen?
  panehook ls                      every pane, those first that wait for a person
  panehook watch                   the same, live
  panehook show [SESSION]          everything known of one, with its last events
  panehook log [-f] [SESSION]      its event log
  panehook wait SESSION...         until an agent works no longer
  panehook focus [SESSION]         bring its tmux pane to the front
  panehook status-line             one line for tmux, bars and prompts
  panehook sweep                   write down what has gone silent or stopped
  panehook explain AGENT [EVENT]   what a hook with this payload would do, and why
  panehook replay FILE...          play a recording or a session's log
  panehook version

AGENT is claude, codex or pi. Every command but hook has --help.
`

func runHelp(p *process, _ []string) int {
	fmt.Fprint(p.stdout, usage)
	return 0
}

// Version is set when a release is linked; without it the build tells.
var Version string

func runVersion(p *process, _ []string) int {
	fmt.Fprintln(p.stdout, "panehook", version())
	return 0
}

func version() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
