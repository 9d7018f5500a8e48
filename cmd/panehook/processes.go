package main

import (
	"os"
	"slices"
	"strings"
	"time"
)

// wrappers are the programs between an agent and its hook, or between two
// agents, that are not the agent.
var wrappers = []string{
	"sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "busybox", "tcsh", "csh", "nu", "pwsh",
	"env", "timeout", "nice", "ionice", "nohup", "setsid", "sudo", "doas", "xargs", "time", "strace", "script",
	"panehook",
}

// agentPrograms are the names of the agents' own processes, which can change to
// another session while they run. A test program that calls hooks in their
// place cannot be told from one that runs several agents.
var agentPrograms = []string{"claude", "codex", "pi", "node", "bun"}

func isAgent(pid int) bool {
	s, ok := readStat(pid)
	return ok && slices.Contains(agentPrograms, s.name)
}

// maxAncestors bounds the walk up from a hook; real chains have under ten.
const maxAncestors = 40

// agentProcess is a variable so that the tests can do without a process that
// has another number in every run.
var agentProcess = callingAgent

// callingAgent is the process that called the hook, past shells and wrappers.
// Zero where the system does not tell.
func callingAgent() (pid int, started int64) {
	pid = os.Getppid()
	for range maxAncestors {
		s, ok := readStat(pid)
		if !ok || pid <= 1 {
			return 0, 0
		}
		if !slices.Contains(wrappers, strings.TrimPrefix(s.name, "-")) {
			return pid, s.started
		}
		pid = s.parent
	}
	return 0, 0
}

// alive tells whether a process runs that is still the one that was recorded:
// numbers are given out again. Where the system does not tell, it is.
func alive(pid int, started int64) bool {
	s, ok := readStat(pid)
	if !ok {
		_, tells := readStat(os.Getpid())
		return !tells
	}
	return s.started == started && !s.dead()
}

// dead tells of a process that is in the table only until its parent looks.
func (s procStat) dead() bool { return s.state == 'Z' || s.state == 'X' }

// runsInside tells whether the agent that called this hook was itself started
// below the given process.
func runsInside(owner int) bool {
	pid, _ := agentProcess()
	for range maxAncestors {
		s, ok := readStat(pid)
		if !ok || pid <= 1 || pid == owner {
			return false
		}
		if s.parent == owner {
			return true
		}
		pid = s.parent
	}
	return false
}

// parentCommand is the command line of the process that called the hook.
func parentCommand() []string { return commandLine(os.Getppid()) }

// childStarts is when a process started those that it runs, apart from hooks.
// Empty where the system does not tell.
func childStarts(parent int) []time.Time {
	var starts []time.Time
	for _, pid := range childrenOf(parent) {
		if s, ok := readStat(pid); ok && !s.dead() && s.name != "panehook" {
			starts = append(starts, startTime(s))
		}
	}
	return starts
}
