package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"panehook/state"
	"panehook/transitions"
)

const replayUsage = `usage: panehook replay [--check] [--json] FILE...

Plays recordings, or the state.jsonl of a session, through the state machine
in memory and prints what a reader would have seen, line by line.

  --check  exit 1 when the state after an event differs from the recorded truth
  --json   one JSON object a line: t, event, rule, state, activity, tool, truth,
           and the rule by which a reader corrected what the hooks left
`

// runReplay is `panehook replay FILE...`.
func runReplay(p *process, args []string) int {
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	check := fs.Bool("check", false, "")
	asJSON := fs.Bool("json", false, "")
	files, err := p.parseFlags(fs, args, replayUsage)
	if err == nil && len(files) == 0 {
		err = errors.New("replay needs a file; see panehook replay --help")
	}
	if err != nil {
		return p.fail(err)
	}
	status := 0
	for i, name := range files {
		steps, torn, err := replayFile(name)
		if err != nil {
			status = p.fail(err)
			continue
		}
		if len(torn) > 0 {
			fmt.Fprintf(p.stderr, "panehook: %s: %s\n", oneLine(name), tornText(torn))
		}
		switch {
		case *asJSON:
			for _, s := range steps {
				status = max(status, p.printJSON(s))
			}
		default:
			if len(files) > 1 {
				if i > 0 {
					fmt.Fprintln(p.stdout)
				}
				fmt.Fprintln(p.stdout, oneLine(name))
			}
			printTimeline(p.stdout, steps)
		}
		if *check && slices.ContainsFunc(steps, step.wrong) {
			status = 1
		}
	}
	return status
}

// step is one line of a played file: what happened, and what a reader shows
// from then on.
type step struct {
	T        float64 `json:"t"`
	Event    string  `json:"event,omitempty"`
	Rule     string  `json:"rule"`
	State    string  `json:"state"`
	Activity string  `json:"activity"`
	Tool     string  `json:"tool"`
	Truth    string  `json:"truth"`

	// Correction is the rule by which the reader differs from what is stored.
	Correction string `json:"correction,omitempty"`

	note string
}

// entry is one line of a file that can be played: a line of a recording, or of
// a session's log.
type entry struct {
	recordingHead
	recordedLine

	// Of a session's log.
	Ts     time.Time `json:"ts"`
	Action string    `json:"action"`
}

// replayZero stands for the start of a recording. It is only ever seen as a
// distance.
var replayZero = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// player plays one file.
type player struct {
	agent  *agent
	pane   state.PaneState
	seen   transitions.Evidence
	first  time.Time // of a log
	truth  string
	steps  []step
	number int // of the line
}

const notALine = "not a line of a recording or of a session's log"

// errTorn is a line that is not JSON: one that a kill or a power cut tore,
// unless no line of the file can be played.
var errTorn = errors.New(notALine)

// replayFile also returns the numbers of the lines that are torn.
func replayFile(name string) (steps []step, torn []int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	pl := &player{pane: state.PaneState{Role: role}}
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		pl.number++
		if text := bytes.TrimSpace(line); len(text) > 0 {
			err := pl.play(text)
			if errors.Is(err, errTorn) {
				torn = append(torn, pl.number)
			} else if err != nil {
				return nil, nil, fmt.Errorf("%s:%d: %w", name, pl.number, err)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
	}
	switch {
	case len(pl.steps) > 0:
		return pl.steps, torn, nil
	case len(torn) > 0:
		return nil, nil, fmt.Errorf("%s:%d: %w", name, torn[0], errTorn)
	}
	return nil, nil, fmt.Errorf("%s: holds no recorded event", name)
}

func tornText(lines []int) string {
	const most = 10
	var numbers []string
	for _, n := range lines[:min(len(lines), most)] {
		numbers = append(numbers, strconv.Itoa(n))
	}
	if len(lines) > most {
		numbers = append(numbers, "…")
	}
	text := "1 line is not whole and was passed over: "
	if len(lines) > 1 {
		text = fmt.Sprintf("%d lines are not whole and were passed over: ", len(lines))
	}
	return text + strings.Join(numbers, ", ")
}

func (pl *player) play(text []byte) error {
	var e entry
	if err := json.Unmarshal(text, &e); err != nil {
		return errTorn
	}
	switch {
	case e.Action != "" && !e.Ts.IsZero():
		return pl.playLog(text, e)
	case e.T != nil:
		return pl.playRecorded(e)
	case e.Agent != "":
		if pl.agent = agentNamed(e.Agent); pl.agent == nil {
			return unknownAgent(e.Agent)
		}
		return nil
	}
	return errors.New(notALine)
}

func (pl *player) playRecorded(e entry) error {
	pl.truth = cmp.Or(e.Truth, pl.truth)
	at := replayZero.Add(time.Duration(*e.T * float64(time.Second)))
	if e.Status != nil {
		pl.seen.Status = pl.recordedStatus(e.Status, at)
	}
	rule := ""
	if e.Event != "" {
		if pl.agent == nil {
			return errors.New("no line before it names an agent")
		}
		payload := e.Payload
		if string(payload) == "null" {
			payload = nil
		}
		rule = pl.apply(pl.agent.Translate(e.Event, payload, true).Event, at)
	}
	pl.note(step{T: *e.T, Event: e.Event, Rule: rule, note: e.Note}, at)
	return nil
}

// recordedStatus is what a recorded line of the agent's own status file amounts
// to. The file was removed where the line has null. It names no session and no
// time: it is of the recorded one.
func (pl *player) recordedStatus(line []byte, at time.Time) transitions.Sighting {
	if pl.agent == nil || pl.agent.Status == nil {
		return transitions.Sighting{}
	}
	s := pl.agent.Status(line, state.Owner{})
	s.At = at
	return s
}

func (pl *player) playLog(text []byte, e entry) error {
	var line state.StateEvent
	if err := json.Unmarshal(text, &line); err != nil {
		return errTorn
	}
	if pl.first.IsZero() {
		pl.first = line.Ts
	}
	rule := pl.apply(transitions.Recall(line), line.Ts)
	pl.note(step{T: line.Ts.Sub(pl.first).Seconds(), Event: line.Kind, Rule: rule}, line.Ts)
	return nil
}

func (pl *player) apply(ev transitions.Event, at time.Time) string {
	after, d := transitions.Next(pl.pane, ev, at)
	if d.Changed {
		pl.pane = after
	}
	return d.Rule
}

// note adds a step with what a reader shows at that time: the stored pane, and
// what the evidence says against it.
func (pl *player) note(s step, at time.Time) {
	shown, correction := transitions.Correct(pl.pane, pl.seen, at)
	s.Correction = correction
	s.State, s.Activity, s.Tool, s.Truth = shown.State, shown.Activity, shown.Tool, pl.truth
	pl.steps = append(pl.steps, s)
}

// wrong tells whether a hook call left a state that is not the recorded truth.
// Starting, idle and done are one in this: whether somebody has looked yet is
// not in a recording.
func (s step) wrong() bool {
	return s.Event != "" && s.Rule != "noted" && s.Truth != "" && s.State != "" && !agrees(s.State, s.Truth)
}

func agrees(shown, truth string) bool {
	switch truth {
	case "done (error)":
		return class(shown) == "ready" || shown == transitions.Blocked
	case "working (background)":
		return class(shown) == "ready" || shown == transitions.Working
	case "working (suspended)":
		return shown == transitions.Working || shown == transitions.Blocked
	}
	return class(shown) == class(truth)
}

func class(name string) string {
	switch name {
	case transitions.Starting, transitions.Idle, transitions.Done:
		return "ready"
	}
	return name
}

// printTimeline prints a table for people. A truth is only shown where it is
// not what the pane says.
func printTimeline(w io.Writer, steps []step) {
	fmt.Fprintf(w, "%9s  %-22s %-26s %-9s %s\n", "time", "event", "rule", "state", "activity")
	for _, s := range steps {
		event := s.Event
		if event == "" {
			event = "(" + cmp.Or(firstWord(s.note), "-") + ")"
		}
		activity := s.Activity
		if s.Truth != "" && s.State != "" && !agrees(s.State, s.Truth) {
			activity += "   [true: " + s.Truth + "]"
		}
		fmt.Fprintf(w, "%8.3fs  %-22s %-26s %-9s %s\n", s.T, printable(event), cmp.Or(s.Correction, s.Rule), cmp.Or(s.State, "-"), oneLine(activity))
	}
}
