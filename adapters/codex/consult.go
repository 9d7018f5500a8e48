package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
	"panehook/transitions"
)

// consult asks the rollout what a payload leaves open.
func consult(r *adapters.Reading, head, tail []byte) {
	switch r.Event.Kind {
	case transitions.Asked:
		if unattended(head, tail) {
			r.Event.Kind = transitions.Noted
			r.Event.Ask = ""
		}
	case transitions.TurnEnded:
		if plan, ok := planOf(r.Event.Turn, tail); ok && !isExec(head) {
			r.Event.Outcome = transitions.Review
			r.Event.Activity = adapters.Line("Plan", strings.TrimLeft(plan, "# \n"))
		}
	}
}

// unattended tells whether no person will see a permission request: the
// rollout's first record says that this is codex exec, or its latest turn has
// another reviewer than the user.
func unattended(head, tail []byte) bool {
	if isExec(head) {
		return true
	}
	reviewer := ""
	for line := range strings.Lines(string(tail)) {
		if gjson.Get(line, "type").Str == "turn_context" {
			reviewer = gjson.Get(line, "payload.approvals_reviewer").Str
		}
	}
	return reviewer != "" && reviewer != "user"
}

// isExec tells whether a rollout is one of codex exec.
func isExec(head []byte) bool {
	first, _, _ := strings.Cut(string(head), "\n")
	return gjson.Get(first, "type").Str == "session_meta" && gjson.Get(first, "payload.source").Str == "exec"
}

// planOf is the plan that a turn has proposed. Its record is in the rollout
// before the Stop hook runs.
func planOf(turn string, tail []byte) (text string, ok bool) {
	for line := range strings.Lines(string(tail)) {
		if !strings.Contains(line, `"Plan"`) {
			continue
		}
		payload := gjson.Get(line, "payload")
		if payload.Get("type").Str == "item_completed" && payload.Get("item.type").Str == "Plan" &&
			adapters.Ident(payload.Get("turn_id").Str) == turn {
			text, ok = payload.Get("item.text").Str, true
		}
	}
	return text, ok
}
