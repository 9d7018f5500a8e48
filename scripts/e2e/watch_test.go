//go:build e2e && linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// sight is what a state file showed of its pane at one moment.
type sight struct {
	State, Activity, Tool string
	Agent                 string
	Panehook              struct {
		Owner struct {
			Session string
			PID     int
		}
	}
}

// watcher follows the state files of a home while an agent runs. It reads them
// as any other program would, by their documented format alone.
type watcher struct {
	root string
	stop chan struct{}
	done chan struct{}

	mu    sync.Mutex
	seen  []sight
	fault error
}

func watch(root string) *watcher {
	w := &watcher{root: root, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for {
			w.look()
			select {
			case <-w.stop:
				w.look()
				return
			case <-time.After(3 * time.Millisecond):
			}
		}
	}()
	return w
}

func (w *watcher) close() {
	close(w.stop)
	<-w.done
}

func (w *watcher) look() {
	files, _ := filepath.Glob(filepath.Join(w.root, "*", "state.json"))
	if len(files) == 0 {
		return
	}
	s, err := read(files)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.fault = err
	} else if n := len(w.seen); n == 0 || w.seen[n-1] != s {
		w.seen = append(w.seen, s)
	}
}

func read(files []string) (sight, error) {
	if len(files) > 1 {
		return sight{}, fmt.Errorf("one pane, but several state files: %s", strings.Join(files, ", "))
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		return sight{}, err
	}
	var session struct{ Panes map[string]sight }
	if err := json.Unmarshal(raw, &session); err != nil {
		return sight{}, fmt.Errorf("%s: %w in %q", files[0], err, raw)
	}
	for _, pane := range session.Panes {
		return pane, nil
	}
	return sight{}, fmt.Errorf("%s: no pane in %q", files[0], raw)
}

// now is the latest sight, the zero one when there is no state file yet.
func (w *watcher) now() sight {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) == 0 {
		return sight{}
	}
	return w.seen[len(w.seen)-1]
}

// states is the sequence of states that was seen.
func (w *watcher) states() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, s := range w.seen {
		all = append(all, s.State)
	}
	return slices.Compact(all)
}

// story is the whole sequence, for a person to read.
func (w *watcher) story() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	for _, s := range w.seen {
		fmt.Fprintf(&b, "  %-8s  %-10s  %s\n", s.State, s.Tool, s.Activity)
	}
	return b.String()
}
