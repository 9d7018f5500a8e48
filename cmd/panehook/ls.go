package main

import (
	"bufio"
	"flag"
	"fmt"
	"time"

	"panehook/state"
)

const lsUsage = `usage: panehook ls [--all] [--json] [--width N]

Shows every pane, those that wait for a person first and longest: what state it
is in and for how long, the agent, the session's title or directory, the
session's id as far as it is needed to name it, its quest and loop, the tool in
use and what goes on. "silent 7m00s" says that an agent at work has not been
heard of for that long. The state is corrected by what can be seen outside the
hooks: whether the agent's process runs, what the agent itself says it does,
and how its transcript ends.

  --all      also stopped panes, and sessions that have only a manifest
  --json     one object: version, time, root, panes; see docs/json.md
  --width N  as for a terminal of N columns; 0 cuts nothing
`

// listJSON is what ls --json prints.
type listJSON struct {
	Version int        `json:"version"`
	Time    time.Time  `json:"time"`
	Root    string     `json:"root"`
	Panes   []paneJSON `json:"panes"`
}

// listVersion changes only when a member changes its meaning or goes.
const listVersion = 1

// runLs is `panehook ls`.
func runLs(p *process, args []string) int {
	fs := flag.NewFlagSet("ls", flag.ContinueOnError)
	all := fs.Bool("all", false, "")
	asJSON := fs.Bool("json", false, "")
	width := countFlag(fs, "width", -1)
	err := p.parseOnlyFlags(fs, args, lsUsage)
	if err != nil {
		return p.fail(err)
	}
	now := p.now()
	b, err := readBoard(now)
	if err != nil {
		return p.fail(err)
	}
	panes := b.sorted(*all)
	if *asJSON {
		return p.printJSON(listOf(b.root, panes, now))
	}
	if len(panes) == 0 {
		return p.done(b.nothing())
	}
	look := p.lookOf(p.stdout)
	if *width >= 0 {
		look.width = *width
	}
	out := bufio.NewWriter(p.stdout)
	for _, line := range table(panes, shortIDs(sortedKeys(b.sessions)), look, now) {
		fmt.Fprintln(out, line)
	}
	if err := out.Flush(); err != nil {
		return p.fail(err)
	}
	return 0
}

// done prints what a command found and returns its exit status.
func (p *process) done(line string) int {
	if _, err := fmt.Fprintln(p.stdout, line); err != nil {
		return p.fail(err)
	}
	return 0
}

// nothing is what there is to say where no pane is to be shown.
func (b *board) nothing() string {
	if n := len(b.sorted(true)); n > 0 {
		return fmt.Sprintf("no pane is open; --all shows %d", n)
	}
	return "no pane is known in " + oneLine(b.root)
}

func listOf(root string, panes []*shownPane, now time.Time) listJSON {
	list := listJSON{Version: listVersion, Time: now.UTC(), Root: root, Panes: []paneJSON{}}
	for i := range panes {
		list.Panes = append(list.Panes, panes[i].json(root, now))
	}
	return list
}

// shortIDs are the beginnings of session ids, without their prefix, that name
// their session among the given ones, which are sorted.
func shortIDs(ids []string) map[string]string {
	short := make(map[string]string, len(ids))
	for i, id := range ids {
		n := leastID
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(ids) {
				n = max(n, sameStart(id, ids[j])+1-len(state.SessionIDPrefix))
			}
		}
		plain := state.TrimSessionIDPrefix(id)
		short[id] = plain[:min(n, len(plain))]
	}
	return short
}

const leastID = 4

func sameStart(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
