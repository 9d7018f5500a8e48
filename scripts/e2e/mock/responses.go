package mock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
)

// responses is the OpenAI Responses API as Codex uses it.
type responses struct{}

func (responses) conversation(body []byte) ([]entry, error) {
	var req struct {
		Input []struct {
			Type, Role, Output string
			CallID             string `json:"call_id"`
			Content            json.RawMessage
		}
	}
	// An output may be a list as well; the few that matter here are strings.
	if err := json.Unmarshal(body, &req); err != nil && len(req.Input) == 0 {
		return nil, err
	}
	var talk []entry
	for _, item := range req.Input {
		switch {
		case item.Type == "message" && item.Role == "user":
			talk = append(talk, prompts(item.Content)...)
		case item.Type == "function_call":
			talk = append(talk, entry{call: item.CallID})
		case item.Type == "function_call_output":
			talk = append(talk, entry{text: item.Output})
		}
	}
	return talk, nil
}

func (responses) fail(w http.ResponseWriter, status int, message string) {
	failJSON(w, status, object{"error": object{"message": message, "type": "mock_error", "code": "mock"}})
}

func (responses) write(e *events, step Step, ids []string, talk []entry, hold func()) {
	send := func(kind string, data object) {
		data["type"] = kind
		e.send(kind, data)
	}
	send("response.created", object{"response": object{"id": "resp_" + e.id}})
	index := 0
	if step.Text != "" {
		item := object{"type": "message", "role": "assistant", "id": "msg_" + e.id, "content": []object{}}
		send("response.output_item.added", object{"output_index": index, "item": item})
		// The agent shows text a finished line at a time.
		text := step.Text + "\n"
		send("response.output_text.delta", object{"item_id": item["id"], "output_index": index, "content_index": 0, "delta": text})
		hold()
		item["content"] = []object{{"type": "output_text", "text": text, "annotations": []any{}}}
		send("response.output_item.done", object{"output_index": index, "item": item})
		index++
	}
	for i, c := range step.Calls {
		item := codexTool(c, talk)
		item["id"] = fmt.Sprintf("item_%s_%d", e.id, i)
		if item["type"] == "function_call" {
			item["call_id"] = ids[i]
		}
		send("response.output_item.done", object{"output_index": index, "item": item})
		index++
	}
	send("response.completed", object{"response": object{"id": "resp_" + e.id, "output": []any{}, "usage": object{
		"input_tokens": 100, "input_tokens_details": object{"cached_tokens": 0},
		"output_tokens": 20, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 120,
	}}})
}

func codexTool(c Call, talk []entry) object {
	call := func(name string, arguments object) object {
		return object{"type": "function_call", "name": name, "arguments": mustJSON(arguments)}
	}
	switch c.Kind {
	case "ask":
		var options []object
		for _, o := range c.Options {
			options = append(options, object{"label": o, "description": "the colour " + o})
		}
		return call("request_user_input", object{"questions": []object{{
			"id": "q", "header": "Colour", "question": c.Text, "options": options,
		}}})
	case "plan": // Codex has no tool for it: a tag in the text marks the plan
		return object{"type": "message", "role": "assistant", "content": []object{{
			"type": "output_text", "text": "<proposed_plan>\n" + c.Text + "\n</proposed_plan>", "annotations": []any{},
		}}}
	case "delegate":
		return inNamespace(call("spawn_agent", object{"message": c.Text, "agent_type": "explorer"}))
	case "await":
		return inNamespace(call("wait_agent", object{"targets": spawned(talk), "timeout_ms": 30000}))
	}
	arguments := object{"cmd": c.Text, "yield_time_ms": 30000}
	if c.Permit {
		arguments["sandbox_permissions"] = "require_escalated"
		arguments["justification"] = "May I?"
	}
	return call("exec_command", arguments)
}

func inNamespace(call object) object {
	call["namespace"] = "multi_agent_v1"
	return call
}

var agentID = regexp.MustCompile(`"agent_id":\s*"([^"]+)"`)

// spawned lists the subagents that the conversation tells of.
func spawned(talk []entry) []string {
	ids := []string{}
	for _, e := range talk {
		for _, m := range agentID.FindAllStringSubmatch(e.text, -1) {
			ids = append(ids, m[1])
		}
	}
	return ids
}
