//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"panehook/state"
)

// The tests of the files faults_*_test.go run the real program and break what
// is around it; docs/faults.md is the list. Whatever is broken, afterwards
// faultRoot.check must hold.

// realPanehook is the program as it is shipped. The test binary, which scripts
// run in its place, makes other system calls.
var realPanehook = sync.OnceValues(func() (string, error) {
	// testscript removes the folder of its commands when the tests are over.
	command, err := exec.LookPath("panehook")
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(command), "panehook-real")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// faultRoot is a state root whose hooks are made to fail.
type faultRoot struct {
	t       *testing.T
	program string
	root    string
	session string
	extra   []string // environment

	mu    sync.Mutex
	next  int
	taken []string // the events whose hooks reported no problem, oldest first
}

func newFaultRoot(t *testing.T) *faultRoot {
	t.Helper()
	program, err := realPanehook()
	if err != nil {
		t.Fatal(err)
	}
	return &faultRoot{t: t, program: program, root: filepath.Join(t.TempDir(), "root"), session: "qm-fault"}
}

// in is another session of the same root.
func (r *faultRoot) in(session string) *faultRoot {
	return &faultRoot{t: r.t, program: r.program, root: r.root, session: session, extra: r.extra}
}

func (r *faultRoot) path(name string) string { return filepath.Join(r.root, r.session, name) }

// A faultEvent is a tool call that starts or ends; each changes the state.
// Its name is what finds it in the log again.
type faultEvent struct {
	name    string
	payload []byte
}

func (r *faultRoot) event() faultEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	kind := "PreToolUse"
	if r.next%2 == 0 {
		kind = "PostToolUse"
	}
	call := fmt.Sprintf("call-%d", (r.next+1)/2)
	payload, err := json.Marshal(map[string]any{
		"session_id":      "8df5420d-cf59-4a48-b3f8-cf90b27711b9",
		"cwd":             "/home/user/project",
		"hook_event_name": kind,
		"tool_name":       "Read",
		"tool_input":      map[string]any{"file_path": "/home/user/project/a.txt"},
		"tool_use_id":     call,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return faultEvent{kind + " " + call, payload}
}

// command is a hook that gets the event. A wrapper such as sh -c '… exec "$@"'
// may run it.
func (r *faultRoot) command(ev faultEvent, wrapper ...string) *exec.Cmd {
	args := append(slices.Clone(wrapper), r.program, "hook", "claude")
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.root,
		"QUESTMASTER_STATE_ROOT=" + r.root, "QUESTMASTER_SESSION=" + r.session,
	}, r.extra...)
	cmd.Stdin = bytes.NewReader(ev.payload)
	return cmd
}

// hook runs a hook and returns what it said. It must exit with 0 and print
// nothing on stdout; if it says nothing at all the event counts as taken.
func (r *faultRoot) hook(wrapper ...string) (said string) {
	r.t.Helper()
	ev := r.event()
	var stdout, stderr strings.Builder
	cmd := r.command(ev, wrapper...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		r.t.Errorf("%s: %v, said %.200q", ev.name, err, stderr.String())
	}
	if stdout.Len() > 0 {
		r.t.Errorf("%s: printed %q", ev.name, stdout.String())
	}
	said = stderr.String()
	if strings.Count(said, "\n") > 1 || said != "" && !strings.HasPrefix(said, "panehook: error: ") {
		r.t.Errorf("%s: said %.200q", ev.name, said)
	}
	if said == "" {
		r.took(ev)
	}
	return said
}

// works runs a hook that has no reason to fail.
func (r *faultRoot) works() {
	r.t.Helper()
	if said := r.hook(); said != "" {
		r.t.Errorf("hook said %q", said)
	}
}

func (r *faultRoot) took(ev faultEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken = append(r.taken, ev.name)
}

// check is what must hold after every fault: at most so many temporary files
// are left; the next hook works; every event that was taken is in the log, once;
// state.json is valid and as new as the log.
func (r *faultRoot) check(maxTemporary int) {
	r.t.Helper()
	if temporary := r.temporary(); len(temporary) > maxTemporary {
		r.t.Errorf("temporary files: %q", temporary)
	}
	r.works()
	if temporary := r.temporary(); len(temporary) > 0 {
		r.t.Errorf("temporary files after the next hook: %q", temporary)
	}
	if _, err := os.Lstat(r.path("waiting")); !errors.Is(err, fs.ErrNotExist) {
		r.t.Errorf("events still wait: %v", err)
	}
	logged, newest := r.logged()
	counts := make(map[string]int)
	for _, name := range logged {
		if counts[name]++; counts[name] > 1 {
			r.t.Errorf("%s was logged twice", name)
		}
	}
	for _, name := range r.taken {
		if counts[name] == 0 {
			r.t.Errorf("%s was taken and is not in the log", name)
		}
	}
	ss, err := state.LoadSessionStateAt(r.root, r.session)
	if err != nil || ss == nil {
		r.t.Fatalf("state.json: %v %v", ss, err)
	}
	if seq := ss.Panes[role].Seq; seq != newest {
		r.t.Errorf("state.json is at %d, the log at %d", seq, newest)
	}
}

// checkOrder is for events that were taken one after the other.
func (r *faultRoot) checkOrder() {
	r.t.Helper()
	all, _ := r.logged()
	logged := slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(r.taken, name) })
	if !slices.Equal(logged, r.taken) {
		r.t.Errorf("logged %q\ntaken  %q", logged, r.taken)
	}
}

// logged returns the names of the events in the log, and the highest number.
// A line that is no JSON is passed over, as readers do.
func (r *faultRoot) logged() (names []string, newest int64) {
	r.t.Helper()
	for _, name := range []string{"state.jsonl.1", "state.jsonl"} {
		data, err := os.ReadFile(r.path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var ev struct {
				Kind   string
				Fields struct {
					Call string
					Seq  int64
				}
			}
			if json.Unmarshal(line, &ev) != nil || ev.Kind == "" {
				continue
			}
			names = append(names, ev.Kind+" "+ev.Fields.Call)
			newest = max(newest, ev.Fields.Seq)
		}
	}
	return names, newest
}

// temporary lists what is in the session's folder and is not ours to stay.
func (r *faultRoot) temporary() (found []string) {
	r.t.Helper()
	err := filepath.WalkDir(r.path(""), func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || d.IsDir():
			return err
		case filepath.Base(filepath.Dir(path)) == "waiting" && strings.HasSuffix(name, ".json"):
		case strings.Contains(name, ".corrupt-"):
		case name == "state.json", name == "state.json.lock", name == "state.jsonl", name == "state.jsonl.1":
		default:
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}
