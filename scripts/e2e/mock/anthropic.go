package mock

import (
	"encoding/json"
	"net/http"
)

// messages is the Anthropic Messages API as Claude Code uses it.
type messages struct{}

func (messages) conversation(body []byte) ([]entry, error) {
	var req struct {
		Tools    []json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	var talk []entry
	for _, m := range req.Messages {
		if m.Role == "user" {
			talk = append(talk, prompts(m.Content)...)
			continue
		}
		var parts []struct{ Type, ID string }
		_ = json.Unmarshal(m.Content, &parts) // a string has no calls
		for _, p := range parts {
			if p.Type == "tool_use" {
				talk = append(talk, entry{call: p.ID})
			}
		}
	}
	if len(req.Tools) == 0 && !isSummary(lastPrompt(talk)) {
		return nil, nil // a side request: titles, topics
	}
	return talk, nil
}

func lastPrompt(talk []entry) string {
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].user {
			return talk[i].text
		}
	}
	return ""
}

func (messages) fail(w http.ResponseWriter, status int, message string) {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "api_error"
	}
	failJSON(w, status, object{"type": "error", "error": object{"type": kind, "message": message}})
}

func (messages) write(e *events, step Step, ids []string, _ []entry, hold func()) {
	stop := "end_turn"
	if len(step.Calls) > 0 {
		stop = "tool_use"
	}
	usage := object{"input_tokens": 100, "output_tokens": 20}
	send := func(kind string, data object) {
		data["type"] = kind
		e.send(kind, data)
	}
	send("message_start", object{"message": object{
		"id": "msg_" + e.id, "type": "message", "role": "assistant", "model": e.model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}})
	index := 0
	block := func(start, delta object) {
		send("content_block_start", object{"index": index, "content_block": start})
		send("content_block_delta", object{"index": index, "delta": delta})
		hold()
		send("content_block_stop", object{"index": index})
		index++
	}
	if step.Text != "" {
		// The agent shows text a finished line at a time.
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": step.Text + "\n"})
	}
	for i, c := range step.Calls {
		name, input := claudeTool(c)
		block(object{"type": "tool_use", "id": ids[i], "name": name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": mustJSON(input)})
	}
	send("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	send("message_stop", object{})
}

func claudeTool(c Call) (string, object) {
	switch c.Kind {
	case "ask":
		var options []object
		for _, o := range c.Options {
			options = append(options, object{"label": o, "description": "the colour " + o})
		}
		return "AskUserQuestion", object{"questions": []object{{
			"question": c.Text, "header": "Colour", "multiSelect": false, "options": options,
		}}}
	case "plan":
		return "ExitPlanMode", object{"plan": c.Text}
	case "delegate":
		return "Agent", object{
			"description": "Look around", "prompt": c.Text,
			"subagent_type": "general-purpose", "run_in_background": c.Background,
		}
	default:
		return "Bash", object{"command": c.Text, "description": "Run a command", "run_in_background": c.Background}
	}
}
