package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"panehook/adapters"
)

const (
	// execWorkers is how many commands run at once. Those of one session run
	// one after the other, in the order of its changes.
	execWorkers = 4
	// execQueue is how many wait for each worker; more are dropped.
	execQueue = 64
	// execTime is how long one command may take.
	execTime = time.Minute
	// execEnd is how long watch waits at its end for what runs.
	execEnd = time.Second
)

// execRunner runs a command for each change of a pane's state. What happened is in
// the command's environment and never a part of the command.
type execRunner struct {
	command string
	say     io.Writer
	mu      sync.Mutex // of say
	stdout  io.Writer  // of the commands, nil for nowhere
	queues  [execWorkers]chan execCall
	done    sync.WaitGroup
}

// execCall is one run of the command.
type execCall struct {
	session string
	env     []string
}

func newExecRunner(command string, say, stdout io.Writer) *execRunner {
	r := &execRunner{command: command, say: say, stdout: stdout}
	for i := range r.queues {
		queue := make(chan execCall, execQueue)
		r.queues[i] = queue
		r.done.Go(func() {
			for call := range queue {
				r.run(call)
			}
		})
	}
	return r
}

// take queues the command if the change is one of state.
func (r *execRunner) take(c *paneChange) {
	if r == nil || c.What == paneListed || c.What == paneRemoved || c.From == c.Pane.Shown.State {
		return
	}
	h := fnv.New32a()
	_, _ = io.WriteString(h, c.Pane.Session)
	select {
	case r.queues[h.Sum32()%execWorkers] <- execCall{c.Pane.Session, c.environment()}:
	default:
		r.report("too many changes at once: the command was not run for " + c.Pane.Session)
	}
}

// environment is what a command gets to know of a change.
func (c *paneChange) environment() []string {
	p := &c.Pane
	since := ""
	if at := p.since(); !at.IsZero() {
		since = at.UTC().Format(time.RFC3339)
	}
	env := []string{
		"SESSION=" + p.Session,
		"ROLE=" + p.Role,
		"STATE=" + p.Shown.State,
		"FROM=" + c.From,
		"AGENT=" + p.Shown.Agent,
		"ACTIVITY=" + p.activity(),
		"TOOL=" + p.Shown.Tool,
		"TITLE=" + p.Title,
		"NAME=" + p.name(),
		"CWD=" + p.Cwd,
		"QUEST=" + p.Quest,
		"COLOR=" + p.Color,
		"RULE=" + p.Rule,
		"SINCE=" + since,
	}
	for i := range env {
		env[i] = "PANEHOOK_" + strings.ReplaceAll(env[i], "\x00", "")
	}
	return env
}

func (r *execRunner) run(call execCall) {
	ctx, cancel := context.WithTimeout(context.Background(), execTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", r.command)
	cmd.Env = append(os.Environ(), call.env...)
	cmd.Stdout = r.stdout
	said := &firstLine{}
	cmd.Stderr = said
	cmd.WaitDelay = time.Second // for what it leaves behind with our stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		r.report(fmt.Sprintf("the command for %s took longer than %v and was ended", call.session, execTime))
	case err != nil:
		r.report(strings.TrimSuffix("the command failed for "+call.session+": "+err.Error()+": "+said.text(), ": "))
	}
}

func (r *execRunner) report(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.say, "panehook: watch: %s\n", oneLine(line))
}

// finish takes no more changes, and waits a little for the commands that run.
func (r *execRunner) finish() {
	for _, queue := range r.queues {
		close(queue)
	}
	ended := make(chan struct{})
	go func() {
		r.done.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(execEnd):
	}
}

// firstLine keeps the beginning of what is written.
type firstLine struct{ buf []byte }

const firstLineSize = 512

func (f *firstLine) Write(b []byte) (int, error) {
	f.buf = append(f.buf, b[:min(len(b), firstLineSize-len(f.buf))]...)
	return len(b), nil
}

func (f *firstLine) text() string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(f.buf), []byte("\n"))
	return adapters.Clean(string(line))
}
