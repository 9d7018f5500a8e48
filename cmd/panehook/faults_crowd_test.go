//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"panehook/state"
)

// atOnce runs do n times, at most width at a time.
func atOnce(n, width int, do func(i int)) {
	var all sync.WaitGroup
	slots := make(chan bool, width)
	for i := range n {
		slots <- true
		all.Go(func() {
			do(i)
			<-slots
		})
	}
	all.Wait()
}

// Half of the hooks of five busy sessions are killed at some moment. Of those
// that ended well no event is lost.
func TestFaultRandomKills(t *testing.T) {
	events := 10_000
	if testing.Short() {
		events = 500
	}
	first := newFaultRoot(t)
	roots := []*faultRoot{first}
	for i := range 4 {
		roots = append(roots, first.in(fmt.Sprintf("qm-fault-%d", i)))
	}
	// How long a hook takes just now, so that the kills fall into that time.
	start := time.Now()
	for range 20 {
		first.works()
	}
	usual := time.Since(start) / 20
	atOnce(events, 12, func(i int) {
		r := roots[i%len(roots)]
		if i%2 == 0 {
			r.works()
			return
		}
		ev := r.event()
		cmd := r.command(ev)
		defer cmd.Stdin.(*os.File).Close()
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Error(err)
			return
		}
		killer := time.AfterFunc(rand.N(3*usual), func() { cmd.Process.Kill() })
		err := cmd.Wait()
		killer.Stop()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.Exited()) || said.Len() > 0 {
			t.Errorf("%s: %v, said %q", ev.name, err, said.String())
		} else if err == nil {
			r.took(ev)
		}
	})
	taken := 0
	for _, r := range roots {
		// Linux ends a write of a killed process between two pages of the file.
		r.torn = events
		taken += len(r.taken)
		r.check(1)
	}
	t.Logf("%d events, %d taken", events, taken)
}

// Sixty-four writers meet at the moment at which the log is full.
func TestFaultRotationUnderManyWriters(t *testing.T) {
	r := newFaultRoot(t)
	r.works()
	r.growLog(state.StateJSONLMaxSize - 2000)
	atOnce(64, 64, func(int) { r.works() })
	r.check(0)
	if rotated := len(r.read("state.jsonl.1")); rotated < state.StateJSONLMaxSize {
		t.Errorf("rotated at %d bytes", rotated)
	}
}
