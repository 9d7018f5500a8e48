// Command demo plays recorded sessions of real agents through real hook calls
// and prints what the pane's state file says after each.
//
//	demo PANEHOOK RECORDING...
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: demo PANEHOOK RECORDING...")
		os.Exit(1)
	}
	for _, recording := range os.Args[2:] {
		if err := play(os.Args[1], recording); err != nil {
			fmt.Fprintln(os.Stderr, "demo: error:", err)
			os.Exit(1)
		}
	}
}

// line is what the demo shows of any line of a recording. The format is that of
// cmd/panehook/recording.go.
type line struct {
	Agent    string          `json:"agent"`
	Version  string          `json:"version"`
	T        float64         `json:"t"`
	Event    string          `json:"event"`
	Payload  json.RawMessage `json:"payload"`
	Note     string          `json:"note"`
	Scenario string          `json:"scenario"`
}

type stateFile struct {
	Panes map[string]struct {
		State    string `json:"state"`
		Tool     string `json:"tool"`
		Activity string `json:"activity"`
	} `json:"panes"`
}

const session = "qm-demo"

func play(panehook, recording string) error {
	f, err := os.Open(recording)
	if err != nil {
		return err
	}
	defer f.Close()
	root, err := os.MkdirTemp("", "panehook-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)

	var head line
	var spent time.Duration
	calls := 0
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return fmt.Errorf("%s: %w", recording, err)
		}
		switch {
		case l.Agent != "":
			head = l
			fmt.Printf("\n%s %s, recorded session %q\n", l.Agent, l.Version, l.Scenario)
			fmt.Printf("%9s  %-22s %-9s %-14s %s\n", "time", "event", "state", "tool", "activity")
		case l.Event == "":
			fmt.Printf("%8.2fs  %-22s\n", l.T, "("+l.Note+")")
		default:
			took, err := call(panehook, root, head.Agent, l)
			if err != nil {
				return fmt.Errorf("%s at %.3f: %w", l.Event, l.T, err)
			}
			spent += took
			calls++
			pane, err := read(root)
			if err != nil {
				return err
			}
			p := pane.Panes["primary"]
			fmt.Printf("%8.2fs  %-22s %-9s %-14s %s\n", l.T, l.Event, p.State, p.Tool, p.Activity)
		}
	}
	if calls > 0 {
		fmt.Printf("%d hook calls, %.1f ms each\n", calls, float64(spent.Microseconds())/1000/float64(calls))
	}
	return in.Err()
}

// call runs one hook as the agent does. It must exit with 0 and say nothing.
func call(panehook, root, agent string, l line) (time.Duration, error) {
	cmd := exec.Command(panehook, "hook", agent, l.Event)
	cmd.Stdin = bytes.NewReader(l.Payload)
	cmd.Env = []string{"QUESTMASTER_STATE_ROOT=" + root, "QUESTMASTER_SESSION=" + session, "HOME=" + root}
	start := time.Now()
	said, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err == nil && len(said) > 0 {
		err = fmt.Errorf("the hook said %q", said)
	}
	return took, err
}

func read(root string) (stateFile, error) {
	var s stateFile
	data, err := os.ReadFile(filepath.Join(root, session, "state.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(data, &s)
}
