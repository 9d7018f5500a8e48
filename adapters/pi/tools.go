package pi

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
)

// phrases say how calls of the built-in tools read.
var phrases = []adapters.Phrase{
	{Tool: "bash", Prefix: "Bash", Members: []string{"command"}},
	{Tool: "edit", Prefix: "Edit", Members: []string{"path", "file_path"}, File: true},
	{Tool: "write", Prefix: "Edit", Members: []string{"path", "file_path"}, File: true},
	{Tool: "read", Prefix: "Read", Members: []string{"path", "file_path"}, File: true},
	{Tool: "grep", Prefix: "Search", Members: []string{"pattern"}},
	{Tool: "find", Prefix: "Search", Members: []string{"pattern"}},
	{Tool: "ls", Prefix: "Read", Members: []string{"path"}, File: true},
}

// asksPerson: Pi has no question tool of its own; the extensions that add one
// name it so. Versions before 0.84.4 tell of no dialog, so the call is the
// only sign.
func asksPerson(tool string) bool { return strings.HasPrefix(tool, "ask_user") }

// activity reads a call's arguments, or the summary that other extensions send
// in their place.
func activity(tool string, args, other gjson.Result) string {
	if asksPerson(tool) {
		return adapters.Line("Question", cmp.Or(adapters.TextIn(args, "question"), adapters.TextIn(args, "prompt")))
	}
	if summary := adapters.TextIn(other, "summary"); summary != "" && !args.Exists() {
		return adapters.Line(tool, summary)
	}
	return adapters.ToolLine(phrases, tool, args)
}

// toolName and callID take Pi's own names, or the "tool" object of other
// extensions.
func toolName(p *adapters.Payload) string {
	if name := p.Text("toolName"); name != "" {
		return name
	}
	return adapters.TextIn(p.Get("tool"), "name")
}

func callID(p *adapters.Payload) string {
	if id := p.ID("toolCallId"); id != "" {
		return id
	}
	return adapters.Ident(adapters.TextIn(p.Get("tool"), "call_id"))
}
