//go:build unix

package main

import (
	"fmt"
	"strings"
	"time"
)

// A table is printed as Markdown. All but the first column are numbers.
type table struct {
	title string
	heads []string
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print() {
	fmt.Printf("\n**%s**\n\n| %s |\n|---|%s\n", t.title, strings.Join(t.heads, " | "), strings.Repeat("---:|", len(t.heads)-1))
	for _, row := range t.rows {
		fmt.Printf("| %s |\n", strings.Join(row, " | "))
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func ratio(a, b time.Duration) string {
	if a <= 0 || b <= 0 {
		return "-" // a difference that is lost in the noise
	}
	return fmt.Sprintf("%.2f ×", float64(a)/float64(b))
}

// compare prints the lanes beside the empty Go program, which is among them.
func compare(title string, lanes []*lane, empty *lane) {
	t := table{title: title, heads: []string{"", "of empty Go", "at p95", "at p99", "median", "p95", "p99"}}
	for _, l := range lanes {
		t.add(l.name,
			ratio(l.took.median(), empty.took.median()), ratio(l.took.at(.95), empty.took.at(.95)), ratio(l.took.at(.99), empty.took.at(.99)),
			ms(l.took.median()), ms(l.took.at(.95)), ms(l.took.at(.99)))
	}
	t.print()
}
