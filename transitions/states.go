package transitions

// The states of a pane, as they are stored and shown.
const (
	Starting = "starting" // open, no prompt yet
	Working  = "working"  // a turn or waking background work runs
	Blocked  = "blocked"  // cannot go on without a person
	Done     = "done"     // a turn ended by itself, nobody has looked yet
	Idle     = "idle"     // at the prompt with nothing new
	Stopped  = "stopped"  // the session or its process is gone
)
