// Package adaptertest holds the tests that every adapter has to pass. They
// start from the payloads in the scripts whose names begin with the adapter's.
package adaptertest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"panehook/adapters"
	"panehook/transitions"
)

// Call is a hook call as a script has it.
type Call struct {
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload"`
}

// Calls returns the hook calls in the adapter's scripts.
func Calls(tb testing.TB, a *adapters.Adapter) []Call {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", a.Name+"-*.txtar"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no scripts of %s: %v", a.Name, err)
	}
	var calls []Call
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var c Call
			if bytes.HasPrefix(line, []byte(`{"t"`)) && json.Unmarshal(line, &c) == nil && c.Event != "" {
				calls = append(calls, c)
			}
		}
	}
	return calls
}

// Fuzz gives the adapter any event with any payload, whole and cut, as it is
// and as the reader of standard input would hand it on. Nothing panics, and
// whatever comes out is bounded and safe.
func Fuzz(f *testing.F, a *adapters.Adapter) {
	for _, c := range Calls(f, a) {
		f.Add(c.Event, []byte(c.Payload), true)
	}
	for _, h := range a.Hooks {
		for _, odd := range Odd {
			f.Add(h.Name, []byte(odd), true)
		}
		for _, word := range h.Words {
			f.Add(word, []byte(nil), false)
		}
	}
	f.Fuzz(func(t *testing.T, event string, payload []byte, whole bool) {
		r := a.Translate(event, payload, whole)
		Check(t, &r)
		if a.Consult != nil {
			a.Consult(&r, payload, payload)
			Check(t, &r)
		}
		var s adapters.Scanner
		s.Feed(payload)
		r = a.Translate(event, s.Payload(), s.Complete())
		Check(t, &r)

		safe := adapters.SafeCopy(payload)
		if !json.Valid(safe) || !utf8.Valid(safe) {
			t.Errorf("the safe copy is no JSON: %q", safe)
		}
		if again := adapters.SafeCopy(safe); !bytes.Equal(again, safe) {
			t.Errorf("the safe copy of a safe copy differs:\n%s\n%s", safe, again)
		}
	})
}

// Odd are payloads that no agent should send.
var Odd = []string{
	"", " ", "null", "true", "17", `"text"`, "[]", "{}", "{", "}", "{]", "[}", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{,}`,
	"\xff\xfe", "\xef\xbb\xbf{}", "{\"session_id\":\"\xff\xfe\"}", `{"session_id":"\ud800"}`, `{"session_id":"\udc00\ud800"}`,
	`{"session_id":"a","session_id":"b","session_id":null}`, `{"":""}`, `{"session_id":{"session_id":"a"}}`,
	`{"tool_name":"Bash","tool_input":"ls"}`, `{"tool_name":{"tool_name":"Bash"},"tool_input":["ls",[["x"]]]}`,
	`{"tool_input":{"command":{"command":"ls"}},"tool_name":7,"tool_use_id":1e309}`,
	`{"prompt":["a"],"message":{"content":5},"messages":{"0":{}},"text":null,"title":{},"args":"x","tool":[]}`,
	`{"background_tasks":{"a":1},"last_assistant_message":["x"],"is_interrupt":"yes","agent_id":[],"agent_type":0}`,
	`{"background_tasks":[1,"a",null,[],{"type":{},"status":[],"id":{}}]}`,
	`{"message":{"role":["assistant"],"content":[1,null,{"text":{}},{"text":"a"}],"stopReason":{}}}`,
	`{"messages":[null,1,"x",{"role":"assistant","content":"y","stopReason":"error","errorMessage":{"a":1}}],"mode":{}}`,
	`{"questions":1,"tool_name":"AskUserQuestion","tool_input":{"questions":{"0":{"question":"x"}}}}`,
	`{"hook_event_name":["Stop"],"event":{"x":1}}`, `{"hook_event_name":"\u0000","event":"\u001b[2J"}`,
	`{"cwd":"\u0000/x","transcript_path":"/a\nb","session_file":7}`,
	strings.Repeat(`{"tool_input":`, 900) + "1" + strings.Repeat("}", 900),
	`{"tool_name":"X","tool_input":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`,
	`{"prompt":"` + strings.Repeat("e\u0301\u0302\u0303\u0304", 400) + `"}`,
}

// Prefixes cuts the payloads of the scripts, at one byte in seven. The event named on
// the command line is still the one that is read, and means what it means
// without a payload or with the whole one.
func Prefixes(t *testing.T, a *adapters.Adapter) {
	for i, c := range Calls(t, a) {
		whole := a.Translate(c.Event, c.Payload, true)
		none := a.Translate(c.Event, nil, false)
		for n := i % 7; n < len(c.Payload); n += 7 {
			cut := a.Translate(c.Event, c.Payload[:n], false)
			Check(t, &cut)
			if cut.Event.Name != whole.Event.Name {
				t.Fatalf("%s: %s is read as %s", c.Payload[:n], whole.Event.Name, cut.Event.Name)
			}
			if session := cut.Event.Session; session != "" && session != whole.Event.Session {
				t.Fatalf("%s: session %q, whole %q", c.Payload[:n], session, whole.Event.Session)
			}
			if k := cut.Event.Kind; k != whole.Event.Kind && k != none.Event.Kind && !between(a, c, n) {
				t.Fatalf("%s: %s, whole %s, without %s", c.Payload[:n], k, whole.Event.Kind, none.Event.Kind)
			}
		}
	}
}

// between tells whether a prefix holds members that make something else of an
// event than either the whole payload or none does: those that come before the
// ones that decide.
func between(a *adapters.Adapter, c Call, n int) bool {
	closed := append(bytes.Clone(c.Payload[:max(bytes.LastIndex(c.Payload[:n], []byte(`,"`)), bytes.LastIndex(c.Payload[:n], []byte(`, "`)), 1)]), '}')
	return json.Valid(closed) && a.Translate(c.Event, closed, true).Event.Kind == a.Translate(c.Event, c.Payload[:n], false).Event.Kind
}

// SafeCopies reads every payload of the scripts a second time from its safe
// copy, as panehook replay does with a recording.
func SafeCopies(t *testing.T, a *adapters.Adapter) {
	for _, c := range Calls(t, a) {
		if string(c.Payload) == "null" || bytes.Contains(c.Payload, []byte(`\u001b`)) {
			continue
		}
		want := a.Translate(c.Event, c.Payload, true).Event
		got := a.Translate(c.Event, adapters.SafeCopy(c.Payload), true).Event
		if got.Kind != want.Kind || got.Outcome != want.Outcome || got.Trigger != want.Trigger || got.Ask != want.Ask || got.Activity != want.Activity {
			t.Errorf("%s: %+v, from its safe copy %+v", c.Payload, want, got)
		}
	}
}

var (
	asks = []string{
		"", transitions.AskPermission, transitions.AskQuestion, transitions.AskPlan,
		transitions.AskElicitation, transitions.AskDialog, transitions.AskNotice,
	}
	outcomes = []transitions.Outcome{
		"", transitions.Aborted, transitions.Failed, transitions.Retrying, transitions.Review, transitions.Settled, transitions.Partial,
	}
	triggers = []transitions.Trigger{"", transitions.Manual, transitions.Auto, transitions.Compacting}
)

// Check holds a reading against what every event promises.
func Check(t *testing.T, r *adapters.Reading) {
	t.Helper()
	ev := &r.Event
	if ev.Kind == "" || ev.Agent == "" {
		t.Errorf("kind %q of agent %q", ev.Kind, ev.Agent)
	}
	line := func(what, text string) {
		t.Helper()
		if adapters.Clean(text) != text || !utf8.ValidString(text) {
			t.Errorf("%s is not clean: %q, which cleaned is %q", what, text, adapters.Clean(text))
		}
	}
	word := func(what, text string) {
		t.Helper()
		if adapters.Word(text) != text {
			t.Errorf("%s is no word: %q", what, text)
		}
	}
	id := func(what, text string) {
		t.Helper()
		if adapters.Ident(text) != text {
			t.Errorf("%s is no id: %q", what, text)
		}
	}
	path := func(what, text string) {
		t.Helper()
		if len(text) > 1024 || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\n\r\x1b\x7f") {
			t.Errorf("%s is no path: %q", what, text)
		}
	}
	line("activity", ev.Activity)
	word("name", ev.Name)
	word("tool", ev.Tool)
	id("session", ev.Session)
	id("turn", ev.Turn)
	id("child", ev.Child)
	id("call", ev.Call)
	id("key", ev.Key)
	path("working directory", ev.Cwd)
	path("transcript", ev.Transcript)
	path("file to consult", r.Consult)
	for _, c := range ev.Running {
		id("background work", c.ID)
		word("kind of background work", c.Kind)
	}
	if len(ev.Recent) > 40 {
		t.Errorf("%d recent lines", len(ev.Recent))
	}
	for _, text := range ev.Recent {
		line("recent line", text)
	}
	for _, text := range r.Odd {
		line("what was not understood", text)
	}
	if !slices.Contains(asks, ev.Ask) || !slices.Contains(outcomes, ev.Outcome) || !slices.Contains(triggers, ev.Trigger) {
		t.Errorf("ask %q, outcome %q, trigger %q", ev.Ask, ev.Outcome, ev.Trigger)
	}
}
