package transitions

// rule is one row of the table. If is nil where the row always applies.
type rule struct {
	ID string
	On Kind
	If guard
	Do effect
}

// rules is the whole machine. The first row of an event's kind whose guard
// holds decides; an event that no row takes changes nothing, and its rule is
// "unknown". Rows of one kind stand together, from the most special to the most
// general.
var rules = []rule{
	// The session opens, changes, ends.
	{"opened", Opened, nil, openSession},
	{"swapped", Swapped, nil, swapSession},
	{"reloaded-after-compaction", Reloaded, compacting, endCompaction},
	{"reloaded-unseen", Reloaded, unseen, openSession},
	{"reloaded", Reloaded, nil, keep},
	{"left", Left, nil, leaveSession},
	{"closed", Closed, nil, closeSession},

	// A turn begins, or goes on.
	{"child-prompt-late", Prompted, childAfterExit, keep},
	{"child-prompted", Prompted, byChild, admitChild},
	{"prompted-again", Prompted, sameOpenTurn, tell},
	{"prompted", Prompted, nil, startTurn},
	{"woken", Woken, nil, wake},
	{"steered-at-rest", Steered, turnClosed, startTurn},
	{"steered", Steered, nil, tell},
	{"run-goes-on", RunStarted, turnOpen, continueRun},
	{"run-started", RunStarted, nil, startTurn},
	{"child-model-late", ModelAsked, childAfterExit, keep},
	{"child-model", ModelAsked, byChild, settleChild},
	{"compaction-model", ModelAsked, compactingModel, keep},
	{"model-goes-on", ModelAsked, turnOpen, settleLead},
	{"model-asked", ModelAsked, nil, reopenTurn},
	{"spoke-late", Spoke, late, keep},
	{"spoke", Spoke, nil, speak},

	// Tools.
	{"child-tool-late", ToolStarted, childAfterExit, keep},
	{"child-tool-asks", ToolStarted, childAsks, toolAsks},
	{"child-tool-started", ToolStarted, byChild, toolStarts},
	{"tool-asks", ToolStarted, asks, toolAsks},
	{"tool-late", ToolStarted, late, keep},
	{"tool-started", ToolStarted, nil, toolStarts},
	{"child-tool-ended", ToolEnded, byChild, childToolEnds},
	{"tool-ended-late", ToolEnded, late, keep},
	{"tool-interrupted", ToolEnded, aborted, interrupt},
	{"tool-ended", ToolEnded, nil, toolEnds},
	{"child-tool-denied", ToolDenied, byChild, childToolEnds},
	{"tool-denied-late", ToolDenied, late, keep},
	{"tool-denied", ToolDenied, nil, toolEnds},
	{"child-tools-settled", ToolsSettled, byChild, dropChildCalls},
	{"tools-settled-late", ToolsSettled, late, keep},
	{"tools-settled", ToolsSettled, nil, settleLead},

	// Questions to the person.
	{"child-asked-late", Asked, childAfterExit, keep},
	{"child-asked", Asked, byChild, askPerson},
	{"asked", Asked, nil, askPerson},
	{"answered", Answered, nil, answer},
	{"nudge-known", Nudged, announced, keep},
	{"nudge-late", Nudged, late, keep},
	{"nudged", Nudged, nil, askPerson},
	{"reminded-at-rest", Reminded, resting, keep},
	{"reminded-in-background", Reminded, childrenRun, keep},
	{"reminded", Reminded, nil, rest},

	// A turn ends.
	{"run-ended-late", RunEnded, afterExit, keep},
	{"run-given-up", RunEnded, triedEnough, blockTurn},
	{"run-retried", RunEnded, retrying, countRetry},
	{"run-ended", RunEnded, nil, rememberOutcome},
	{"child-turn-ended", TurnEnded, byChild, endChild},
	{"turn-ended-late", TurnEnded, afterExit, keep},
	{"turn-ended-before", TurnEnded, ofEarlierTurn, keep},
	{"turn-failed", TurnEnded, failed, blockTurn},
	{"turn-aborted", TurnEnded, aborted, interrupt},
	{"turn-in-review", TurnEnded, inReview, blockTurn},
	{"turn-ended-in-background", TurnEnded, leavesWork, endTurn},
	{"turn-ended", TurnEnded, nil, endTurn},
	{"child-interrupted", Interrupted, byChild, endChild},
	{"interrupted-late", Interrupted, afterExit, keep},
	{"interrupted-before", Interrupted, ofEarlierTurn, keep},
	{"interrupted", Interrupted, nil, interrupt},

	// Subagents.
	{"child-started-late", ChildStarted, childAfterExit, keep},
	{"child-started", ChildStarted, nil, announceChild},
	{"child-ended", ChildEnded, nil, endChild},

	// Compaction.
	{"compaction-late", CompactionStarted, afterExit, keep},
	{"compaction-by-person", CompactionStarted, byPerson, compactAtPrompt},
	{"compaction-by-agent", CompactionStarted, byAgent, tell},
	{"compaction-started", CompactionStarted, nil, compact},
	{"compaction-ended", CompactionEnded, compacting, endCompaction},
	{"compaction-ended-in-turn", CompactionEnded, nil, tell},

	{"noted", Noted, nil, keep},
}
