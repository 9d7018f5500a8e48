package main

import (
	"errors"
	"flag"
	"fmt"
	"runtime/debug"
	"strings"
)

// usageFormat takes the names of the agents.
const usageFormat = `panehook keeps the state of the terminal panes in which coding agents run.

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
  panehook help [COMMAND]          how a command is used

AGENT is %s. Every command but hook has --help, which prints
what panehook help COMMAND prints.
`

const helpUsage = `usage: panehook help [COMMAND]

Says how a command is used; without COMMAND, what the commands are.
`

// runHelp is `panehook help [COMMAND]`.
func runHelp(p *process, args []string) int {
	fs := flag.NewFlagSet("help", flag.ContinueOnError)
	words, err := p.parseFlags(fs, args, helpUsage)
	if err == nil && len(words) > 1 {
		err = errors.New("help takes one command at most; see panehook help --help")
	}
	if err != nil {
		return p.fail(err)
	}
	text := fmt.Sprintf(usageFormat, agentList("or"))
	if len(words) > 0 {
		c, err := commandNamed(words[0])
		if err != nil {
			return p.fail(err)
		}
		text = c.usage
	}
	fmt.Fprint(p.stdout, text)
	return 0
}

const versionUsage = `usage: panehook version

Prints the version of this program, or the commit of which it was built. Where
the build was not told of either it is (devel).
`

// Version is set when a release is linked; without it the build tells.
var Version string

// runVersion is `panehook version`.
func runVersion(p *process, args []string) int {
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	if err := p.parseOnlyFlags(fs, args, versionUsage); err != nil {
		return p.fail(err)
	}
	fmt.Fprintln(p.stdout, "panehook", version())
	return 0
}

func version() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info)
	}
	return develVersion
}

const develVersion = "(devel)"

// versionOf is the version of a build, or the commit that it is of, as far as
// its linker has been told.
func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != develVersion {
		return v
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	text := develVersion
	if revision := vcs["vcs.revision"]; revision != "" {
		text += " " + revision[:min(len(revision), 12)]
		if vcs["vcs.modified"] == "true" {
			text += "+dirty"
		}
	}
	if day, _, ok := strings.Cut(vcs["vcs.time"], "T"); ok {
		text += " " + day
	}
	return text
}
