//go:build e2e && linux

package e2e

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	// agentsDir holds the agents' npm packages, panehook is the program under
	// test; all of these come from scripts/e2e/run.
	agentsDir = os.Getenv("PANEHOOK_E2E_AGENTS")
	panehook  = os.Getenv("PANEHOOK_E2E_BIN")
	// workDir is for the homes. It isn't under /tmp because Codex warns there.
	workDir = os.Getenv("PANEHOOK_E2E_WORK")
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if err := sealed(); err != nil {
		fmt.Fprintf(os.Stderr, "e2e: %v; start it by scripts/e2e/run\n", err)
		return 1
	}
	begun := time.Now()
	code := m.Run()
	fmt.Printf("\n%d scenarios in %.0f s, %d skipped\n", report.ran, time.Since(begun).Seconds(), report.skipped)
	if report.ran == 0 && code == 0 {
		fmt.Fprintln(os.Stderr, "e2e: nothing ran")
		return 1
	}
	return code
}

// sealed tells what is missing of the place these tests need: tools, the
// program, and a network that ends at the loopback device, so that no agent can
// call home.
func sealed() error {
	for _, tool := range []string{"tmux", "bash", "mkfifo"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is missing", tool)
		}
	}
	if agentsDir == "" || panehook == "" || workDir == "" {
		return fmt.Errorf("PANEHOOK_E2E_AGENTS, _BIN or _WORK is not set")
	}
	if _, err := os.Stat(panehook); err != nil {
		return err
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		return err
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			return fmt.Errorf("the network device %s is up", i.Name)
		}
	}
	return nil
}

// report is the table that a run prints, a line a scenario, as they end.
var report struct {
	mu           sync.Mutex
	ran, skipped int
}

func reportLine(result, agent, scenario, states string) {
	report.mu.Lock()
	defer report.mu.Unlock()
	if result == "skip" {
		report.skipped++
	} else {
		report.ran++
	}
	fmt.Printf("%-4s  %-13s  %-34s  %s\n", result, agent, scenario, states)
}

// skip leaves a scenario out, and says so.
func skip(t *testing.T, agent, scenario, why string) {
	reportLine("skip", agent, scenario, why)
	t.Skip(why)
}

// needPackage skips the test when an agent isn't installed.
func needPackage(t *testing.T, agent string, path ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{agentsDir}, path...)...)
	if _, err := os.Stat(p); err != nil {
		skip(t, agent, strings.TrimPrefix(t.Name(), "Test"), "not installed: "+p)
	}
	return p
}
