package codex

import (
	"os"
	"testing"

	"panehook/adapters"
	"panehook/transitions"
)

func TestConsult(t *testing.T) {
	const (
		metaExec = `{"type":"session_meta","payload":{"source":"exec"}}` + "\n"
		metaTUI  = `{"type":"session_meta","payload":{"source":"cli"}}` + "\n"
		byUser   = `{"type":"turn_context","payload":{"approvals_reviewer":"user"}}` + "\n"
		byModel  = `{"type":"turn_context","payload":{"approvals_reviewer":"auto_review"}}` + "\n"
	)
	plan, err := os.ReadFile("testdata/evidence/rollout-plan_after_words.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const planTurn = "01a22d32-133d-7f51-be79-5d0a47162ec9"
	asked := transitions.Event{Kind: transitions.Asked, Ask: transitions.AskPermission, Activity: "Permission: Bash: make"}
	ended := transitions.Event{Kind: transitions.TurnEnded, Turn: planTurn, Activity: "Here is my plan."}
	tests := []struct {
		name       string
		ev         transitions.Event
		head, tail string
		kind       transitions.Kind
		outcome    transitions.Outcome
		activity   string
	}{
		{"exec", asked, metaExec, byUser, transitions.Noted, "", asked.Activity},
		{"a person", asked, metaTUI, byUser, transitions.Asked, "", asked.Activity},
		{"a model reviews", asked, metaTUI, byUser + byModel, transitions.Noted, "", asked.Activity},
		{"a model reviewed an earlier turn", asked, metaTUI, byModel + byUser, transitions.Asked, "", asked.Activity},
		{"an empty rollout", asked, "", "", transitions.Asked, "", asked.Activity},
		{"a cut first record", asked, metaExec[:30], "", transitions.Asked, "", asked.Activity},
		{"a plan after words", ended, metaTUI, string(plan), transitions.TurnEnded, transitions.Review, "Plan: Plan 1. Do it"},
		{"a plan of codex exec", ended, metaExec, string(plan), transitions.TurnEnded, "", ended.Activity},
		{"the plan of an earlier turn", transitions.Event{Kind: transitions.TurnEnded, Turn: "t9", Activity: "ok"}, metaTUI, string(plan), transitions.TurnEnded, "", "ok"},
		{"no plan", ended, metaTUI, byUser, transitions.TurnEnded, "", ended.Activity},
	}
	for _, tt := range tests {
		r := adapters.Reading{Event: tt.ev}
		consult(&r, []byte(tt.head), []byte(tt.tail))
		if r.Event.Kind != tt.kind || r.Event.Outcome != tt.outcome || r.Event.Activity != tt.activity {
			t.Errorf("%s: got %s %q %q, want %s %q %q", tt.name,
				r.Event.Kind, r.Event.Outcome, r.Event.Activity, tt.kind, tt.outcome, tt.activity)
		}
	}
}
