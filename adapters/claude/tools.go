package claude

import (
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
	"panehook/transitions"
)

// The tools that ask the person by being called.
const (
	askUserQuestion = "AskUserQuestion"
	exitPlanMode    = "ExitPlanMode"
)

func ask(tool string) string {
	switch tool {
	case askUserQuestion:
		return transitions.AskQuestion
	case exitPlanMode:
		return transitions.AskPlan
	}
	return ""
}

// phrases say how calls of the built-in tools read.
var phrases = []adapters.Phrase{
	{Tool: "Bash", Prefix: "Bash", Members: []string{"command"}},
	{Tool: "Edit", Prefix: "Edit", Members: []string{"file_path"}, File: true},
	{Tool: "MultiEdit", Prefix: "Edit", Members: []string{"file_path"}, File: true},
	{Tool: "Write", Prefix: "Edit", Members: []string{"file_path"}, File: true},
	{Tool: "NotebookEdit", Prefix: "Edit", Members: []string{"notebook_path"}, File: true},
	{Tool: "Read", Prefix: "Read", Members: []string{"file_path"}, File: true},
	{Tool: "Grep", Prefix: "Search", Members: []string{"pattern"}},
	{Tool: "Glob", Prefix: "Search", Members: []string{"pattern"}},
	{Tool: "WebSearch", Prefix: "Search", Members: []string{"query"}},
	{Tool: "WebFetch", Prefix: "Fetch", Members: []string{"url"}},
	{Tool: "Agent", Prefix: "Agent", Members: []string{"description", "prompt"}},
	{Tool: "Task", Prefix: "Agent", Members: []string{"description", "prompt"}},
	{Tool: "Skill", Prefix: "Skill", Members: []string{"skill", "command"}},
}

func activity(tool string, input gjson.Result) string {
	switch tool {
	case askUserQuestion:
		return adapters.Line("Question", adapters.FirstQuestion(input))
	case exitPlanMode:
		return adapters.Line("Plan", strings.TrimLeft(adapters.TextIn(input, "plan"), "# \n"))
	}
	return adapters.ToolLine(phrases, tool, input)
}
