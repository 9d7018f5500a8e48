package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"panehook/transitions"
)

// tmuxTime is how long one call of tmux may take: a server can hang.
const tmuxTime = 3 * time.Second

// tmuxServer is a tmux server by its socket.
type tmuxServer struct{ socket string }

// tmuxPaneInfo is a pane of a server.
type tmuxPaneInfo struct {
	server  tmuxServer
	id      string // %12
	pid     int    // of what runs in it
	session string // $3
}

// call runs a tmux command and returns what it prints.
func (t tmuxServer) call(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), tmuxTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", t.socket}, args...)...)
	said := &firstLine{}
	cmd.Stderr = said
	out, err := cmd.Output()
	if err != nil && said.text() != "" {
		err = errors.New("tmux: " + said.text())
	}
	return string(out), err
}

// panes lists the panes of a server, by ids: names can hold anything.
func (t tmuxServer) panes() ([]tmuxPaneInfo, error) {
	out, err := t.call("list-panes", "-a", "-F", "#{pane_id} #{pane_pid} #{session_id}")
	if err != nil {
		return nil, err
	}
	var panes []tmuxPaneInfo
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		if pid, err := strconv.Atoi(fields[1]); err == nil {
			panes = append(panes, tmuxPaneInfo{t, fields[0], pid, fields[2]})
		}
	}
	return panes, nil
}

// tmuxServers are the servers of this user that may run, that of our own pane
// first.
func (p *process) tmuxServers() []tmuxServer {
	var servers []tmuxServer
	seen := map[string]bool{}
	add := func(socket string) {
		if socket != "" && !seen[socket] {
			seen[socket] = true
			servers = append(servers, tmuxServer{socket})
		}
	}
	own, _, _ := strings.Cut(p.env("TMUX"), ",")
	add(own)
	dir := p.env("TMUX_TMPDIR")
	if dir == "" {
		dir = "/tmp"
	}
	dir = filepath.Join(dir, "tmux-"+strconv.Itoa(os.Getuid()))
	add(filepath.Join(dir, "default"))
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if entry.Type() == os.ModeSocket {
			add(filepath.Join(dir, entry.Name()))
		}
	}
	return servers
}

// paneOf finds the tmux pane of a session: the one in which its agent's process
// runs, and where there is none, the one after which the session is named.
func (p *process) paneOf(session string, panes []shownPane) (tmuxPaneInfo, error) {
	if _, err := exec.LookPath("tmux"); err != nil {
		return tmuxPaneInfo{}, errors.New("tmux is not installed; only tmux panes can be focused")
	}
	ancestors := map[int]bool{}
	for i := range panes {
		owner := &panes[i].Stored.Memory.Owner
		if owner.PID != 0 && alive(owner.PID, owner.Started) {
			for _, pid := range lineage(owner.PID) {
				ancestors[pid] = true
			}
		}
	}
	running := 0
	var named *tmuxPaneInfo
	for _, server := range p.tmuxServers() {
		list, err := server.panes()
		if err != nil {
			continue
		}
		running++
		for _, pane := range list {
			if ancestors[pane.pid] {
				return pane, nil
			}
			if session == tmuxPane(server.socket+",", pane.id) {
				named = &pane
			}
		}
	}
	switch {
	case named != nil:
		return *named, nil
	case !slices.ContainsFunc(panes, func(p shownPane) bool { return p.Shown.State != transitions.Stopped }):
		return tmuxPaneInfo{}, fmt.Errorf("the agent of %s is gone, and no tmux pane is named after it; panehook ls shows those that run", session)
	case running == 0:
		return tmuxPaneInfo{}, errors.New("no tmux server of yours runs")
	case len(ancestors) == 0:
		return tmuxPaneInfo{}, fmt.Errorf("the process of the agent of %s is not known, and no tmux pane is named after it", session)
	}
	return tmuxPaneInfo{}, fmt.Errorf("the agent of %s does not run in a tmux pane of yours", session)
}

// lineage is a process and those that it descends from.
func lineage(pid int) []int {
	var pids []int
	for range maxAncestors {
		s, ok := readStat(pid)
		if !ok || pid <= 1 {
			break
		}
		pids = append(pids, pid)
		pid = s.parent
	}
	return pids
}
