package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
)

// phrases say how calls of the built-in tools read. Names of collaboration
// tools come glued to their namespace, which differs by model.
var phrases = []adapters.Phrase{
	{Tool: "Bash", Prefix: "Bash", Members: []string{"command"}},
	{Tool: "view_image", Prefix: "Read", Members: []string{"path"}, File: true},
	{Tool: "collaborationspawn_agent", Prefix: "Agent", Members: []string{"task_name", "message", "prompt"}},
	{Tool: "spawn_agent", Prefix: "Agent", Members: []string{"message", "prompt", "agent_type"}},
	{Tool: "collaborationwait_agent", Prefix: "Agent: wait"},
	{Tool: "multi_agent_v1wait_agent", Prefix: "Agent: wait"},
}

// asksPerson: the one tool that asks the person by being called, in whatever
// namespace. Its async sister is answered at once by Codex itself.
func asksPerson(tool string) bool { return strings.HasSuffix(tool, "request_user_input") }

func activity(tool string, input gjson.Result) string {
	switch {
	case asksPerson(tool):
		return adapters.Line("Question", adapters.FirstQuestion(input))
	case tool == "apply_patch":
		return adapters.Line("Edit", patchedFile(adapters.TextIn(input, "command")))
	}
	return adapters.ToolLine(phrases, tool, input)
}

// patchedFile is the base name of the first file that a patch touches.
func patchedFile(patch string) string {
	for line := range strings.Lines(patch) {
		for _, verb := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if path, ok := strings.CutPrefix(line, verb); ok {
				return adapters.Base(strings.TrimSpace(path))
			}
		}
	}
	return ""
}
