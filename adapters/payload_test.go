package adapters

import (
	"fmt"
	"strings"
	"testing"
)

// Of several members with one name the last counts, at every level.
func TestLastMemberCounts(t *testing.T) {
	p := ParsePayload([]byte(`{"a":"first","in":{"b":"first","b":"last"},"a":"last"}`), true)
	if got := p.Text("a"); got != "last" {
		t.Errorf("a is %q", got)
	}
	if got := TextIn(p.Get("in"), "b"); got != "last" {
		t.Errorf("b is %q", got)
	}
}

func TestTooManyMembers(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"first":"1"`)
	for i := range maxMembers {
		fmt.Fprintf(&b, `,"m%d":1`, i)
	}
	b.WriteString(`}`)
	p := ParsePayload([]byte(b.String()), true)
	if len(p.members) != maxMembers || len(p.oddities) != 1 || p.Text("first") != "1" {
		t.Errorf("%d members, odd: %q", len(p.members), p.oddities)
	}
}

// A path that could turn a terminal's writing around is none.
func TestPathsAreClean(t *testing.T) {
	for path, want := range map[string]string{
		"/home/é 日本/a b":    "/home/é 日本/a b",
		"/x/\u202ey":        "",
		"/x/\u009b31m":      "",
		"/x/\n":             "",
		"/x/\xff":           "",
		"/👩\u200d💻/project": "/👩\u200d💻/project",
	} {
		p := ParsePayload([]byte(`{"cwd":"`+strings.ReplaceAll(path, "\n", `\n`)+`"}`), true)
		if got := p.Path("cwd"); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}
