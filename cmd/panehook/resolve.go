package main

import (
	"errors"
	"fmt"
	"strings"

	"panehook/state"
)

// sessionNamed finds the session that a person means: by its id with or without
// the prefix, by a beginning of it that no other session has, or by what ls
// shows as its name. Nothing that is typed ever becomes a path.
func (b *board) sessionNamed(name string) (string, error) {
	for _, id := range []string{name, state.SessionIDPrefix + name} {
		if b.sessions[id] != nil {
			return id, nil
		}
	}
	var found []string
	for _, id := range sortedKeys(b.sessions) {
		if name != "" && (strings.HasPrefix(id, name) || strings.HasPrefix(state.TrimSessionIDPrefix(id), name)) {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		found = b.calledSo(name)
	}
	switch len(found) {
	case 0:
		return "", noSession(name)
	case 1:
		return found[0], nil
	}
	shown := found[:min(len(found), 5)]
	more := ""
	if len(found) > len(shown) {
		more = fmt.Sprintf(" and %d more", len(found)-len(shown))
	}
	return "", fmt.Errorf("%q can be %s%s", printable(name), strings.Join(shown, ", "), more)
}

func noSession(name string) error {
	return fmt.Errorf("no session %q; see panehook ls --all", printable(name))
}

// calledSo are the sessions with the given title or directory.
func (b *board) calledSo(name string) []string {
	var found []string
	for _, id := range sortedKeys(b.sessions) {
		for i := range b.sessions[id].panes {
			if name != "" && b.sessions[id].panes[i].name() == name {
				found = append(found, id)
				break
			}
		}
	}
	return found
}

// oneSession is the session that a command with at most one argument is about,
// by default that of the pane in which it runs.
func (p *process) oneSession(b *board, words []string) (string, error) {
	switch len(words) {
	case 0:
		// A beginning of an id may be typed; the pane of one that begins so is
		// another pane.
		id := p.ownSession()
		switch {
		case b.sessions[id] != nil:
			return id, nil
		case p.env(state.SessionEnv) != "":
			return "", noSession(id)
		}
		return "", errors.New("which session? This is not the pane of one; see panehook ls")
	case 1:
		return b.sessionNamed(words[0])
	}
	return "", errors.New("one session at a time")
}

// ownSession is the session of the pane in which the program runs, as a hook in
// it would name it, or "".
func (p *process) ownSession() string {
	if id := p.env(state.SessionEnv); id != "" {
		return fitID(id)
	}
	return tmuxPane(p.env("TMUX"), p.env("TMUX_PANE"))
}
