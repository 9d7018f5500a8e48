package codex

import "panehook/adapters"

// Events are the hook events that move a pane. Names that a version does not
// know are ignored by it, so every version gets all of them. Codex clamps the
// timeouts of SessionEnd and Interrupt to 3 s and warns of longer ones at
// every start (observed in Codex 0.171.0).
var Events = []adapters.HookEvent{
	{Name: "SessionStart", Timeout: 5},
	{Name: "UserPromptSubmit", Timeout: 5},
	{Name: "PreModelRequest", Timeout: 5},
	{Name: "PreToolUse", Timeout: 5},
	{Name: "PermissionRequest", Timeout: 5},
	{Name: "PostToolUse", Timeout: 5},
	{Name: "PreCompact", Timeout: 5},
	{Name: "PostCompact", Timeout: 5},
	{Name: "SubagentStart", Timeout: 5},
	{Name: "SubagentStop", Timeout: 5},
	{Name: "Stop", Timeout: 5},
	{Name: "Interrupt", Timeout: 3},
	{Name: "SessionEnd", Timeout: 3},
}
