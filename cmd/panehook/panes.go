package main

import (
	"hash/fnv"
	"path/filepath"
	"strconv"
	"strings"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

// sessionID is the id under which the pane of an event is stored: what the
// command line says, else the environment, else the terminal pane, else the
// agent's own session. An environment that is not the session's own is not
// believed. "" means that nothing tells.
func (h *hookCall) sessionID(ev *transitions.Event) string {
	if h.session != "" {
		return fitID(h.session)
	}
	borrowed := h.agent.Borrowed != nil && h.agent.Borrowed(adapters.Surroundings{
		Env:    h.env,
		Parent: parentCommand,
	})
	if !borrowed {
		if id := h.env(state.SessionEnv); id != "" {
			return fitID(id)
		}
		if id := tmuxPane(h.env("TMUX"), h.env("TMUX_PANE")); id != "" {
			return id
		}
	}
	if ev.Session == "" {
		return ""
	}
	return fitID(state.SessionIDPrefix + h.agent.Name + "-" + ev.Session)
}

// tmuxPane is an id for a pane of a tmux server. Pane numbers are unique within
// a server, and a server is known by its socket.
func tmuxPane(tmux, pane string) string {
	number, ok := strings.CutPrefix(pane, "%")
	socket, _, _ := strings.Cut(tmux, ",")
	if !ok || number == "" || socket == "" {
		return ""
	}
	return fitID(state.SessionIDPrefix + "tmux-" + filepath.Base(socket) + "-" + digest(socket) + "-" + number)
}

// maxID keeps the names of a session's files well below what a file system
// takes.
const maxID = 100

// fitID makes a session id of any text. One that fits is kept; of another one
// the plain characters are kept and a digest tells it from its likes, so that
// no text ever becomes a path.
func fitID(text string) string {
	if state.IsValidSessionID(text) && len(text) <= maxID {
		return text
	}
	if id := state.SessionIDPrefix + text; state.IsValidSessionID(id) && len(id) <= maxID {
		return id
	}
	plain := strings.Map(func(r rune) rune {
		if state.IsValidSessionID(state.SessionIDPrefix + string(r)) {
			return r
		}
		return '-'
	}, state.TrimSessionIDPrefix(text))
	plain = strings.Trim(plain[:min(len(plain), 60)], "-")
	return state.SessionIDPrefix + strings.TrimPrefix(plain+"-"+digest(text), "-")
}

func digest(text string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return strconv.FormatUint(uint64(h.Sum32()), 16)
}
