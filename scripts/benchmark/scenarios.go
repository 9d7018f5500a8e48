//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

func (b *bench) empties() (lanes []*lane, emptyGo *lane) {
	emptyGo = newLane(b.plain("empty Go program", "empty-go"), always(smallCall("PreToolUse")))
	emptyC := b.plain("empty C program", "empty-c")
	if _, err := os.Stat(emptyC.argv[0]); err == nil {
		lanes = append(lanes, newLane(emptyC, emptyGo.payload))
	}
	return append(lanes, emptyGo), emptyGo
}

// small is the hook of every tool call, beside hooks of other kinds.
func (b *bench) small() error {
	lanes, empty := b.empties()
	if len(lanes) == 1 {
		note("No empty C program: there is no gcc.")
	}
	changed := newLane(b.panehook("panehook, state changes"), alternating())
	same := newLane(b.panehook("panehook, state stays"), always(smallCall("PreToolUse")))
	lanes = append(lanes, changed, same)
	for _, other := range []struct{ name, needs, program, file string }{
		{"shell and jq", "jq", "sh", "hook.sh"},
		{"Node", "node", "node", "hook.mjs"},
	} {
		path, err := exec.LookPath(other.program)
		if _, missing := exec.LookPath(other.needs); missing != nil || err != nil {
			note("No hook of %s: there is no %s.", other.name, other.needs)
			continue
		}
		p := &program{name: other.name, argv: []string{path, filepath.Join(b.hooks, other.file)}, root: b.newRoot(), session: "qm-bench"}
		lane := newLane(p, alternating())
		lane.every = 4
		lanes = append(lanes, lane)
	}
	rounds := b.rounds(500, 20)
	if err := b.measure(rounds, lanes); err != nil {
		return err
	}
	for _, l := range []*lane{changed, same} {
		if err := allLogged(l.program, rounds+warmUp, l == changed); err != nil {
			return err
		}
	}
	compare("One hook, small payload, warm", lanes, empty)
	return nil
}

// sizes compares what payloads cost on top of a small one with what reading
// them costs.
func (b *bench) sizes() error {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"64 KB", 64 << 10}, {"2 MB", 2 << 20}, {"16 MB", 16 << 20}} {
		_, empty := b.empties()
		drained := newLane(b.plain("reading it only", "drain"), always(largeCall("PreToolUse", size.bytes)))
		drainedSmall := newLane(b.plain("reading a small one", "drain"), always(smallCall("PreToolUse")))
		small := newLane(b.panehook("panehook, small payload"), always(smallCall("PreToolUse")))
		large := newLane(b.panehook("panehook, "+size.name), drained.payload)
		lanes := []*lane{empty, drainedSmall, drained, small, large}
		if err := b.measure(max(4, b.rounds(200, 16)*(64<<10)/max(size.bytes/8, 64<<10)), lanes); err != nil {
			return err
		}
		t := table{
			title: "A payload of " + size.name,
			heads: []string{"", "growth of reading's", "on top of a small one", "median", "p95", "p99"},
		}
		read, took := drained.took.median()-drainedSmall.took.median(), large.took.median()-small.took.median()
		t.add(drained.name, "1.00 ×", ms(read), ms(drained.took.median()), ms(drained.took.at(.95)), ms(drained.took.at(.99)))
		t.add("panehook", ratio(took, read), ms(took), ms(large.took.median()), ms(large.took.at(.95)), ms(large.took.at(.99)))
		t.print()
	}
	return nil
}

// logs has a log that is far from, just before, at and just after rotation.
func (b *bench) logs() error {
	const limit = 1 << 20
	lanes, empty := b.empties()
	lanes = lanes[len(lanes)-1:]
	for _, l := range []struct {
		name    string
		current int
		rolled  bool
	}{{"an empty log", 0, false}, {"half full", limit / 2, false}, {"just before rotation", limit - 8<<10, false},
		{"rotating", limit + 1, true}, {"just after rotation", 0, true}} {
		lane := newLane(b.panehook("panehook, "+l.name), alternating())
		if _, err := b.run(lane.program, smallCall("PreToolUse")); err != nil {
			return err
		}
		lane.before = func() error { return fillLog(lane.program, l.current, l.rolled) }
		lanes = append(lanes, lane)
	}
	if err := b.measure(b.rounds(200, 10), lanes); err != nil {
		return err
	}
	compare("The length of the log", lanes, empty)
	return nil
}

// sessions has other sessions in the same root.
func (b *bench) sessions() error {
	lanes, empty := b.empties()
	lanes = lanes[len(lanes)-1:]
	for _, n := range []int{1, 200, 5000} {
		lane := newLane(b.panehook(fmt.Sprintf("panehook, %d sessions", n)), alternating())
		if err := otherSessions(lane.root, n-1); err != nil {
			return err
		}
		lanes = append(lanes, lane)
	}
	if err := b.measure(b.rounds(300, 20), lanes); err != nil {
		return err
	}
	compare("Sessions in the root", lanes, empty)
	return nil
}

// cold drops the page cache before each run: the first hook of a day.
func (b *bench) cold() error {
	drop := func() error {
		if out, err := exec.Command("sync").CombinedOutput(); err != nil {
			return fmt.Errorf("sync: %s", out)
		}
		return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0)
	}
	if err := drop(); err != nil {
		note("Not measured cold: the page cache can't be dropped here.")
		return nil
	}
	lanes, empty := b.empties()
	lanes = append(lanes, newLane(b.panehook("panehook, cold"), alternating()))
	// Our own pages are gone as well, so another program goes first.
	first := b.plain("", "drain")
	for _, l := range lanes {
		l.before = func() error {
			if err := drop(); err != nil {
				return err
			}
			_, err := b.run(first, nil)
			return err
		}
	}
	if err := b.takeTurns(b.rounds(15, 1), 0, lanes); err != nil {
		return err
	}
	compare("The first run after the page cache was dropped", lanes, empty)
	return nil
}

// otherSessions makes sessions as they look after a while.
func otherSessions(root string, n int) error {
	for i := range n {
		dir := filepath.Join(root, "qm-other-"+strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "state.json"), nil, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// burst starts a program n times at one moment, in one session or in n, and
// returns how long each took.
func (b *bench) burst(n int, p func(i int) *program, payload []byte) (times, error) {
	type result struct {
		took time.Duration
		err  error
	}
	results := make(chan result, n)
	start := make(chan struct{})
	for i := range n {
		go func() {
			<-start
			took, err := b.run(p(i), payload)
			results <- result{took, err}
		}()
	}
	close(start)
	var took times
	for range n {
		r := <-results
		if r.err != nil {
			return nil, r.err
		}
		took = append(took, r.took)
	}
	return took, nil
}

// atOnce has hooks side by side. Their payloads are small.
func (b *bench) atOnce() error {
	_, empty := b.empties()
	rounds := b.rounds(20, 2)
	t := table{
		title: fmt.Sprintf("Hooks that start at one moment, %d times", rounds),
		heads: []string{"", "of as many empty Go programs", "at p99", "lost", "median", "p95", "p99"},
	}
	for _, n := range []int{1, 8, 64} {
		one, many := b.panehook(""), b.panehook("")
		inOne := func(int) *program { return one }
		ofMany := func(i int) *program {
			p := *many
			p.session += "-" + strconv.Itoa(i)
			return &p
		}
		var emptyTook, oneTook, manyTook times
		for range rounds {
			for _, side := range []struct {
				took *times
				p    func(int) *program
			}{{&emptyTook, func(int) *program { return empty.program }}, {&oneTook, inOne}, {&manyTook, ofMany}} {
				took, err := b.burst(n, side.p, smallCall("PreToolUse"))
				if err != nil {
					return err
				}
				*side.took = append(*side.took, took...)
			}
		}
		lostOne, err := b.lost(one, rounds*n)
		if err != nil {
			return err
		}
		lostMany := 0
		for i := range n {
			lost, err := b.lost(ofMany(i), rounds)
			if err != nil {
				return err
			}
			lostMany += lost
		}
		for _, row := range []struct {
			name string
			took times
			lost int
		}{{fmt.Sprintf("%d in one session", n), oneTook, lostOne}, {fmt.Sprintf("%d in as many sessions", n), manyTook, lostMany}} {
			t.add(row.name, ratio(row.took.median(), emptyTook.median()), ratio(row.took.at(.99), emptyTook.at(.99)), strconv.Itoa(row.lost),
				ms(row.took.median()), ms(row.took.at(.95)), ms(row.took.at(.99)))
		}
	}
	t.print()
	return nil
}
