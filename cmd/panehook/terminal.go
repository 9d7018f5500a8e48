package main

import (
	"io"
	"os"
	"strconv"
)

// terminal is the terminal that w is, nil where it is none.
func terminal(w io.Writer) *os.File {
	f, ok := w.(*os.File)
	if !ok || !isTerminal(f) {
		return nil
	}
	return f
}

const usualWidth = 80

// lookOf is how to print a table on w. Colours are for terminals, unless the
// person wants none: https://no-color.org.
func (p *process) lookOf(w io.Writer) tableLook {
	f := terminal(w)
	if f == nil {
		return tableLook{}
	}
	width, _ := terminalSize(f)
	if width == 0 {
		width, _ = strconv.Atoi(p.env("COLUMNS"))
	}
	if width <= 0 {
		width = usualWidth
	}
	dumb := p.env("TERM") == "dumb"
	return tableLook{width: width, color: p.env("NO_COLOR") == "" && !dumb, terminal: !dumb}
}
