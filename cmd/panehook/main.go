// Command panehook keeps the state of the terminal panes in which coding
// agents run. The agents' hooks call it; people and status lines read it.
package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// process is what a command may touch of the world around it. Its clock is for
// what is stored and shown; deadlines and waits go by time.Now, which no test
// freezes.
type process struct {
	args           []string
	stdin          *os.File
	stdout, stderr io.Writer
	env            func(string) string
	now            func() time.Time
}

func main() {
	os.Exit(run(&process{
		args:   os.Args[1:],
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		env:    os.Getenv,
		now:    now,
	}))
}

// now is a variable so that the tests can freeze it.
var now = time.Now

// command is one subcommand. Run returns the exit status, 0 or 1: 2 would tell
// an agent to block what it is about to do.
type command struct {
	name  string
	run   func(p *process, args []string) int
	usage string
}

// commands are the subcommands in the order of the usage text. It is a function
// so that nothing is built before the hook has gone its own way.
func commands() []command {
	return []command{
		{"hook", runHook, hookUsage},
		{"install", runInstall, installUsage},
		{"uninstall", runUninstall, uninstallUsage},
		{"status", runStatus, statusUsage},
		{"doctor", runDoctor, doctorUsage},
		{"ls", runLs, lsUsage},
		{"watch", runWatch, watchUsage},
		{"show", runShow, showUsage},
		{"log", runLog, logUsage},
		{"wait", runWait, waitUsage},
		{"focus", runFocus, focusUsage},
		{"status-line", runStatusLine, statusLineUsage},
		{"sweep", runSweep, sweepUsage},
		{"explain", runExplain, explainUsage},
		{"replay", runReplay, replayUsage},
		{"version", runVersion, versionUsage},
		{"help", runHelp, helpUsage},
	}
}

// run is the program, apart from the exit. A hook goes before everything else,
// and whatever happens in it, its agent gets a 0.
func run(p *process) (status int) {
	if len(p.args) > 0 && p.args[0] == "hook" {
		return runHook(p, p.args[1:])
	}
	if len(p.args) == 0 {
		return runBare(p)
	}
	defer func() {
		if r := recover(); r != nil {
			status = p.fail(fmt.Errorf("internal error: %v", r))
		}
	}()
	name := p.args[0]
	switch name {
	case "-h", "--help":
		name = "help"
	case "--version":
		name = "version"
	}
	c, err := commandNamed(name)
	if err != nil {
		return p.fail(err)
	}
	return c.run(p, p.args[1:])
}

func commandNamed(name string) (command, error) {
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
	}
	return command{}, fmt.Errorf("no command %q; see panehook help", printable(name))
}

// runBare is panehook without arguments. On a terminal it says how it is used.
// An agent that does not know the exec form of a hook runs the bare program:
// then a payload counts, whatever else stands on stdin does not, and nothing is
// said.
func runBare(p *process) int {
	if isTerminal(p.stdin) {
		return runHelp(p, nil)
	}
	return runHook(p, []string{bareAgent})
}
