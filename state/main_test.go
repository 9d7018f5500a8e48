package state

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// taskEnv makes the test binary play another process: see runTask.
const taskEnv = "PANEHOOK_STATE_TASK"

func TestMain(m *testing.M) {
	if task := os.Getenv(taskEnv); task != "" {
		if err := runTask(task, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// taskCommand returns a process that runs a task on root.
func taskCommand(t testing.TB, root, task string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	// The race detector would have every process sleep a second at its end.
	cmd.Env = append(os.Environ(), taskEnv+"="+task, StateRootEnv+"="+root, "GORACE=atexit_sleep_ms=1")
	cmd.Stderr = new(strings.Builder)
	return cmd
}

// startAll starts the processes, then waits for all; each must end well.
func startAll(t testing.TB, cmds []*exec.Cmd) {
	t.Helper()
	for _, cmd := range cmds {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", err, cmd.Stderr)
		}
	}
}
