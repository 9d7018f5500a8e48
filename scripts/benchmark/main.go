//go:build unix

// Command benchmark measures whole hooks as an agent runs them: a process is
// started with the payload in a pipe, and the clock runs until it is reaped.
// Programs that are compared take turns, so that a machine which is busy for a
// while is busy for all of them. scripts/bench builds what it needs.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"
)

// bench is one run of the benchmark.
type bench struct {
	programs string // the folder with the programs that were built
	hooks    string // the folder with hooks of other kinds
	work     string // a folder for state roots
	quick    bool
	stderr   *os.File // of all programs, which must stay empty
}

func main() {
	b := &bench{}
	machine := flag.String("machine", "", "what it runs on, for the heading")
	flag.BoolVar(&b.quick, "quick", false, "few rounds: under 30 s")
	flag.StringVar(&b.programs, "programs", "", "the folder with the programs")
	flag.StringVar(&b.hooks, "hooks", "", "the folder with hooks of other kinds")
	flag.Parse()
	fmt.Printf("Measured on %s: %s, %s.\n", time.Now().Format(time.DateOnly), *machine, runtime.Version())
	if err := b.all(); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark: error:", err)
		os.Exit(1)
	}
}

func (b *bench) all() (err error) {
	if b.work, err = os.MkdirTemp(b.programs, "roots-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.stderr, err = os.Create(filepath.Join(b.work, "stderr")); err != nil {
		return err
	}
	debug.SetGCPercent(-1) // not while a program runs: see measure
	for _, scenario := range []func() error{
		b.small, b.sizes, b.atOnce, b.logs, b.sessions, b.cold, b.footprint,
	} {
		if err := scenario(); err != nil {
			return err
		}
	}
	said, err := os.ReadFile(b.stderr.Name())
	if err == nil && len(said) > 0 {
		err = fmt.Errorf("the programs said: %.500s", said)
	}
	return err
}

// rounds is how often each program runs.
func (b *bench) rounds(full, quick int) int {
	if b.quick {
		return quick
	}
	return full
}

// note prints a remark, such as why something was not measured.
func note(format string, args ...any) { fmt.Printf("\n"+format+"\n", args...) }
