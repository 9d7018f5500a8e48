package state

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func logText(t testing.TB, root string) string {
	t.Helper()
	data, err := os.ReadFile(SessionStateLogPath(root, testID))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAppendStateEvent(t *testing.T) {
	root := tempRoot(t)
	if err := AppendStateEvent(testID, event("a")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), root) {
		t.Errorf("without a root: %v", err)
	}
	if err := makeRoot(root); err != nil {
		t.Fatal(err)
	}
	now = func() time.Time { return time.Unix(1_800_000_000, 1).In(time.FixedZone("", -7200)) }
	defer func() { now = time.Now }()
	if err := AppendStateEvent(testID, StateEvent{}); err != nil {
		t.Fatal(err)
	}
	ev := StateEvent{
		Ts: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Agent: "pi", Role: "primary", Action: "a",
		State: "working", Activity: "Bash: a < b && c\nd\xff", Tool: "Bash", Kind: "tool",
		Fields: map[string]any{
			"z": "text", "y": []string{"a", "b"}, "x": map[string]any{"k": nil, "a": true}, "w": 7, "v": int64(8), "u": 1.5,
			"t": json.RawMessage(" { \"a\" : [ 1 , 2 ] } "), "s": []any{"a", 1}, "r": time.Duration(9),
			"q": struct{ A int }{1}, "p": math.NaN(), "o": make(chan int), "n": json.RawMessage("{"), "m": json.RawMessage(nil),
			"l": math.MaxFloat64, "k": []string{}, "j": math.Inf(-1),
		},
	}
	if err := AppendStateEvent(testID, ev); err != nil {
		t.Fatal(err)
	}
	want := `{"ts":"2027-01-15T08:00:00.000000001Z","agent":"","action":""}
{"ts":"2026-01-02T03:04:05.000000006Z","agent":"pi","role":"primary","action":"a","state":"working","activity":"Bash: a < b && c\nd` + "\uFFFD" + `","tool":"Bash","kind":"tool","fields":{"j":null,"k":[],"l":1.7976931348623157e+308,"m":null,"n":null,"o":null,"p":null,"q":{"A":1},"r":9,"s":["a",1],"t":{"a":[1,2]},"u":1.5,"v":8,"w":7,"x":{"a":true,"k":null},"y":["a","b"],"z":"text"}}
`
	if got := logText(t, root); got != want {
		t.Errorf("log:\n%swant:\n%s", got, want)
	}
	if err := AppendStateEvent("qm-/", ev); err == nil {
		t.Error("a bad id went through")
	}
}

func TestATornLineDoesNotSwallowTheNext(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	log := SessionStateLogPath(root, testID)
	if err := os.Truncate(log, int64(len(logText(t, root))-5)); err != nil {
		t.Fatal(err)
	}
	if err := AppendStateEvent(testID, event("b")); err != nil {
		t.Fatal(err)
	}
	if err := AppendStateEvent(testID, event("c")); err != nil {
		t.Fatal(err)
	}
	if got := loggedActions(t, root); got != "b c" {
		t.Errorf("logged %q", got)
	}
	if lines := strings.Count(logText(t, root), "\n"); lines != 3 {
		t.Errorf("%d lines:\n%s", lines, logText(t, root))
	}
}

func TestLogRotation(t *testing.T) {
	root := tempRoot(t)
	log := SessionStateLogPath(root, testID)
	mustRecord(t, "a")
	fill := func(size int) {
		t.Helper()
		if err := os.WriteFile(log, []byte(strings.Repeat("x", size-1)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fill(StateJSONLMaxSize - 1)
	mustRecord(t, "b")
	if _, err := os.Stat(log + ".1"); !os.IsNotExist(err) {
		t.Errorf("rotated below the limit: %v", err)
	}
	fill(StateJSONLMaxSize)
	mustRecord(t, "c")
	if got := loggedActions(t, root); got != "c" || strings.Count(logText(t, root), "\n") != 1 {
		t.Errorf("logged %q", got)
	}
	if info, err := os.Stat(log + ".1"); err != nil || info.Size() != StateJSONLMaxSize {
		t.Errorf("rotated: %v, %v", info, err)
	}
	fill(StateJSONLMaxSize + 1)
	if err := AppendStateEvent(testID, event("d")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(log + ".1"); err != nil || info.Size() != StateJSONLMaxSize+1 {
		t.Errorf("rotated again: %v, %v", info, err)
	}
	entries, err := os.ReadDir(SessionStateDir(root, testID))
	if err != nil || len(entries) != 4 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// A write that fails part of the way is taken back.
func TestAFailedAppendLeavesNoHalfLine(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	before := logText(t, root)
	log, err := openLog(&session{root: root, id: testID, dir: SessionStateDir(root, testID)}, os.O_RDONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	if err := log.append([]byte("{}\n")); err == nil {
		t.Error("a file opened for reading was written")
	}
	if got := logText(t, root); got != before {
		t.Errorf("log: %s", got)
	}
}

func TestStateEventJSON(t *testing.T) {
	line := `{"ts":"2026-01-02T03:04:05.6Z","agent":"pi","role":"r","action":"a","state":"s","activity":"v","tool":"t","kind":"k","fields":{"big":1796053354843397919,"f":1.5,"huge":1e999,"list":[1,"a",null,{"b":[]}],"n":12,"no":false,"o":{"p":{"q":true}},"s":"x"}}`
	var ev StateEvent
	if err := json.Unmarshal([]byte(line), &ev); err != nil {
		t.Fatal(err)
	}
	if n, ok := ev.Fields["big"].(int64); !ok || n != 1796053354843397919 {
		t.Errorf("big = %#v", ev.Fields["big"])
	}
	if n, ok := ev.Fields["n"].(float64); !ok || n != 12 {
		t.Errorf("n = %#v", ev.Fields["n"])
	}
	if list, ok := ev.Fields["list"].([]any); !ok || len(list) != 4 {
		t.Errorf("list = %#v", ev.Fields["list"])
	}
	if got, err := ev.MarshalJSON(); err != nil || string(got) != line {
		t.Errorf("wrote %s, %v", got, err)
	}
	for _, bad := range []string{``, `[]`, `{`, `{"fields":{"a":}}`, `{"fields":{"a":[1,}}`, `{"fields":{"a":{"b":tru}}}`} {
		if err := ev.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s went through", bad)
		}
	}
	if err := ev.UnmarshalJSON([]byte(`{"fields":7,"action":"b"}`)); err != nil || ev.Action != "b" {
		t.Errorf("%+v, %v", ev, err)
	}
}

// sameJSON compares values, not how numbers are written.
func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// Whatever an agent sends, a line of the log is one line of strict JSON.
func FuzzLogLine(f *testing.F) {
	f.Add("Bash", "a\nb", "\"\\", []byte(`{"a":1}`), 1.5)
	f.Add("\xff", "\x00\u2028", "\xed\xa0\x80", []byte(`["\ud800"]`), math.Inf(1))
	f.Fuzz(func(t *testing.T, tool, activity, key string, raw []byte, number float64) {
		ev := StateEvent{Tool: tool, Activity: activity, Fields: map[string]any{
			key: activity, "raw": json.RawMessage(raw), "n": number, "deep": map[string]any{key: []string{tool}},
		}}
		line, err := ev.line()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(line), "\n") != 1 || !utf8.Valid(line) || !json.Valid(line) {
			t.Errorf("line %q", line)
		}
		var back storedEvent
		if err := decode(line, &back); err != nil {
			t.Errorf("line %q: %v", line, err)
		}
		again, err := back.StateEvent.line()
		if err != nil || !sameJSON(line, again) {
			t.Errorf("wrote %q, then %q (%v)", line, again, err)
		}
	})
}
