package state

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// jsonType is one of our types that are JSON objects.
type jsonType interface {
	json.Marshaler
	json.Unmarshaler
}

// forms holds, for each type, an object with every key that it has, and keys of
// others at every level that keeps them.
var forms = map[string]struct {
	new  func() jsonType
	full string
}{
	"SessionState": {func() jsonType { return new(SessionState) }, `{"session_id":"qm-1","version":1,"panes":{"a":` + fullPane + `,"b":{"role":"b","agent":"","state":"","activity":"","seq":0,"last_event":"0001-01-01T00:00:00Z","last_kind":"","working_since":"0001-01-01T00:00:00Z"}},"seen_at":"2026-01-02T03:04:05Z","quest_id":"q","quest_loop":` + fullLoop + `,"future":{"a":[1,2,{"b":null}]},"more":1.50}`},
	"PaneState":    {func() jsonType { return new(PaneState) }, fullPane},
	"PaneMemory":   {func() jsonType { return new(PaneMemory) }, fullMemory},
	"Manifest": {func() jsonType { return new(Manifest) }, `{"agent_path":"/p","agents":[{"name":"codex","role":"primary","cli":"codex","resume_id":"r-1","window":2,"pane":"%3"},{"name":"","role":"","cli":"","window":0}],` +
		`"claude_session_id":"c","created_at":"2026-01-02T03:04:05Z","cwd":"/c","display":{"color":"red","color_changed_at":"2026-01-02T03:04:05.6Z","icon":"x"},"parent_session":"qm-0","session_id":"qm-1","session_type":"t","title":"T","updated_at":"u","window_name":"w","workers":["qm-2"]}`},
	"AgentManifest":   {func() jsonType { return new(AgentManifest) }, `{"name":"codex","role":"primary","cli":"codex","resume_id":"r-1","window":2,"pane":"%3","x":{"y":[]}}`},
	"DisplayMetadata": {func() jsonType { return new(DisplayMetadata) }, `{"color":"red","color_changed_at":"2026-01-02T03:04:05.6Z","icon":{"a":"x"}}`},
	"QuestLoopState":  {func() jsonType { return new(QuestLoopState) }, fullLoop},
	"RepoColor":       {func() jsonType { return new(RepoColor) }, `{"color":"red","updated_at":"u","by":"me"}`},
	"StateEvent":      {func() jsonType { return new(StateEvent) }, `{"ts":"2026-01-02T03:04:05.6Z","agent":"pi","role":"r","action":"a","state":"s","activity":"v","tool":"t","kind":"k","fields":{"a":[1,"x"],"b":{"c":true}}}`},
}

const (
	fullPane   = `{"role":"primary","agent":"claude","state":"working","activity":"Bash: a < b & c","tool":"Bash","seq":1796053354843397919,"last_event":"2026-01-02T03:04:05.000000006Z","last_kind":"PreToolUse","working_since":"2026-01-02T03:04:05+02:00","recent":["x",""],"session_file":"/f","pi_session_id":"p","panehook":` + fullMemory + `,"future":[true,"\u00e4"],"more":""}`
	fullMemory = `{"since":"2026-01-02T03:04:05Z","rest":"done","text":"t","owner":{"session":"s","pid":7,"started":8,"cwd":"/c","transcript":"/t"},"turn":{"id":"t1","start":"2026-01-02T03:04:05Z","open":true},"ended":["t0"],"calls":[{"id":"c","child":"d","tool":"Bash","activity":"a","key":"k"},{}],"prompts":[{"id":"p","child":"d","kind":"permission","tool":"Bash","activity":"a","key":"k"}],"children":[{"id":"d","kind":"Explore"}],"compacting":true,"asks":true,"outcome":"error","retries":2,"nested":["n"],"former":["f"],"later":{"x":-1e-7}}`
	fullLoop   = `{"since":"2026-01-02T03:04:05Z","iterations":3,"last_verdict":"no","phase":"waiting","owner":"me","z":0}`
)

func TestRoundTrips(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			v := form.new()
			if err := json.Unmarshal([]byte(form.full), v); err != nil {
				t.Fatal(err)
			}
			got, err := v.MarshalJSON()
			if err != nil || string(got) != form.full {
				t.Errorf("wrote %s\nwant  %s\n%v", got, form.full, err)
			}
			// Every field has a key, so none may be zero here.
			for field, value := range reflect.ValueOf(v).Elem().Fields() {
				if value.IsZero() {
					t.Errorf("%s is zero", field.Name)
				}
			}
			// What encoding/json makes of it differs only in its HTML escapes.
			std, err := json.Marshal(v)
			want := strings.NewReplacer("<", `\u003c`, "&", `\u0026`).Replace(form.full)
			if err != nil || string(std) != want {
				t.Errorf("encoding/json wrote %s, %v", std, err)
			}
		})
	}
}

// The table of a type and the tags of its fields say the same.
func TestMembersMatchTags(t *testing.T) {
	for _, v := range []laidOut{
		new(SessionState), new(PaneState), new(PaneMemory), new(Owner), new(Turn), new(Call), new(Prompt), new(Child),
		new(Manifest), new(AgentManifest), new(DisplayMetadata), new(QuestLoopState), new(RepoColor), new(StateEvent),
	} {
		var fromTags []string
		typ := reflect.TypeOf(v).Elem()
		for i := range typ.NumField() {
			field := typ.Field(i)
			tag := field.Tag.Get("json")
			if field.Name == "Memory" {
				tag = "panehook,omitempty" // "-" there, so that reflection leaves it to us
			}
			if tag == "" || tag == "-" {
				continue
			}
			key, option, _ := strings.Cut(tag, ",")
			// omitempty means nothing for a time: it is always written.
			if field.Type == reflect.TypeFor[time.Time]() && option == "omitempty" {
				option = ""
			}
			if option != "" {
				key += " optional"
			}
			fromTags = append(fromTags, key)
		}
		var fromTable []string
		for _, m := range v.layout().members {
			key := m.key
			if m.optional {
				key += " optional"
			}
			fromTable = append(fromTable, key)
		}
		if !reflect.DeepEqual(fromTable, fromTags) {
			t.Errorf("%T:\ntable %q\ntags  %q", v, fromTable, fromTags)
		}
	}
}

func TestDecodeTolerates(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"white space":        {" {\n\t\"color\" : \"red\" ,\r\n \"x\" : [ 1 , { \"a\" : 2 } ] } \n", `{"color":"red","x":[1,{"a":2}]}`},
		"a key twice":        {`{"color":"red","color":"blue","x":1,"x":2}`, `{"color":"blue","x":2}`},
		"an escaped key":     {`{"colo\u0072":"red","\u0078":1}`, `{"color":"red","x":1}`},
		"null":               {`{"color":null,"x":null}`, `{"x":null}`},
		"another kind":       {`{"color":5,"color_changed_at":{"a":1}}`, `{"color":5,"color_changed_at":{"a":1}}`},
		"both kinds":         {`{"color":5,"color":"red"}`, `{"color":"red"}`},
		"an empty key":       {`{"":1}`, `{"":1}`},
		"numbers as written": {`{"x":1.0,"y":1e2,"z":-0,"big":123456789012345678901234567890}`, `{"big":123456789012345678901234567890,"x":1.0,"y":1e2,"z":-0}`},
		"a surrogate pair":   {`{"x":"\ud83d\ude00"}`, `{"x":"😀"}`},
	} {
		var d DisplayMetadata
		if err := json.Unmarshal([]byte(c.in), &d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := d.MarshalJSON(); err != nil || string(got) != c.want {
			t.Errorf("%s: wrote %s, want %s (%v)", name, got, c.want, err)
		}
	}
	for _, bad := range []string{``, `nul`, `null`, `"x"`, `[]`, `{`, `{"color"}`, `{"color":"red"`, `{"color":"re`, `{color:1}`, `{"x":1}}`, `{"x":[}`, `{"x":1,}`, `{} {}`} {
		var d DisplayMetadata
		if err := d.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%q went through", bad)
		}
	}
	for _, bad := range []string{`{"panes":{"a":{"role":}}}`, `{"panes":{"a":{"panehook":{"turn":{"id"}}}}}`, `{"panes":{"a"}}`, `{"panes":{"a":{`, `{"quest_loop":{"since":}}`, `{"panes"`, `{"panes":{"a":nul}}`} {
		var ss SessionState
		if err := ss.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%q went through", bad)
		}
	}
}

func TestTimesOutsideOfJSON(t *testing.T) {
	for _, year := range []int{-1, 10000} {
		q := QuestLoopState{Since: time.Date(year, 1, 2, 3, 4, 5, 6, time.UTC)}
		want := `{"since":"0001-01-01T00:00:00Z","iterations":0}`
		if got, err := q.MarshalJSON(); err != nil || string(got) != want {
			t.Errorf("year %d: %s, %v", year, got, err)
		}
	}
}

// Types that could be compared before they kept unknown keys still can.
func TestComparable(t *testing.T) {
	agents := map[AgentManifest]bool{{Name: "codex"}: true}
	colors := map[RepoColor]bool{{Color: "red"}: true}
	loops := map[QuestLoopState]bool{{Iterations: 1}: true}
	if !agents[AgentManifest{Name: "codex"}] || !colors[RepoColor{Color: "red"}] || !loops[QuestLoopState{Iterations: 1}] {
		t.Error("equal values are not")
	}
}

// Reading what was written gives the same again, whatever was read first, and
// no key gets lost.
func FuzzRoundTrip(f *testing.F) {
	for _, form := range forms {
		f.Add([]byte(form.full))
	}
	for _, damage := range damagedStates {
		if len(damage) < 1000 {
			f.Add([]byte(damage))
		}
	}
	f.Add([]byte("{\"a\":\"\xff\",\"\\ud800\":1,\"\xfe\":2,\"role\":[],\"panes\":{\"\":null}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, form := range forms {
			v := form.new()
			if v.UnmarshalJSON(data) != nil {
				continue
			}
			once, err := v.MarshalJSON()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !json.Valid(once) {
				t.Fatalf("%s wrote %s", name, once)
			}
			again := form.new()
			if err := again.UnmarshalJSON(once); err != nil {
				t.Fatalf("%s does not read %s: %v", name, once, err)
			}
			twice, err := again.MarshalJSON()
			if err != nil || string(twice) != string(once) {
				t.Fatalf("%s wrote %s\nthen %s (%v)", name, once, twice, err)
			}
			if name == "StateEvent" {
				continue // keeps no unknown keys: lines are never rewritten
			}
			var before, after map[string]json.RawMessage
			if json.Unmarshal(data, &before) != nil || json.Unmarshal(once, &after) != nil {
				continue
			}
			for key, value := range before {
				if _, ok := after[key]; !ok && !droppable(name, key, string(value)) {
					t.Fatalf("%s lost %q of %s", name, key, data)
				}
			}
		}
	})
}

// droppable tells whether a key may be missing after a round trip: an empty
// value of an optional key, or a resume id that is none.
func droppable(name, key, value string) bool {
	switch key {
	case "claude_session_id", "codex_thread_id", "pi_session_id", "resume_id":
		return true
	}
	switch strings.Join(strings.Fields(value), "") {
	case `null`, `""`, `[]`, `{}`, `0`, `-0`, `false`, `"0001-01-01T00:00:00Z"`:
		return true
	}
	return key == "panehook" && name == "PaneState" || key == "owner" || key == "turn"
}
