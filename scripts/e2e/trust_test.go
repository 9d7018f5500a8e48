//go:build e2e && linux

package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCodexTrust asks Codex itself what it thinks of our hooks.
func TestCodexTrust(t *testing.T) {
	t.Parallel()
	a := codex(t)
	t.Run("hooks/list", func(t *testing.T) {
		s := newSession(t, a)
		s.run("install", a.name)
		t.Cleanup(func() { s.conclude("hooks/list of codex app-server") })
		config, err := os.ReadFile(filepath.Join(s.home, ".codex", "config.toml"))
		if err != nil {
			t.Fatal(err)
		}
		hooks := s.hooksList()
		for _, h := range hooks {
			if !h.Enabled || h.TrustStatus != "trusted" {
				t.Errorf("%s: enabled %v, %s", h.Key, h.Enabled, h.TrustStatus)
			}
			if !strings.Contains(string(config), `trusted_hash = "`+h.CurrentHash+`"`) {
				t.Errorf("%s: hash %s isn't in config.toml:\n%s", h.Key, h.CurrentHash, config)
			}
			s.notes = append(s.notes, h.EventName+" "+h.TrustStatus)
		}
		if len(hooks) < 10 {
			t.Errorf("only %d hooks: %v", len(hooks), hooks)
		}
	})
}

type listedHook struct {
	Key, EventName, Command  string
	CurrentHash, TrustStatus string
	Enabled                  bool
}

// hooksList talks to "codex app-server", which speaks JSON-RPC, a line a message.
func (s *session) hooksList() []listedHook {
	s.t.Helper()
	cmd := exec.Command(s.agent.bin+"/"+s.agent.program, "app-server")
	cmd.Dir, cmd.Env = s.project, s.env
	in, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	defer cmd.Wait()
	deadline := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer deadline.Stop()
	defer in.Close()
	for _, message := range []string{
		`{"id":1,"method":"initialize","params":{"clientInfo":{"name":"panehook-e2e","version":"1"}}}`,
		`{"method":"initialized"}`,
		`{"id":2,"method":"hooks/list","params":{"cwds":["` + s.project + `"]}}`,
	} {
		if _, err := in.Write([]byte(message + "\n")); err != nil {
			s.t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var reply struct {
			ID     int
			Result struct {
				Data []struct {
					Hooks            []listedHook
					Warnings, Errors []any
				}
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &reply); err != nil || reply.ID != 2 {
			continue
		}
		if len(reply.Result.Data) != 1 || len(reply.Result.Data[0].Warnings)+len(reply.Result.Data[0].Errors) > 0 {
			s.t.Fatalf("hooks/list: %s", lines.Text())
		}
		return reply.Result.Data[0].Hooks
	}
	s.t.Fatal("codex app-server gave no list of hooks")
	return nil
}
