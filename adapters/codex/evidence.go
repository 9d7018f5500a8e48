package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
	"panehook/transitions"
)

// ending tells how the latest turn of a rollout ended, and nothing once the
// next one has started. Codex has no hook for an API error, for the end of a
// review or of a command that compacts.
func ending(tail []byte) transitions.Sighting {
	var s transitions.Sighting
	for line := range strings.Lines(string(tail)) {
		record := gjson.Parse(line)
		if record.Get("type").Str != "event_msg" {
			continue
		}
		payload := record.Get("payload")
		switch payload.Get("type").Str {
		case "task_started":
			s = transitions.Sighting{}
			continue
		case "turn_aborted":
			s = transitions.Sighting{State: transitions.Idle}
		case "task_complete":
			s = transitions.Sighting{
				State:    transitions.Done,
				Activity: adapters.Clean(payload.Get("last_agent_message").String()),
			}
			if problem := payload.Get("error"); problem.IsObject() {
				s.State = transitions.Blocked
				s.Activity = adapters.Line("Error", problem.Get("message").String())
			}
		default:
			continue
		}
		s.At = record.Get("timestamp").Time()
	}
	return s
}
