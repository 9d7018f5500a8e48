package main

import (
	"errors"
	"flag"
	"fmt"
)

const focusUsage = `usage: panehook focus [SESSION]

Brings the tmux pane of a session to the front: in the client that looks at the
same tmux server, and where there are several, in this one or in the one used
last. SESSION is as for panehook log; without it, the pane that has waited
longest for a person.
`

// runFocus is `panehook focus [SESSION]`.
func runFocus(p *process, args []string) int {
	fs := flag.NewFlagSet("focus", flag.ContinueOnError)
	words, err := p.parseFlags(fs, args, focusUsage)
	if err == nil && len(words) > 1 {
		err = errors.New("one session at a time; see panehook focus --help")
	}
	if err != nil {
		return p.fail(err)
	}
	b, err := readBoard(p.now())
	if err != nil {
		return p.fail(err)
	}
	id := ""
	if len(words) == 1 {
		id, err = b.sessionNamed(words[0])
	} else if waiting := longestWaiting(b.sorted(false)); waiting != nil {
		id = waiting.Session
	} else {
		err = errors.New("no pane waits for a person")
	}
	if err != nil {
		return p.fail(err)
	}
	pane, err := p.paneOf(id, b.sessions[id].panes)
	if err == nil {
		err = pane.focus()
	}
	if err != nil {
		return p.fail(err)
	}
	return 0
}

// focus selects the pane in its window and its window in its session, and
// brings a client to that session.
func (t tmuxPaneInfo) focus() error {
	if _, err := t.server.call("select-window", "-t", t.id, ";", "select-pane", "-t", t.id); err != nil {
		return err
	}
	clients, err := t.server.call("list-clients", "-F", "#{client_name}")
	if err != nil {
		return err
	}
	if clients == "" {
		return fmt.Errorf("the pane is selected, but nobody looks at this tmux; try: tmux -S %s attach -t '%s'",
			visible(t.server.socket), t.session)
	}
	_, err = t.server.call("switch-client", "-t", t.id)
	return err
}
