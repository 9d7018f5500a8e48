//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
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

	torn  int  // lines that the fault itself cut
	lossy bool // the fault itself destroyed what the state was made of

	waiting, waitingName string // an event that was put aside: see letWait
}

func newFaultRoot(t *testing.T) *faultRoot {
	t.Helper()
	if raceDetector {
		t.Skip("the program that is broken here is built without the race detector, so it is the same as without -race")
	}
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

// A faultEvent is one hook call. Its name finds it in the log again.
type faultEvent struct {
	name    string
	payload []byte
}

// event is a tool call that starts or, in turn, ends.
func (r *faultRoot) event() faultEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	kind := "PreToolUse"
	if r.next%2 == 0 {
		kind = "PostToolUse"
	}
	return r.newEvent(kind, map[string]any{
		"tool_name":   "Read",
		"tool_input":  map[string]any{"file_path": "/home/user/project/a.txt"},
		"tool_use_id": fmt.Sprintf("call-%d", (r.next+1)/2),
	})
}

// prompt is an event that surely changes the state.
func (r *faultRoot) prompt() faultEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	turn := fmt.Sprintf("turn-%d", r.next)
	return r.newEvent("UserPromptSubmit", map[string]any{"prompt_id": turn, "prompt": "go on with " + turn})
}

func (r *faultRoot) newEvent(kind string, members map[string]any) faultEvent {
	members["session_id"] = "8df5420d-cf59-4a48-b3f8-cf90b27711b9"
	members["cwd"] = "/home/user/project"
	members["hook_event_name"] = kind
	payload, err := json.Marshal(members)
	if err != nil {
		r.t.Fatal(err)
	}
	id, _ := members["tool_use_id"].(string)
	if id == "" {
		id, _ = members["prompt_id"].(string)
	}
	return faultEvent{kind + " " + id, payload}
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
	cmd.Stdin = r.pipeWith(ev.payload)
	return cmd
}

// pipeWith is a pipe with a small payload, written before anybody reads it: on a
// busy machine a writer may come too late.
func (r *faultRoot) pipeWith(payload []byte) *os.File {
	stdin, w, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := w.Write(payload); err != nil {
		r.t.Error(err)
	}
	w.Close()
	return stdin
}

// hook runs a hook and returns what it said. It must exit with 0 and print
// nothing on stdout; if it says nothing at all the event counts as taken.
func (r *faultRoot) hook(wrapper ...string) (said string) {
	r.t.Helper()
	return r.send(r.event(), wrapper...)
}

func (r *faultRoot) send(ev faultEvent, wrapper ...string) (said string) {
	r.t.Helper()
	var stdout, stderr strings.Builder
	cmd := r.command(ev, wrapper...)
	defer cmd.Stdin.(*os.File).Close()
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
// are left; the next hook works; every event that was taken is in the log, once,
// and no line of it is half; state.json is valid and what the log amounts to.
func (r *faultRoot) check(maxTemporary int) {
	r.t.Helper()
	if temporary := r.temporary(); len(temporary) > maxTemporary {
		r.t.Errorf("temporary files: %q", temporary)
	}
	if said := r.send(r.prompt()); said != "" {
		r.t.Errorf("the next hook said %q", said)
	}
	if temporary := r.temporary(); len(temporary) > 0 {
		r.t.Errorf("temporary files after the next hook: %q", temporary)
	}
	if _, err := os.Lstat(r.path("waiting")); !errors.Is(err, fs.ErrNotExist) {
		r.t.Errorf("events still wait: %v", err)
	}
	logged, player := r.logged()
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
	if stored, want := told(ss.Panes[role]), told(player.pane); !r.lossy && stored != want {
		r.t.Errorf("state.json has\n%s\nand the log amounts to\n%s", stored, want)
	}
}

// told is what the log tells of a pane: not where the agent runs, its latest
// messages, nor what other programs added.
func told(p state.PaneState) string {
	p.Recent, p.Extra, p.Memory.Extra = nil, nil, nil
	p.Memory.Owner = state.Owner{Session: p.Memory.Owner.Session}
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return string(text)
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

// logged returns the names of the events in the log, and a player that has
// played them. A line that is no JSON is passed over, as readers do.
func (r *faultRoot) logged() (names []string, played *player) {
	r.t.Helper()
	played = &player{pane: state.PaneState{Role: role}}
	torn := 0
	for _, name := range []string{"state.jsonl.1", "state.jsonl"} {
		data, err := os.ReadFile(r.path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var ev struct {
				entry
				Kind   string
				Fields struct{ Call, Turn string }
			}
			if json.Unmarshal(line, &ev) != nil && len(bytes.TrimSpace(line)) > 0 {
				torn++
			}
			if ev.Kind == "" {
				continue
			}
			names = append(names, ev.Kind+" "+cmp.Or(ev.Fields.Call, ev.Fields.Turn))
			if err := played.playLog(line, ev.entry); err != nil {
				r.t.Error(err)
			}
		}
	}
	if torn > r.torn {
		r.t.Errorf("%d lines of the log are torn", torn)
	}
	return names, played
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

func (r *faultRoot) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *faultRoot) put(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// growLog makes the log as long as that, with what is in it at its end.
func (r *faultRoot) growLog(size int) {
	r.t.Helper()
	const line = `{"ts":"2026-11-30T12:00:00Z","agent":"claude","action":"older"}` + "\n"
	log := r.read("state.jsonl")
	missing := size - len(log)
	r.put("state.jsonl", strings.Repeat("\n", missing%len(line))+strings.Repeat(line, missing/len(line))+log)
}

// holdLock locks the session as another program would.
func (r *faultRoot) holdLock() (release func()) {
	r.t.Helper()
	f, err := os.OpenFile(r.path("state.json.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		r.t.Fatal(err)
	}
	return func() {
		syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
		f.Close()
	}
}

// letWait leaves so many events waiting. Only the first is put aside by a hook,
// which takes more than a second; the others are copies with other names.
func (r *faultRoot) letWait(n int) {
	r.t.Helper()
	if r.waiting == "" {
		release := r.holdLock()
		r.works()
		release()
		files, err := os.ReadDir(r.path("waiting"))
		if err != nil || len(files) != 1 {
			r.t.Fatal(files, err)
		}
		r.waiting = r.read("waiting/" + files[0].Name())
		r.waitingName = strings.TrimSuffix(files[0].Name(), "000001.json")
		r.taken = r.taken[:len(r.taken)-1]
		os.Remove(r.path("waiting/" + files[0].Name()))
	}
	os.Mkdir(r.path("waiting"), 0o700)
	for range n {
		r.next++
		call := fmt.Sprintf("waited-%d", r.next)
		text := regexp.MustCompile(`"call":"[^"]*"`).ReplaceAllString(r.waiting, `"call":"`+call+`"`)
		r.put(fmt.Sprintf("waiting/%s%06d.json", r.waitingName, r.next), text)
		var ev struct{ Kind string }
		if err := json.Unmarshal([]byte(text), &ev); err != nil {
			r.t.Fatal(err)
		}
		r.taken = append(r.taken, ev.Kind+" "+call)
	}
}
