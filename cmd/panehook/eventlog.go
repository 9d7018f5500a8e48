package main

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"time"

	"panehook/state"
)

const logUsage = `usage: panehook log [-f] [-n N] [--json] [SESSION]

Prints the event log of a session, a line an event: when, what the agent said,
which rule decided, the state from then on, the tool in use and what goes on.
SESSION is an id of panehook ls, the beginning of one, or a name that ls shows;
without it, the session of this pane.

  -f      go on with every new event
  -n N    only the last N events; with -f they are 10 unless this says otherwise
  --json  one object a line: session, ts, agent, role, action, kind, rule,
          state, activity, tool, fields
`

// logCommand is one call of panehook log.
type logCommand struct {
	*process
	session string
	asJSON  bool
	out     *bufio.Writer
}

// runLog is `panehook log [-f] [SESSION]`.
func runLog(p *process, args []string) int {
	fs := flag.NewFlagSet("log", flag.ContinueOnError)
	follow := fs.Bool("f", false, "")
	last := countFlag(fs, "n", -1)
	asJSON := fs.Bool("json", false, "")
	words, err := p.parseFlags(fs, args, logUsage)
	if err != nil {
		return p.fail(err)
	}
	b, err := readBoard(p.now())
	if err != nil {
		return p.fail(err)
	}
	id, err := p.oneSession(b, words)
	if err != nil {
		return p.fail(err)
	}
	if *follow && *last < 0 {
		*last = 10
	}
	c := &logCommand{process: p, session: id, asJSON: *asJSON, out: bufio.NewWriter(p.stdout)}
	r := newLogReader(b.root, id)
	defer r.close()
	var notices *fileNotices
	if *follow {
		// Before the first read, so that nothing falls in between.
		notices = watchFile(state.SessionStateLogPath(b.root, id))
		defer notices.folders.close()
	}
	events, err := r.last(*last)
	for i := range events {
		c.print(&events[i])
	}
	if err := errors.Join(err, c.out.Flush()); err != nil {
		return p.fail(err)
	}
	for *follow {
		notices.wait()
		if err := c.printNew(r); err != nil {
			return p.fail(err)
		}
	}
	return 0
}

func (c *logCommand) printNew(r *logReader) error {
	err := r.read(func(line []byte) {
		if ev, ok := readEvent(line); ok {
			c.print(&ev)
		}
	})
	return errors.Join(err, c.out.Flush())
}

// print leaves errors to Flush.
func (c *logCommand) print(ev *state.StateEvent) {
	if c.asJSON {
		_ = writeJSON(c.out, eventForJSON(c.session, ev))
		return
	}
	_, _ = io.WriteString(c.out, eventLine(ev)+"\n")
}

// fileNotices tells when a file changes, in a folder that may go away and come
// back. Where the system gives no notice, it is a matter of time.
type fileNotices struct {
	path, dir string
	folders   *folderWatch
}

const (
	// unnoticed is how often a file is looked at without any notice.
	unnoticed = time.Second
	// unwatched is the same where its folder is not there.
	unwatched = 100 * time.Millisecond
)

func watchFile(path string) *fileNotices {
	n := &fileNotices{path: path, dir: filepath.Dir(path), folders: newFolderWatch()}
	n.folders.watch(n.dir, os.Lstat)
	return n
}

// wait returns after the next change, and now and then without one.
func (n *fileNotices) wait() {
	pause := unnoticed
	if !n.folders.watches(n.dir) {
		pause = unwatched
	}
	later := time.NewTimer(pause)
	defer later.Stop()
	for {
		select {
		case ev := <-n.folders.events():
			if ev.Name == n.dir {
				n.folders.forget(n.dir) // gone, even if its number has been given out again
			} else if ev.Name != n.path {
				continue
			}
		case <-n.folders.errors():
			// Most likely an overflow: the log says what was missed.
		case <-later.C:
		}
		n.folders.watch(n.dir, os.Lstat)
		return
	}
}
