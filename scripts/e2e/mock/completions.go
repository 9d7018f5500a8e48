package mock

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// completions is the OpenAI Chat Completions API as Pi uses it.
type completions struct{}

func (completions) conversation(body []byte) ([]entry, error) {
	var req struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
			Calls   []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	var talk []entry
	for _, m := range req.Messages {
		if m.Role == "user" {
			talk = append(talk, prompts(m.Content)...)
		}
		for _, c := range m.Calls {
			talk = append(talk, entry{call: c.ID})
		}
	}
	return talk, nil
}

func (completions) fail(w http.ResponseWriter, status int, message string) {
	failJSON(w, status, object{"error": object{"message": message, "type": "mock_error", "code": fmt.Sprint(status)}})
}

func (completions) write(e *events, step Step, ids []string, _ []entry, hold func()) {
	send := func(delta object, finish any) {
		e.send("", object{
			"id": "chatcmpl_" + e.id, "object": "chat.completion.chunk", "created": 1700000000, "model": e.model,
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
			"usage":   object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
		})
	}
	send(object{"role": "assistant", "content": ""}, nil)
	if step.Text != "" {
		send(object{"content": step.Text}, nil)
		hold()
	}
	finish := "stop"
	for i, c := range step.Calls {
		name, arguments := piTool(c)
		send(object{"tool_calls": []object{{
			"index": i, "id": ids[i], "type": "function",
			"function": object{"name": name, "arguments": mustJSON(arguments)},
		}}}, nil)
		finish = "tool_calls"
	}
	send(object{}, finish)
	fmt.Fprint(e.w, "data: [DONE]\n\n")
}

func piTool(c Call) (string, object) {
	switch c.Kind {
	case "ask", "dialog": // tools of the extension that the tests install
		name := map[string]string{"ask": "ask_user", "dialog": "pick_one"}[c.Kind]
		return name, object{"question": c.Text, "options": c.Options}
	}
	return "bash", object{"command": c.Text}
}
