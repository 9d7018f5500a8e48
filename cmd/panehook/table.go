package main

import (
	"strconv"
	"strings"
	"time"

	"panehook/transitions"
)

// tableLook is how a table of panes is printed.
type tableLook struct {
	width    int  // of the terminal, 0 for as wide as it gets
	color    bool // terminal sequences for colours
	terminal bool // and for the places of columns
}

// silent is how long an agent that should be at work may say nothing until the
// table shows for how long.
const silent = 5 * time.Minute

const (
	gap           = 2
	leastActivity = 20
	leastName     = 8
	nameColumns   = 24
	// Columns with this drop and more go before a name is cut.
	lessThanName = 3
)

// cell is one text of the table and how it looks.
type cell struct{ text, look string }

// tableColumn is one column. Of the columns that are not needed those with the
// highest drop go first where the terminal is narrow.
type tableColumn struct {
	head  string
	most  int // columns that it takes at most
	least int // columns that it keeps, 0 where none are taken from it
	drop  int // 0 for never
	cells []cell
	width int
}

// table prints panes, a line each, below a line of headings.
func table(panes []*shownPane, short map[string]string, look tableLook, now time.Time) []string {
	cols := []*tableColumn{
		{head: "STATE", most: 8},
		{head: "FOR", most: 6, drop: 1},
		{head: "AGENT", most: 18, drop: 2},
		{head: "SESSION", most: nameColumns, least: leastName},
		{head: "ID", most: 40, drop: 5},
		{head: "QUEST", most: 26, drop: 3},
		{head: "TOOL", most: 16, drop: 4},
		{head: "ACTIVITY"},
	}
	for i := range panes {
		for c, cell := range paneCells(panes[i], short, now) {
			cols[c].cells = append(cols[c].cells, cell)
		}
	}
	cols = arrange(cols, look)
	lines := []string{tableLine(cols, -1, "", look)}
	for i := range panes {
		lines = append(lines, tableLine(cols, i, panes[i].Color, look))
	}
	return lines
}

// paneCells are the cells of a pane in the order of the columns.
func paneCells(p *shownPane, short map[string]string, now time.Time) []cell {
	look := stateLook(p.Shown.State)
	age := ""
	if since := p.since(); !since.IsZero() {
		age = ageText(now.Sub(since))
	}
	activity := cell{text: p.activity()}
	switch p.Shown.State {
	case transitions.Working, transitions.Starting:
		if quiet := p.silence(now); quiet >= silent {
			activity.text = strings.TrimSpace("(silent " + ageText(quiet) + ") " + activity.text)
		}
	case transitions.Idle, transitions.Stopped:
		activity.look = dimLook
	}
	return []cell{
		{p.Shown.State, look},
		{age, ""},
		{p.agent(), ""},
		{p.name(), ""},
		{short[p.Session], dimLook},
		{p.questText(), ""},
		{p.Shown.Tool, ""},
		activity,
	}
}

// questText is the pane's quest and what its loop is at.
func (p *shownPane) questText() string {
	text := p.Quest
	if l := p.Loop; l != nil {
		text += " loop " + strconv.Itoa(l.Iterations)
		if l.Phase != "" {
			text += " " + l.Phase
		}
	}
	return strings.TrimSpace(text)
}

// arrange gives the columns their widths and drops those that are empty or for
// which there is no room. The last column gets what is left.
func arrange(cols []*tableColumn, look tableLook) []*tableColumn {
	var kept []*tableColumn
	for _, c := range cols {
		for _, cell := range c.cells {
			w := mostColumns(cell.text)
			if look.width == 0 {
				w = columns(cell.text)
			} else if c.most > 0 {
				w = min(w, c.most)
			}
			c.width = max(c.width, w)
		}
		if c.width > 0 || c.head == "STATE" {
			c.width = max(c.width, len(c.head))
			kept = append(kept, c)
		}
	}
	if look.width == 0 {
		return kept
	}
	last := kept[len(kept)-1]
	for {
		room := look.width - last.start(kept, look)
		missing := min(last.width, leastActivity) - room
		if missing > 0 && dropOne(&kept, lessThanName) {
			continue
		}
		if missing > spare(kept) && dropOne(&kept, 1) {
			continue
		}
		for _, c := range kept {
			if c.least > 0 {
				take := max(0, min(missing, c.width-c.least))
				c.width -= take
				room += take
			}
		}
		last.width = max(0, min(last.width, room))
		return kept
	}
}

// spare is how many columns of the terminal could be taken from names.
func spare(cols []*tableColumn) int {
	sum := 0
	for _, c := range cols {
		if c.least > 0 {
			sum += max(0, c.width-c.least)
		}
	}
	return sum
}

// start is the number of columns before one in the table.
func (c *tableColumn) start(cols []*tableColumn, look tableLook) int {
	at := 0
	if look.color {
		at = 2 // the mark in the session's colour
	}
	for _, before := range cols {
		if before == c {
			break
		}
		at += before.width + gap
	}
	return at
}

// dropOne drops a column that matters no more than drop says.
func dropOne(cols *[]*tableColumn, drop int) bool {
	worst := -1
	for i, c := range *cols {
		if c.drop >= drop && (worst < 0 || c.drop > (*cols)[worst].drop) {
			worst = i
		}
	}
	if worst < 0 {
		return false
	}
	*cols = append((*cols)[:worst:worst], (*cols)[worst+1:]...)
	return true
}

// tableLine prints one row, or the headings for row -1. On a terminal every
// column is moved to, since terminals disagree about the widths of emoji.
func tableLine(cols []*tableColumn, row int, color string, look tableLook) string {
	var b strings.Builder
	at := 0
	if look.color {
		if row >= 0 {
			b.WriteString(colorLook(color) + "▌" + plainLook)
		} else {
			b.WriteString(" ")
		}
		b.WriteString(" ")
		at = 2
	}
	for i, c := range cols {
		cell := cell{c.head, dimLook}
		if row >= 0 {
			cell = c.cells[row]
		}
		if look.width > 0 {
			cell.text = fit(cell.text, min(c.width, max(0, look.width-at)))
		}
		styled := look.color && cell.look != "" && cell.text != ""
		if styled {
			b.WriteString(cell.look)
		}
		b.WriteString(cell.text)
		if styled {
			b.WriteString(plainLook)
		}
		if i == len(cols)-1 {
			break
		}
		at += c.width + gap
		if look.terminal && !isASCII(cell.text) && at < look.width {
			b.WriteString("\x1b[" + strconv.Itoa(at+1) + "G")
		} else {
			b.WriteString(strings.Repeat(" ", max(0, c.width+gap-columns(cell.text))))
		}
	}
	return strings.TrimRight(b.String(), " ")
}
