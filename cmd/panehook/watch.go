package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"panehook/adapters"
	"panehook/state"
)

const watchUsage = `usage: panehook watch [--all] [--json] [--exec CMD]

Shows the panes as ls does, and keeps on showing them as they change. On a
terminal: q quits, a shows stopped panes too, arrows and j, k, space, g, G move.
Elsewhere every change is printed as a line, unless there is a command for it.

  --all       also stopped panes, and sessions that have only a manifest; without
              it the last that is told of a pane is that it has stopped
  --json      one object a line: time, change, from, pane. Change is listed for
              the panes there are at first, then added, changed or removed; from
              is the state shown before; pane is as in ls --json
  --exec CMD  runs CMD with sh -c whenever another state is shown of a pane. What
              happened is in the environment: PANEHOOK_SESSION, _ROLE, _STATE,
              _FROM, _AGENT, _ACTIVITY, _TOOL, _TITLE, _NAME, _CWD, _QUEST,
              _COLOR, _RULE and _SINCE. Its stdout goes to the stderr of watch,
              or nowhere while the panes are drawn on a terminal; one that fails
              is a line there, with the first of its stderr. Changes are printed
              only with --json then
`

// watchCommand is one call of panehook watch.
type watchCommand struct {
	*process
	all, asJSON bool
	root        string
	runner      *execRunner       // nil without --exec
	told        map[paneRole]bool // the panes told of as open, without --all
}

// runWatch is `panehook watch`.
func runWatch(p *process, args []string) int {
	w := &watchCommand{process: p, told: map[paneRole]bool{}}
	fs := flag.NewFlagSet("watch", flag.ContinueOnError)
	fs.BoolVar(&w.all, "all", false, "")
	fs.BoolVar(&w.asJSON, "json", false, "")
	command := ""
	fs.Func("exec", "", func(text string) error {
		if command = text; strings.TrimSpace(text) == "" {
			return errors.New("no command")
		}
		return nil
	})
	err := p.parseOnlyFlags(fs, args, watchUsage)
	if w.root = state.StateRoot(); w.root == "" && err == nil {
		err = errNoRoot
	}
	if err != nil {
		return p.fail(err)
	}
	var s *screen
	if !w.asJSON {
		s = newScreen(p, w.all)
	}
	if command != "" {
		say, stdout := p.stderr, p.stderr
		if s != nil {
			stdout = nil
			if terminal(p.stderr) != nil {
				say = s // not over what is drawn
			}
		}
		w.runner = newExecRunner(command, say, stdout)
		defer w.runner.finish()
	}
	stop := make(chan struct{})
	defer close(stop)
	changes, failed := make(chan []paneChange), make(chan error, 1)
	go watchLive(w.root, p.now).run(stop, changes, failed)
	if s != nil {
		err = s.show(changes, failed, w.runner)
	} else {
		err = w.stream(changes, failed)
	}
	if err != nil {
		return p.fail(err)
	}
	return 0
}

// paneRole names a pane.
type paneRole struct{ session, role string }

// isToTell tells whether a change is one to print. Without --all that is what
// happens to panes that are open, and once that one of them is so no longer.
func (w *watchCommand) isToTell(c *paneChange) bool {
	if w.all {
		return true
	}
	pane := paneRole{c.Pane.Session, c.Pane.Role}
	before := w.told[pane]
	if c.What != paneRemoved && c.Pane.isOpen() {
		w.told[pane] = true
		return true
	}
	delete(w.told, pane)
	return before
}

// stream prints every change until a signal ends it.
func (w *watchCommand) stream(changes <-chan []paneChange, failed <-chan error) error {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, quitSignals()...)
	for {
		select {
		case <-quit:
			return nil
		case err := <-failed:
			return err
		case list := <-changes:
			sortChanges(list)
			for i := range list {
				w.runner.take(&list[i])
				if !w.isToTell(&list[i]) {
					continue
				}
				if err := w.print(&list[i]); err != nil {
					return err
				}
			}
		}
	}
}

// changeJSON is one line of watch --json.
type changeJSON struct {
	Time   time.Time `json:"time"`
	Change string    `json:"change"`
	From   string    `json:"from"`
	Pane   paneJSON  `json:"pane"`
}

func (w *watchCommand) print(c *paneChange) error {
	if w.asJSON {
		return writeJSON(w.stdout, changeJSON{c.At.UTC(), c.What, c.From, c.Pane.json(w.root, c.At)})
	}
	if w.runner != nil {
		return nil // the command is what is to be seen
	}
	p := &c.Pane
	now := p.Shown.State
	switch {
	case c.What == paneRemoved:
		now += " > removed"
	case c.From != "" && c.From != now:
		now = c.From + " > " + now
	}
	_, err := fmt.Fprintf(w.stdout, "%s  %s  %s  %s  %s\n", c.At.Local().Format("15:04:05"),
		padded(now, 18), padded(p.agent(), 8), padded(fit(adapters.Word(p.name()), nameColumns), nameColumns), p.activity())
	return err
}
