//go:build unix

package main

import (
	"runtime"
	"slices"
	"time"
)

// A lane is one program of a scenario with the payloads it gets.
type lane struct {
	*program
	payload func() []byte
	before  func() error // makes ready for the next run, unmeasured
	every   int          // skips rounds if more than 1: for slow programs
	took    times
}

func newLane(p *program, payload func() []byte) *lane {
	return &lane{program: p, payload: payload}
}

// warmUp is how many rounds are run and not counted.
const warmUp = 2

// measure runs all lanes in turn: A B C A B C.
func (b *bench) measure(rounds int, lanes []*lane) error {
	return b.takeTurns(rounds+warmUp, warmUp, lanes)
}

func (b *bench) takeTurns(rounds, warmUp int, lanes []*lane) error {
	runtime.GC()
	for round := range rounds {
		for _, l := range lanes {
			if l.every > 1 && round%l.every != 0 {
				continue
			}
			if l.before != nil {
				if err := l.before(); err != nil {
					return err
				}
			}
			took, err := b.run(l.program, l.payload())
			if err != nil {
				return err
			}
			if round >= warmUp {
				l.took = append(l.took, took)
			}
		}
	}
	return nil
}

// times are the durations of many runs.
type times []time.Duration

// at is the duration under which the given share of the runs stayed.
func (t times) at(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

func (t times) median() time.Duration { return t.at(0.5) }
