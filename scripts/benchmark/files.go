//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func logPath(p *program) string   { return filepath.Join(p.root, p.session, "state.jsonl") }
func statePath(p *program) string { return filepath.Join(p.root, p.session, "state.json") }

// fillLog gives a session a log of at least so many bytes, of lines like its
// own, and one that was rotated.
func fillLog(p *program, size int, rolled bool) error {
	info, err := os.Stat(logPath(p))
	if err == nil && size > 0 && info.Size() >= int64(size) && !rolled {
		return os.Truncate(logPath(p), int64(size))
	}
	line, err := os.ReadFile(logPath(p))
	if err != nil {
		return err
	}
	line, _, _ = bytes.Cut(line, []byte{'\n'})
	line = append(line, '\n')
	fill := bytes.Repeat(line, size/len(line)+1)
	if rolled {
		if err := os.WriteFile(logPath(p)+".1", bytes.Repeat(line, (1<<20)/len(line)+1), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(logPath(p), fill, 0o600)
}

// logLines counts the lines of a session's log.
func logLines(p *program) (lines, unchanged int, err error) {
	for _, path := range []string{logPath(p) + ".1", logPath(p)} {
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, 0, err
		}
		lines += bytes.Count(data, []byte{'\n'})
		unchanged += bytes.Count(data, []byte(`"unchanged":true`))
	}
	return lines, unchanged, nil
}

// allLogged insists that each event was logged, and changed the state or not
// as the scenario wants it: after the first, which always does.
func allLogged(p *program, events int, changing bool) error {
	lines, unchanged, err := logLines(p)
	want := 0
	if !changing {
		want = events - 1
	}
	if err == nil && (lines != events || unchanged != want) {
		err = fmt.Errorf("%s: %d events gave %d lines, of which %d without a change", p.name, events, lines, unchanged)
	}
	return err
}

// lost returns how many of the events are not in the session's log once those
// that wait have been applied, which one more does.
func (b *bench) lost(p *program, events int) (int, error) {
	if _, err := b.run(p, smallCall("PreToolUse")); err != nil {
		return 0, err
	}
	lines, _, err := logLines(p)
	return events + 1 - lines, err
}

// footprint is memory and bytes, which do not depend on who else is busy.
func (b *bench) footprint() error {
	t := table{title: "Peak memory, and bytes written for an event", heads: []string{"", "peak memory", "log", "state.json"}}
	for _, p := range []*program{b.plain("empty C program", "empty-c"), b.plain("empty Go program", "empty-go")} {
		if _, err := os.Stat(p.argv[0]); err != nil {
			continue
		}
		peak, err := b.peak(p, smallCall("PreToolUse"))
		if err != nil {
			return err
		}
		t.add(p.name, peak, "", "")
	}
	for _, size := range []struct {
		name  string
		bytes int
	}{{"small payload", 0}, {"64 KB", 64 << 10}, {"2 MB", 2 << 20}, {"16 MB", 16 << 20}} {
		p := b.panehook("panehook, " + size.name)
		for _, event := range []string{"PreToolUse", "PostToolUse"} {
			payload := largeCall(event, size.bytes)
			if size.bytes == 0 {
				payload = smallCall(event)
			}
			before, _ := os.Stat(logPath(p))
			peak, err := b.peak(p, payload)
			if err != nil {
				return err
			}
			after, err := os.Stat(logPath(p))
			if err != nil {
				return err
			}
			stateFile, err := os.Stat(statePath(p))
			if err != nil {
				return err
			}
			logged := after.Size()
			if before != nil {
				logged -= before.Size()
			}
			t.add(p.name+", "+event, peak, fmt.Sprintf("%d B", logged), fmt.Sprintf("%d B", stateFile.Size()))
		}
	}
	t.print()
	return nil
}

func (b *bench) peak(p *program, payload []byte) (string, error) {
	cmd := exec.Command(filepath.Join(b.programs, "peak"), p.argv...)
	cmd.Env = p.env()
	cmd.Stderr = b.stderr
	cmd.Stdin = bytes.NewReader(payload)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.name, err)
	}
	kib, err := strconv.Atoi(strings.TrimSpace(string(out)))
	return fmt.Sprintf("%.1f MiB", float64(kib)/1024), err
}
