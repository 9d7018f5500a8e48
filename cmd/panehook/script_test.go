package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"panehook/state"
)

var update = flag.Bool("update", false, "rewrite the wanted outputs of the scripts")

func init() { flag.BoolVar(update, "u", false, "short for -update") }

// clockVar freezes the clock of a panehook that a script runs.
const clockVar = "PANEHOOK_TEST_CLOCK"

// scriptStart is the time at which scripts begin.
var scriptStart = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"panehook": func() {
			if at, err := time.Parse(time.RFC3339Nano, os.Getenv(clockVar)); err == nil {
				now = func() time.Time { return at }
				agentProcess = func() (int, int64) { return 0, 0 }
			}
			main()
		},
	})
}

// raceOptions spare a second for each of the thousand processes that scripts
// start, when the tests run with the race detector.
const raceOptions = "GORACE=atexit_sleep_ms=10"

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, raceOptions)
			env.Setenv("QUESTMASTER_STATE_ROOT", filepath.Join(env.WorkDir, "root"))
			env.Setenv("QUESTMASTER_SESSION", "qm-t")
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv(clockVar, scriptStart.Format(time.RFC3339Nano))
			return os.Mkdir(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": scriptExits,
			"play":  scriptPlay,
			"log":   scriptLog,
			"pane":  scriptPane,
			"clock": scriptClock,
		},
	})
}

// scriptExits runs a command and insists on its exact exit status: "! exec"
// takes any failure for the right one.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// scriptClock sets the frozen clock to so many seconds after the start.
func scriptClock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: clock SECONDS")
	}
	seconds, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	ts.Setenv(clockVar, clockAt(seconds))
}

func clockAt(seconds float64) string {
	return scriptStart.Add(time.Duration(seconds * float64(time.Second))).Format(time.RFC3339Nano)
}

// scriptPlay runs panehook hook for every call of a recording, at the
// recording's time, and insists that it exits with 0 and says nothing. Lines
// may name another agent than the first line does.
func scriptPlay(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: play RECORDING")
	}
	agent := ""
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var e entry
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			ts.Fatalf("%s: %v: %s", args[0], err, line)
		}
		if e.Agent != "" {
			agent = e.Agent
		}
		if e.Event == "" {
			continue
		}
		cmd := exec.Command("panehook", "hook", agent, e.Event)
		cmd.Path = filepath.Join(binDir(ts), "panehook")
		cmd.Dir = ts.Getenv("WORK")
		cmd.Env = []string{
			raceOptions,
			"QUESTMASTER_STATE_ROOT=" + ts.Getenv("QUESTMASTER_STATE_ROOT"),
			"QUESTMASTER_SESSION=" + ts.Getenv("QUESTMASTER_SESSION"),
			"HOME=" + ts.Getenv("HOME"),
			clockVar + "=" + clockAt(*e.T),
		}
		cmd.Stdin = bytes.NewReader(e.Payload)
		out, err := cmd.CombinedOutput()
		if err != nil || len(out) > 0 {
			ts.Fatalf("%s at %v: %v, said %q", e.Event, *e.T, err, out)
		}
	}
}

// binDir is where testscript has put the commands of this test binary.
func binDir(ts *testscript.TestScript) string {
	path, _, _ := strings.Cut(ts.Getenv("PATH"), string(filepath.ListSeparator))
	return path
}

// scriptLog prints the event log of the script's session: time, action, rule,
// what the pane shows, and whose event it was unless it was the owner's own.
func scriptLog(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: log [SESSION]")
	}
	f, err := os.Open(state.SessionStateLogPath(ts.Getenv("QUESTMASTER_STATE_ROOT"), scriptSession(ts, args)))
	ts.Check(err)
	defer f.Close()
	out := bufio.NewScanner(f)
	for out.Scan() {
		var ev state.StateEvent
		ts.Check(json.Unmarshal(out.Bytes(), &ev))
		claim := ""
		if c, ok := ev.Fields["claim"].(string); ok {
			claim = " <" + c + ">"
		}
		tool := ""
		if ev.Tool != "" {
			tool = " [" + ev.Tool + "]"
		}
		fmt.Fprintf(ts.Stdout(), "%7.3f %-20s %-24v %-8s%s %s%s\n",
			ev.Ts.Sub(scriptStart).Seconds(), cmp.Or(ev.Kind, "-"), ev.Fields["rule"], ev.State, tool, ev.Activity, claim)
	}
	ts.Check(out.Err())
}

// scriptPane prints the state file of the script's session, indented.
func scriptPane(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: pane [SESSION]")
	}
	data := ts.ReadFile(state.SessionStatePath(ts.Getenv("QUESTMASTER_STATE_ROOT"), scriptSession(ts, args)))
	var b bytes.Buffer
	ts.Check(json.Indent(&b, []byte(data), "", "  "))
	fmt.Fprint(ts.Stdout(), b.String())
}

func scriptSession(ts *testscript.TestScript, args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ts.Getenv("QUESTMASTER_SESSION")
}
