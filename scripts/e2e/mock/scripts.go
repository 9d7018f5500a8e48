package mock

// Step is one answer of the model.
type Step struct {
	Text  string
	Calls []Call
	// Status answers with this HTTP error instead; Text is its message.
	Status int
	// Failures limits Status to the first attempts, 0 means every attempt.
	Failures int
	// Hold keeps the stream open after Text until the test calls Release or
	// the agent hangs up.
	Hold bool
}

// Call is a tool call in no agent's own terms; each protocol translates it.
type Call struct {
	Kind    string // shell, ask, dialog, plan, delegate, await
	Text    string // the command, question, plan or prompt
	Options []string
	// Permit makes Codex ask for permission; the other agents decide by rule.
	Permit bool
	// Background makes Claude Code go on without the result.
	Background bool
}

func shell(command string) Call  { return Call{Kind: "shell", Text: command} }
func permit(command string) Call { return Call{Kind: "shell", Text: command, Permit: true} }

// scripts are the answers to a prompt that names them with "play:name". Commands
// that read a gate (a named pipe) run until the test opens it, so that no state
// is missed for want of time.
var scripts = map[string][]Step{
	"plain": {{Text: "Hello from the model."}},
	"bash": {
		{Text: "I will run a command.", Calls: []Call{shell("./await gate")}},
		{Text: "The command ran."},
	},
	"quick": {
		{Text: "I will run a quick command.", Calls: []Call{shell("echo quick")}},
		{Text: "The quick command ran."},
	},
	// Claude Code runs only what it knows to be read-only at the same time.
	"parallel": {
		{Text: "Two at once.", Calls: []Call{shell("wc -l gate"), shell("wc -l door")}},
		{Text: "Both commands ran."},
	},
	"fail": {
		{Text: "This one fails.", Calls: []Call{shell("cat no-such-file")}},
		{Text: "The command failed."},
	},
	"permit": {
		{Text: "This needs your permission.", Calls: []Call{permit("touch granted; ./await gate")}},
		{Text: "It was permitted.", Hold: true},
	},
	"permits": {
		{Text: "Two need your permission.", Calls: []Call{permit("touch granted; ./await gate"), permit("touch granted2; ./await door")}},
		{Text: "Both were permitted.", Hold: true},
	},
	"ask": {
		{Text: "I have a question.", Calls: []Call{{Kind: "ask", Text: "Which colour?", Options: []string{"Red", "Blue"}}}},
		{Text: "You answered.", Hold: true},
	},
	"dialog": {
		{Text: "Pick one.", Calls: []Call{{Kind: "dialog", Text: "Which colour?", Options: []string{"Red", "Blue"}}}},
		{Text: "You have picked.", Hold: true},
	},
	"plan": {
		{Text: "Here is my plan.", Calls: []Call{{Kind: "plan", Text: "# Plan\n1. Do it"}}},
		{Text: "The plan is carried out.", Hold: true},
	},
	"justplan": {
		{Calls: []Call{{Kind: "plan", Text: "# Plan\n1. Do it"}}},
	},
	"agent": {
		{Text: "I will delegate.", Calls: []Call{{Kind: "delegate", Text: "play:child look around"}}},
		{Text: "The subagent reported."},
	},
	// spawn is the same for agents whose lead has to wait for its subagents by
	// a call of its own.
	"spawn": {
		{Text: "I will delegate.", Calls: []Call{{Kind: "delegate", Text: "play:child look around"}}},
		{Calls: []Call{{Kind: "await"}}},
		{Text: "The subagent reported."},
	},
	"child": {
		{Text: "The subagent works.", Calls: []Call{shell("./await door")}},
		{Text: "The subagent is through."},
	},
	"agentpermit": {
		{Text: "I will delegate.", Calls: []Call{{Kind: "delegate", Text: "play:permit in the subagent"}}},
		{Text: "The subagent reported."},
	},
	"agentback": {
		{Text: "I will delegate.", Calls: []Call{{Kind: "delegate", Text: "play:child look around", Background: true}}},
		{Text: "The subagent goes on alone."},
		{Text: "The background work ended."},
	},
	"spawnpermit": {
		{Text: "I will delegate.", Calls: []Call{{Kind: "delegate", Text: "play:permit in the subagent"}}},
		{Calls: []Call{{Kind: "await"}}},
		{Text: "The subagent reported."},
	},
	"background": {
		{Text: "I will start it.", Calls: []Call{{Kind: "shell", Text: "./await gate", Background: true}}},
		{Text: "It runs in the background."},
		{Text: "The background work ended."},
	},
	"nested": {
		{Text: "I will run another agent.", Calls: []Call{shell("./nested gate")}},
		{Text: "The other agent answered."},
	},
	"slow":     {{Text: "A slow answer.", Hold: true}},
	"error400": {{Text: "mock says no", Status: 400}},
	"error500": {{Text: "mock is down", Status: 500}},
	"retry":    {{Text: "mock is down", Status: 500, Failures: 1, Hold: true}},

	// Claude Code compacts the conversation and asks again.
	"toolong": {{Text: "prompt is too long: 250000 tokens > 200000 maximum", Status: 400, Failures: 1, Hold: true}},

	// These have no prompt that names them.
	"":        {{Text: "Answer to nothing in particular."}},
	"title":   {{Text: "Mock title"}},
	"summary": {{Text: "<summary>\nMock summary of the conversation.\n</summary>", Hold: true}},
}
