package main

import (
	"flag"
	"fmt"
	"strings"
	"time"

	"panehook/transitions"
)

const statusLineUsage = `usage: panehook status-line [--format FORMAT] [--width N]

Prints one line for a status bar or a prompt: how many panes are in each state,
and the pane that has waited longest for a person. Nothing where there is none.

  --format text    for tmux and other bars; each # is doubled, so that tmux takes
                   nothing in it for a format (the default)
  --format tmux    the same with colours of tmux
  --format plain   as it is, for prompts and bars that take no formats
  --format json    version, time, counts, waiting (a pane as in ls --json, or
                   null), text
  --format waybar  text, alt, class and tooltip, as Waybar wants them
  --width N        the waiting pane's part takes at most N columns, 60 by default;
                   0 leaves it out
`

// statusLine is what a status bar shows.
type statusLine struct {
	panes   []*shownPane // the open ones, in order
	counts  map[string]int
	waiting *shownPane // nil where nobody waits for a person
	width   int
	now     time.Time
}

// runStatusLine is `panehook status-line`.
func runStatusLine(p *process, args []string) int {
	fs := flag.NewFlagSet("status-line", flag.ContinueOnError)
	format := fs.String("format", "text", "")
	width := countFlag(fs, "width", 60)
	err := p.parseOnlyFlags(fs, args, statusLineUsage)
	if err != nil {
		return p.fail(err)
	}
	now := p.now()
	b, err := readBoard(now)
	if err != nil {
		return p.fail(err)
	}
	l := newStatusLine(b.sorted(false), *width, now)
	switch *format {
	case "text":
		return p.done(tmuxText(l.text()))
	case "plain":
		return p.done(l.text())
	case "tmux":
		return p.done(l.tmux())
	case "json":
		return p.printJSON(l.json(b.root))
	case "waybar":
		return p.printJSON(l.waybar())
	}
	return p.fail(fmt.Errorf("no format %q; they are text, tmux, plain, json and waybar", printable(*format)))
}

func newStatusLine(panes []*shownPane, width int, now time.Time) *statusLine {
	l := &statusLine{panes: panes, counts: map[string]int{}, width: width, now: now}
	for _, p := range panes {
		l.counts[p.Shown.State]++
	}
	l.waiting = longestWaiting(panes)
	return l
}

// longestWaiting is the first of sorted panes if it waits for a person.
func longestWaiting(panes []*shownPane) *shownPane {
	if len(panes) > 0 {
		switch panes[0].Shown.State {
		case transitions.Blocked, transitions.Done:
			return panes[0]
		}
	}
	return nil
}

// text is the line without any markup.
func (l *statusLine) text() string {
	text := countText(l.counts)
	if waiting := l.waitingText(); waiting != "" {
		text += " | " + waiting
	}
	return text
}

// waitingText is the pane that has waited longest: its name, for how long, and
// what for.
func (l *statusLine) waitingText() string {
	p := l.waiting
	if p == nil {
		return ""
	}
	text := fit(p.name(), nameColumns)
	if since := p.since(); !since.IsZero() {
		text += " " + ageText(l.now.Sub(since))
	}
	return fit(strings.TrimSpace(text+" "+p.activity()), l.width)
}

// tmux is the line with colours of tmux. Only our own # are formats.
func (l *statusLine) tmux() string {
	var parts []string
	for _, name := range allStates() {
		if n := l.counts[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("#[%s]%d %s#[default]", tmuxStyle(name), n, name))
		}
	}
	text := strings.Join(parts, "  ")
	if waiting := l.waitingText(); waiting != "" {
		text += " | " + tmuxText(waiting)
	}
	return text
}

func tmuxStyle(name string) string {
	switch name {
	case transitions.Blocked:
		return "fg=red,bold"
	case transitions.Done:
		return "fg=green,bold"
	case transitions.Working:
		return "fg=yellow"
	case transitions.Starting:
		return "fg=cyan"
	case unknown:
		return "fg=magenta"
	}
	return "dim"
}

// tmuxText is text that tmux shows as it is. It expands what a command in its
// status line prints, and a text that begins a format could run a command.
func tmuxText(text string) string { return strings.ReplaceAll(text, "#", "##") }

// statusLineJSON is what status-line --format json prints.
type statusLineJSON struct {
	Version int            `json:"version"`
	Time    time.Time      `json:"time"`
	Counts  map[string]int `json:"counts"`
	Waiting *paneJSON      `json:"waiting"`
	Text    string         `json:"text"`
}

func (l *statusLine) json(root string) statusLineJSON {
	out := statusLineJSON{Version: listVersion, Time: l.now.UTC(), Counts: map[string]int{}, Text: l.text()}
	for _, name := range allStates() {
		if name != transitions.Stopped {
			out.Counts[name] = l.counts[name]
		}
	}
	if l.waiting != nil {
		pane := l.waiting.json(root, l.now)
		out.Waiting = &pane
	}
	return out
}

// waybarJSON is what Waybar's custom modules take with return-type json.
type waybarJSON struct {
	Text    string `json:"text"`
	Alt     string `json:"alt"`
	Class   string `json:"class"`
	Tooltip string `json:"tooltip"`
}

const maxTooltip = 20

// waybar is the line in the markup of Pango, with the panes as tooltip. The
// class is the state that wants a person most, or none.
func (l *statusLine) waybar() waybarJSON {
	out := waybarJSON{Text: pangoText(l.text()), Alt: "none", Class: "none"}
	var tips []string
	for i, p := range l.panes {
		if i == 0 {
			out.Alt, out.Class = p.Shown.State, p.Shown.State
		}
		if i == maxTooltip {
			tips = append(tips, fmt.Sprintf("and %d more", len(l.panes)-i))
			break
		}
		tip := p.Shown.State
		if since := p.since(); !since.IsZero() {
			tip += " " + ageText(l.now.Sub(since))
		}
		tips = append(tips, pangoText(fit(strings.TrimSpace(tip+"  "+p.name()+"  "+p.activity()), 100)))
	}
	out.Tooltip = strings.Join(tips, "\n")
	return out
}

// pangoText is text without markup in a place that takes it.
func pangoText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(text)
}
