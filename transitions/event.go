package transitions

import "panehook/state"

// Kind says what happened, in words that no agent owns. The words stand in the
// event log, so they are part of a file format: add to them, never reuse one.
type Kind string

const (
	// Opened: a session starts, or starts again, at an empty prompt.
	Opened Kind = "opened"
	// Swapped: the agent went on with another session, without leaving.
	Swapped Kind = "swapped"
	// Reloaded: the agent says again that the session is there.
	Reloaded Kind = "reloaded"
	// Left: the session is over, the agent goes on with another one.
	Left Kind = "left"
	// Closed: the session is over and so is the agent.
	Closed Kind = "closed"

	// Prompted: the person sent a prompt.
	Prompted Kind = "prompted"
	// Woken: a prompt that background work wrote when it was finished.
	Woken Kind = "woken"
	// Steered: the person said something to a turn that runs.
	Steered Kind = "steered"
	// RunStarted: the agent began to work.
	RunStarted Kind = "run-started"
	// ModelAsked: the agent sends a request to its model.
	ModelAsked Kind = "model-asked"
	// Spoke: the agent wrote a message.
	Spoke Kind = "spoke"

	// ToolStarted and ToolEnded frame one tool call; ToolDenied says that it
	// will not run, and ToolsSettled that every call so far is over.
	ToolStarted  Kind = "tool-started"
	ToolEnded    Kind = "tool-ended"
	ToolDenied   Kind = "tool-denied"
	ToolsSettled Kind = "tools-settled"

	// Asked: a question to the person is on the screen. Answered: it is gone.
	Asked    Kind = "asked"
	Answered Kind = "answered"
	// Nudged: a notice that a question still waits.
	Nudged Kind = "nudged"
	// Reminded: a notice that the agent sits at its prompt.
	Reminded Kind = "reminded"

	// RunEnded: the agent stopped, and will say later whether for good.
	RunEnded Kind = "run-ended"
	// TurnEnded: the turn is over, by itself or by an error.
	TurnEnded Kind = "turn-ended"
	// Interrupted: the person broke the turn off.
	Interrupted Kind = "interrupted"

	// ChildStarted and ChildEnded frame the life of a subagent.
	ChildStarted Kind = "child-started"
	ChildEnded   Kind = "child-ended"

	// CompactionStarted and CompactionEnded frame the shortening of a context.
	CompactionStarted Kind = "compaction-started"
	CompactionEnded   Kind = "compaction-ended"

	// Noted: worth a line in the log and nothing else.
	Noted Kind = "noted"
)

// Outcome tells how a tool, a run or a turn ended.
type Outcome string

const (
	Aborted  Outcome = "aborted"  // by the person
	Failed   Outcome = "failed"   // by an error that the agent gives up on
	Retrying Outcome = "retrying" // by an error, and the agent tries again
	Review   Outcome = "review"   // with something for the person to review
	Settled  Outcome = "settled"  // as the latest run ended
	Partial  Outcome = "partial"  // not yet: more of it comes
)

// Trigger tells who asked for a compaction, or what a model request is for.
type Trigger string

const (
	Manual     Trigger = "manual"     // the person, at the prompt
	Auto       Trigger = "auto"       // the agent, within a turn
	Compacting Trigger = "compacting" // a model request made by a compaction
)

// The kinds of questions that a person can be asked.
const (
	AskPermission  = "permission"
	AskQuestion    = "question"
	AskPlan        = "plan"
	AskElicitation = "elicitation" // a tool server asks
	AskDialog      = "dialog"      // an extension asks, within a run or not
	AskNotice      = "notice"      // known only from a nudge
)

// Event is one hook call in neutral words. Every text in it is safe to show
// and to store; nothing else of the payload goes further than its adapter.
type Event struct {
	Kind  Kind
	Agent string // the adapter's name
	Name  string // the agent's own name of the event

	Session string // the agent's session id
	Turn    string // the agent's turn id, "" where it has none
	Child   string // the subagent that speaks, "" for the lead
	Call    string // the tool call's id
	Tool    string
	Key     string // equal for two events that speak of the same call

	Activity string // one line of what goes on, "" for no news
	Ask      string // the question that this raises, one of the Ask words
	Outcome  Outcome
	Trigger  Trigger

	// Running is the work that goes on after a turn's end and that will wake
	// the session again; Kind in it is the agent's word. Listed tells that the
	// agent keeps such a list, so that what is not in it has ended.
	Running []state.Child
	Listed  bool
	// Recent is the tail of the latest message, oldest line first.
	Recent []string

	Cwd        string // the session's working directory
	Transcript string // the path of its transcript or rollout
	// Carried: the pane names the session and its transcript in the members
	// that the reference has for them, which its readers know of Pi alone.
	Carried bool

	// What the command finds out around the payload. PID and Started are the
	// agent's process; Inside tells that it runs below the owner's process,
	// OwnProcess that it is that process, and OwnerGone that the owner's process
	// has ended.
	PID        int
	Started    int64
	Inside     bool
	OwnProcess bool
	OwnerGone  bool
}
