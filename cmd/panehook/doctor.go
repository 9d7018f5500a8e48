package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"panehook/adapters"
	"panehook/state"
)

const doctorUsage = `usage: panehook doctor [--json]

Answers "why do I see nothing?": looks at the agents, what is installed in them,
the program that their hooks run, the state root, and the last events. Exits
with 1 when something is wrong.
`

// checkup is one question that doctor asks, and what it found. Problems come
// with the command that mends them.
type checkup struct {
	Subject  string         `json:"subject"`
	Answer   string         `json:"answer"`
	Findings findings       `json:"findings,omitempty"`
	Agent    *agentStatus   `json:"agent,omitempty"`
	Event    map[string]any `json:"last_event,omitempty"`
}

// runDoctor is `panehook doctor`.
func runDoctor(p *process, args []string) int {
	flags := flag.NewFlagSet("doctor", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	err := p.parseOnlyFlags(flags, args, doctorUsage)
	if err != nil {
		return p.fail(err)
	}
	agents, err := allStatus(p, nil)
	if err != nil {
		return p.fail(err)
	}
	root := state.StateRoot()
	checks := []checkup{checkBinary(p), checkRoot(root)}
	checks = append(checks, checkAgents(p, agents, lastEvents(root))...)

	healthy := true
	for _, c := range checks {
		healthy = healthy && !slices.ContainsFunc(c.Findings, func(f adapters.Finding) bool { return f.Problem })
	}
	status := 0
	if !healthy {
		status = 1
	}
	if *asJSON {
		return max(status, p.printJSON(map[string]any{"healthy": healthy, "checks": checks}))
	}
	for _, c := range checks {
		fmt.Fprintf(p.stdout, "%-9s %s\n", c.Subject, oneLine(c.Answer))
		for _, f := range c.Findings {
			printFinding(p, "          ", f)
		}
	}
	return status
}

// checkBinary looks at the running program, the one that install would write.
func checkBinary(p *process) checkup {
	c := checkup{Subject: "program"}
	path, err := binaryPath(p, "")
	if err != nil {
		c.Answer = cmp.Or(os.Args[0], "unknown")
		c.Findings.problem(err.Error(), "")
		return c
	}
	c.Answer = path + ", version " + version()
	return c
}

// checkRoot looks at the folder that holds the state of all panes.
func checkRoot(root string) checkup {
	c := checkup{Subject: "state", Answer: root}
	if root == "" {
		c.Answer = "nowhere"
		c.Findings.problem("neither HOME nor "+state.StateRootEnv+" is set, so hooks can keep nothing", "set HOME in the environment of the agents")
		return c
	}
	if absolute, err := filepath.Abs(root); err == nil && !filepath.IsAbs(root) {
		c.Findings.problem("$"+state.StateRootEnv+" is a relative path, so that each working directory has a state root of its own",
			"set it to a whole path such as "+absolute+", for the agents too")
	}
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Answer += ", not there yet: the first event makes it"
		return c
	case err != nil:
		c.Findings.problem(err.Error(), "")
		return c
	case !info.IsDir():
		c.Findings.problem(root+" is not a folder", "mv "+adapters.ShellQuote(root)+" "+adapters.ShellQuote(root+".old"))
		return c
	}
	c.Answer += fmt.Sprintf(", mode %04o", info.Mode().Perm())
	if info.Mode().Perm()&0o077 != 0 && modesMatter {
		c.Findings.problem("others may look into the state root", "chmod 700 "+adapters.ShellQuote(root))
	}
	probe, err := os.CreateTemp(root, ".doctor-*")
	if err != nil {
		c.Findings.problem("nothing can be written there: "+reason(err), rootRemedy(root, info.Mode(), isForeign(info), err))
		return c
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	if err := checkLocks(probe); err != nil {
		c.Findings.problem("files there cannot be locked, so events can be lost: "+err.Error(),
			"set "+state.StateRootEnv+" to a folder on a local disk, for the agents too")
	}
	return c
}

// reason is an error without the path, which the person has not asked about.
func reason(err error) string {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		return inPath.Err.Error()
	}
	return err.Error()
}

// rootRemedy is what lets this user write to a root, of which somebody else may
// be the owner.
func rootRemedy(root string, mode fs.FileMode, foreign bool, err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission) && foreign:
		return `sudo chown "$(id -u)" ` + adapters.ShellQuote(root)
	case errors.Is(err, fs.ErrPermission) && mode.Perm()&0o300 != 0o300:
		return "chmod 700 " + adapters.ShellQuote(root)
	}
	return "set " + state.StateRootEnv + " to a folder that you can write to, for the agents too"
}

// lastEvents finds the newest event of each agent and the session it was in.
func lastEvents(root string) map[string]paneEvent {
	last := map[string]paneEvent{}
	entries, err := os.ReadDir(root)
	if root == "" || err != nil {
		return last
	}
	for _, e := range entries {
		if !state.IsValidSessionID(e.Name()) {
			continue
		}
		session, err := state.LoadSessionStateAt(root, e.Name())
		if session == nil || err != nil {
			continue
		}
		for _, pane := range session.Panes {
			if pane.LastEvent.After(last[pane.Agent].at) {
				last[pane.Agent] = paneEvent{e.Name(), pane.LastKind, pane.LastEvent}
			}
		}
	}
	return last
}

type paneEvent struct {
	session, kind string
	at            time.Time
}

// checkAgents looks at each agent that is here.
func checkAgents(p *process, agents []agentStatus, last map[string]paneEvent) []checkup {
	var checks []checkup
	for _, s := range agents {
		c := checkup{Subject: s.Agent, Answer: s.State, Findings: s.Findings}
		if s.State == stateNotFound {
			continue
		}
		if s.Version != "" {
			c.Answer = s.Version + ", " + c.Answer
		}
		if s.Program == "" {
			c.Findings.note(s.Agent+" itself was not found in $PATH, so its version is unknown", "")
		}
		if s.Trust != "" {
			c.Answer += ", " + s.Trust
		}
		event, seen := last[s.Agent]
		switch {
		case seen:
			c.Answer += fmt.Sprintf(", last event %s %s ago in %s", event.kind, ageText(p.now().Sub(event.at)), event.session)
			c.Event = map[string]any{"session": event.session, "kind": event.kind, "at": event.at, "age_s": int(p.now().Sub(event.at).Seconds())}
		case s.Installed:
			c.Answer += ", no event yet"
			c.Findings.note("no event has come yet: sessions that run already keep the hooks with which they started", "start a new "+s.Agent+" session")
		}
		if daemon := agentNamed(s.Agent).installation.Daemon; daemon != nil && s.Installed {
			if pid := processWith(s.Agent, daemon.Argument); pid != 0 {
				c.Findings.note(fmt.Sprintf("a %s daemon runs as process %d: a plain %s attaches to it, and its hooks have that process's environment", s.Agent, pid, s.Agent), daemon.Fix)
			}
		}
		status := s
		status.Findings = nil
		c.Agent = &status
		checks = append(checks, c)
	}
	if len(checks) == 0 {
		c := checkup{Subject: "agents", Answer: "none found"}
		c.Findings.problem("neither "+strings.Join(agentNames(), " nor ")+" is here", "install one of them, then: panehook install")
		checks = append(checks, c)
	}
	return checks
}

// processWith finds a process of a program with an argument, 0 if none is seen.
func processWith(program, argument string) int {
	for _, pid := range allProcesses() {
		args := commandLine(pid)
		if len(args) >= 2 && strings.Contains(filepath.Base(args[0]), program) && slices.Contains(args[1:], argument) {
			return pid
		}
	}
	return 0
}
