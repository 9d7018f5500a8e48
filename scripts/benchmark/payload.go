//go:build unix

package main

import (
	"encoding/json"
	"strings"
)

// The payloads are those of a tool call of Claude Code, with the members that
// it sends and made-up values.
func toolCall(event string, input map[string]any) []byte {
	data, err := json.Marshal(map[string]any{
		"session_id":      "8df5420d-cf59-4a48-b3f8-cf90b27711b9",
		"transcript_path": "/home/user/.claude/projects/-home-user-project/8df5420d-cf59-4a48-b3f8-cf90b27711b9.jsonl",
		"cwd":             "/home/user/project",
		"prompt_id":       "9cbf290e-ca05-4ce0-a111-3438daa700b2",
		"permission_mode": "default",
		"hook_event_name": event,
		"tool_name":       "Write",
		"tool_input":      input,
		"tool_use_id":     "toolu_01HqhzG7xYz",
	})
	if err != nil {
		panic(err)
	}
	return append(data, '\n')
}

func smallCall(event string) []byte {
	return toolCall(event, map[string]any{"file_path": "/home/user/project/main.go", "content": "package main\n"})
}

// largeCall writes a file of so many bytes, with the escapes that code has.
func largeCall(event string, size int) []byte {
	const line = "\tfmt.Fprintf(w, \"%s: %d lines\\n\", name, count)\n"
	return toolCall(event, map[string]any{
		"file_path": "/home/user/project/main.go",
		"content":   strings.Repeat(line, size/len(line)),
	})
}

// alternating gives the payloads of a tool call's start and end in turn, so
// that each changes the state.
func alternating() func() []byte {
	payloads := [][]byte{smallCall("PreToolUse"), smallCall("PostToolUse")}
	n := 0
	return func() []byte {
		n++
		return payloads[(n-1)%2]
	}
}

func always(payload []byte) func() []byte { return func() []byte { return payload } }
