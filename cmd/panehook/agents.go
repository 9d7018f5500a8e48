package main

import (
	"fmt"
	"strings"

	"panehook/adapters"
	"panehook/adapters/claude"
	"panehook/adapters/codex"
	"panehook/adapters/pi"
)

// agents are the agents that panehook knows. Another one is a folder under
// adapters and an entry here.
var agents = []agent{
	{
		Adapter:      &claude.Adapter,
		installation: &claude.Installation,
		programDir:   ".claude/local",
		resumeKey:    "claude_session_id",
	},
	{
		Adapter:      &codex.Adapter,
		installation: &codex.Installation,
		resumeKey:    "codex_thread_id",
	},
	{
		Adapter:      &pi.Adapter,
		installation: &pi.Installation,
		resumeKey:    "pi_session_id",
		streamEnd:    pi.EndOfStream,
	},
}

// agent is how the hooks of one agent are read, and how panehook gets into it.
type agent struct {
	*adapters.Adapter
	installation *adapters.Installation
	// programDir is where the agent's own installer puts its program, relative
	// to the home.
	programDir string
	// resumeKey is the manifest's older name for the agent's resume id.
	resumeKey string
	// streamEnd is the event that the end of a stream stands for, where the
	// agent's hooks are one stream.
	streamEnd string
}

// bareAgent is the agent of which older versions run the bare program as a
// hook.
var bareAgent = claude.Adapter.Name

// agentNamed is nil for a name that is not known.
func agentNamed(name string) *agent {
	for i := range agents {
		if agents[i].Name == name {
			return &agents[i]
		}
	}
	return nil
}

func unknownAgent(name string) error {
	return fmt.Errorf("no agent %q; known are %s", printable(name), agentList("and"))
}

// agentList is the names of all agents in a sentence.
func agentList(conjunction string) string {
	names := agentNames()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}

func agentNames() (names []string) {
	for _, a := range agents {
		names = append(names, a.Name)
	}
	return names
}
