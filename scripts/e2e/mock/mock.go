// Package mock is a model server for end-to-end runs. It speaks as much of the
// Anthropic Messages, OpenAI Responses and OpenAI Chat Completions protocols as
// Claude Code, Codex and Pi need, and answers by script: the last "play:name" in
// the conversation picks one, the calls made since then pick the step.
package mock

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"time"
)

// maxRequests ends an agent that asks in circles.
const maxRequests = 80

// Server is a model on a loopback port of its own.
type Server struct {
	// URL has neither path nor trailing slash.
	URL string

	http    *httptest.Server
	release chan struct{}

	mu       sync.Mutex
	log      []string
	attempts map[string]int
}

// Start returns a running server. Close it.
func Start() *Server {
	s := &Server{release: make(chan struct{}), attempts: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.answer(messages{}))
	mux.HandleFunc("POST /v1/responses", s.answer(responses{}))
	mux.HandleFunc("POST /v1/chat/completions", s.answer(completions{}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.note(r.Method + " " + r.URL.Path + ": 404")
		http.Error(w, `{"error":{"type":"not_found_error","message":"no such path"}}`, http.StatusNotFound)
	})
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	return s
}

// Close hangs up on every client, whatever they wait for.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Release lets one held answer end. It waits for there to be one.
func (s *Server) Release() error {
	select {
	case s.release <- struct{}{}:
		return nil
	case <-time.After(20 * time.Second):
		return fmt.Errorf("no answer is being held back; requests: %s", strings.Join(s.Requests(), ", "))
	}
}

// Requests lists the requests so far as "script/step".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.log...)
}

func (s *Server) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, line)
}

// entry is one element of a conversation, whatever the protocol calls it.
type entry struct {
	user bool   // written by the person, or on their behalf
	text string // of a user's entry
	call string // id of a call that the model made
}

// protocol is one agent's way of asking.
type protocol interface {
	// conversation reads a request's body.
	conversation(body []byte) ([]entry, error)
	// fail writes an HTTP error in the protocol's shape.
	fail(w http.ResponseWriter, status int, message string)
	// write streams the step. It calls hold where a held answer pauses.
	write(e *events, step Step, ids []string, talk []entry, hold func())
}

func (s *Server) answer(p protocol) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the agent hung up
		}
		talk, err := p.conversation(body)
		if err != nil {
			p.fail(w, http.StatusBadRequest, err.Error())
			return
		}
		name, n := pick(talk)
		id := fmt.Sprintf("%s/%d", name, n)
		attempt, total := s.count(id)
		var asked struct{ Model string }
		_ = json.Unmarshal(body, &asked)
		if total > maxRequests {
			p.fail(w, http.StatusBadRequest, "mock: too many requests")
			return
		}
		step := scripts[name][min(n, len(scripts[name])-1)]
		if step.Status != 0 {
			if step.Failures == 0 || attempt <= step.Failures {
				p.fail(w, step.Status, step.Text)
				return
			}
			step.Text = "Recovered."
		}
		ids := make([]string, len(step.Calls))
		for i := range ids {
			ids[i] = callID(name, n, i)
		}
		p.write(newEvents(w, asked.Model, total), step, ids, talk, func() {
			if !step.Hold {
				return
			}
			select {
			case <-s.release:
			case <-r.Context().Done():
			}
		})
	}
}

// count logs a request and tells how often its step, and any, was asked for.
func (s *Server) count(id string) (attempt, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, id)
	s.attempts[id]++
	return s.attempts[id], len(s.log)
}

func callID(script string, step, i int) string {
	return fmt.Sprintf("call_%s_%d_%d", script, step, i)
}

var (
	named    = regexp.MustCompile(`play:([a-z0-9]+)`)
	reminder = regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>`)
	stepOf   = regexp.MustCompile(`^call_[a-z0-9]*_(\d+)_\d+`)
)

// pick finds the script and its next step.
func pick(talk []entry) (string, int) {
	name, step, last := "", 0, ""
	for _, e := range talk {
		if m := stepOf.FindStringSubmatch(e.call); m != nil {
			n := 0
			fmt.Sscan(m[1], &n)
			step = max(step, n+1)
		}
		if !e.user {
			continue
		}
		text := strings.TrimSpace(reminder.ReplaceAllString(e.text, ""))
		if text == "" {
			continue // the result of a call
		}
		last = text
		if strings.HasPrefix(text, "<task-notification>") {
			step++ // background work has ended
		}
		if text[0] == '<' {
			continue // what the agent adds
		}
		name, step = "", 0
		if m := named.FindAllStringSubmatch(text, -1); m != nil && scripts[m[len(m)-1][1]] != nil {
			name = m[len(m)-1][1]
		}
	}
	switch {
	case isTitle(last):
		return "title", 0
	case isSummary(last):
		return "summary", 0
	}
	return name, step
}

// isTitle recognises the side request for a name of the conversation, which
// quotes the prompt and its script.
func isTitle(prompt string) bool {
	return strings.Contains(prompt, "Generate a concise, single-line task title")
}

// isSummary recognises each agent's request for a compaction.
func isSummary(prompt string) bool {
	for _, words := range []string{
		"create a detailed summary",
		"CONTEXT CHECKPOINT COMPACTION",
		"<conversation>",   // Pi 0.74
		"# Conversation\n", // Pi 1
	} {
		if strings.Contains(prompt, words) {
			return true
		}
	}
	return false
}

// events writes a stream of server-sent events.
type events struct {
	w     http.ResponseWriter
	flush http.Flusher
	// model is the name that the agent asked for, id that of the answer; an
	// agent may take two answers of one id for one.
	model, id string
}

func newEvents(w http.ResponseWriter, model string, n int) *events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	flush, _ := w.(http.Flusher)
	return &events{w, flush, model, fmt.Sprintf("mock_%d", n)}
}

// object is a JSON object.
type object = map[string]any

// send writes one event; a name of "" leaves out its line. Errors mean that the
// agent hung up, which the next read of the request's context tells as well.
func (e *events) send(name string, data object) {
	if name != "" {
		fmt.Fprintf(e.w, "event: %s\n", name)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", mustJSON(data))
	e.flush.Flush()
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values built here
	}
	return string(b)
}

func failJSON(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, mustJSON(body))
}

// prompts reads the content of a person's message: a string, or parts of which
// some have a text. An agent puts its own remarks into parts beside the prompt.
func prompts(content json.RawMessage) []entry {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []entry{{user: true, text: s}}
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(content, &parts)
	var all []entry
	for _, p := range parts {
		all = append(all, entry{user: true, text: p.Text})
	}
	return all
}
