package claude

import "panehook/adapters"

// Events are the hook events that move a pane, with the version that brought
// them as public change logs tell; those without one are older than any
// version that matters. Never to be registered: WorktreeCreate, which fails
// when its hook prints nothing, and MessageDisplay and InstructionsLoaded,
// which would run a blocking process per line of text for nothing (observed in
// Claude Code 2.1.197).
//
// A SessionEnd timeout above 1.5 s makes Claude Code wait that long for every
// SessionEnd hook, also for those of others.
var Events = []adapters.HookEvent{
	{Name: "SessionStart", Timeout: 5},
	{Name: "UserPromptSubmit", Timeout: 5},
	{Name: "UserPromptExpansion", Timeout: 5, Since: "2.1.152"},
	{Name: "PreToolUse", Timeout: 5},
	{Name: "PermissionRequest", Timeout: 5, Since: "2.1.10"},
	{Name: "PermissionDenied", Timeout: 5, Since: "2.1.88"},
	{Name: "PostToolUse", Timeout: 5},
	{Name: "PostToolUseFailure", Timeout: 5, Since: "2.1.10"},
	{Name: "PostToolBatch", Timeout: 5, Since: "2.1.152"},
	{Name: "Elicitation", Timeout: 5, Since: "2.1.76"},
	{Name: "ElicitationResult", Timeout: 5, Since: "2.1.76"},
	{Name: "Notification", Timeout: 5},
	{Name: "Stop", Timeout: 5},
	{Name: "StopFailure", Timeout: 5, Since: "2.1.78"},
	{Name: "SubagentStart", Timeout: 5, Since: "2.1.10"},
	{Name: "SubagentStop", Timeout: 5},
	{Name: "PreCompact", Timeout: 5},
	{Name: "PostCompact", Timeout: 5, Since: "2.1.76"},
	{Name: "SessionEnd", Timeout: 2},
}
