package claude

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"panehook/adapters"
	"panehook/state"
	"panehook/transitions"
)

// statusFile is the file that Claude Code rewrites whenever its state changes:
// sessions/<pid>.json beside the folder of the transcripts. It is documented
// nowhere; it was there with a status from 2.1.139 on.
func statusFile(o state.Owner) string {
	projects := filepath.Dir(filepath.Dir(o.Transcript))
	if filepath.Base(projects) != "projects" || o.PID == 0 {
		return ""
	}
	return filepath.Join(filepath.Dir(projects), "sessions", strconv.Itoa(o.PID)+".json")
}

// status reads the file. One of another session, or of an earlier process with
// the same number, has no opinion, nor has a status that is not known.
func status(data []byte, o state.Owner) transitions.Sighting {
	if !gjson.ValidBytes(data) { // it is rewritten in place, so it can be cut
		return transitions.Sighting{}
	}
	file := gjson.ParseBytes(data)
	if file.Get("sessionId").Str != o.Session {
		return transitions.Sighting{}
	}
	started := file.Get("procStart").String()
	if o.Started != 0 && started != "" && started != strconv.FormatInt(o.Started, 10) {
		return transitions.Sighting{}
	}
	s := statusSighting(file.Get("status").Str, file.Get("waitingFor").Str)
	if s.State != "" {
		s.At = time.UnixMilli(file.Get("statusUpdatedAt").Int()).UTC()
	}
	return s
}

// statusSighting is what a status means, apart from its time. Shell is idle
// with a command in the background.
func statusSighting(status, waitingFor string) transitions.Sighting {
	switch status {
	case "idle":
		return transitions.Sighting{State: transitions.Idle}
	case "busy":
		return transitions.Sighting{State: transitions.Working}
	case "shell":
		return transitions.Sighting{State: transitions.Done, Activity: "Shell in background"}
	case "waiting":
		return transitions.Sighting{State: transitions.Blocked, Activity: adapters.Line("Waiting", waitingFor)}
	}
	return transitions.Sighting{}
}

// interruptText begins both texts of an interrupt: with "]" or " for tool use]"
// after it.
const interruptText = "[Request interrupted by user"

// ending tells of an interrupt, or of the end of a turn, after which nothing
// more was said. Esc before the first word of an answer leaves no record.
func ending(tail []byte) transitions.Sighting {
	var s transitions.Sighting
	for line := range strings.Lines(string(tail)) {
		record := gjson.Parse(line)
		if record.Get("isSidechain").Bool() {
			continue
		}
		switch record.Get("type").Str {
		case "user":
			s = transitions.Sighting{}
			if strings.HasPrefix(textOf(record), interruptText) {
				s.State = transitions.Idle
			}
		case "assistant":
			s = transitions.Sighting{}
		case "system":
			if record.Get("subtype").Str == "turn_duration" && s.State == "" {
				s.State = transitions.Done
			}
		default:
			continue
		}
		if s.State != "" && s.At.IsZero() {
			s.At = record.Get("timestamp").Time()
		}
	}
	return s
}

// textOf is the first text of a record's message.
func textOf(record gjson.Result) string {
	content := record.Get("message.content")
	if content.Type == gjson.String {
		return content.Str
	}
	return content.Get("0.text").Str
}
