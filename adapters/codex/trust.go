package codex

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"panehook/adapters"
)

// eventLabel is the name of an event in trust records: PreToolUse is
// pre_tool_use there.
func eventLabel(event string) string {
	var label strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			label.WriteByte('_')
		}
		label.WriteRune(unicode.ToLower(r))
	}
	return label.String()
}

// position is the key under which config.toml knows an entry of hooks.json.
func position(path string, e adapters.HookEntry) string {
	return path + ":" + eventLabel(e.Event) + ":" + strconv.Itoa(e.Group) + ":" + strconv.Itoa(e.Index)
}

// trustHash is what Codex writes into config.toml when a person trusts a
// handler: the SHA-256 of the handler in a normal form, as JSON with sorted
// keys and no white space. Neither file nor position matter. Checked against
// hooks/list of Codex 0.171.0.
func trustHash(entry adapters.HookEntry) string {
	var b strings.Builder
	b.WriteString(`{"event_name":` + canonicalString(eventLabel(entry.Event)) + `,"hooks":[{`)
	if limit, ok := entry.Fields["additionalContextLimit"].(float64); ok && emitsContext(entry.Event) {
		fmt.Fprintf(&b, `"additionalContextLimit":%s,`, strconv.FormatFloat(limit, 'f', -1, 64))
	}
	async, _ := entry.Fields["async"].(bool)
	fmt.Fprintf(&b, `"async":%t,"command":%s,`, async, canonicalString(entry.Command))
	if message, ok := entry.Fields["statusMessage"].(string); ok {
		fmt.Fprintf(&b, `"statusMessage":%s,`, canonicalString(message))
	}
	fmt.Fprintf(&b, `"timeout":%d,"type":"command"}]`, effectiveTimeout(entry))
	if entry.Matcher != nil && honoursMatcher(entry.Event) {
		b.WriteString(`,"matcher":` + canonicalString(*entry.Matcher))
	}
	b.WriteString("}")
	sum := sha256Sum([]byte(b.String()))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func effectiveTimeout(entry adapters.HookEntry) int {
	given, ok := entry.Fields["timeout"].(float64)
	timeout := int(math.Max(1, given))
	switch {
	case entry.Event == "SessionEnd" || entry.Event == "Interrupt":
		return min(timeout, 3)
	case !ok:
		return 600
	}
	return timeout
}

func emitsContext(event string) bool {
	switch event {
	case "PreToolUse", "PostToolUse", "SessionStart", "UserPromptSubmit", "SubagentStart":
		return true
	}
	return false
}

func honoursMatcher(event string) bool {
	switch event {
	case "UserPromptSubmit", "Stop", "Interrupt", "PreModelRequest":
		return false
	}
	return true
}

// canonicalString is a JSON string as serde writes it: everything as UTF-8
// but quotes, backslashes and control characters.
func canonicalString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ':
			b.WriteRune(r)
		case strings.ContainsRune("\b\t\n\f\r", r):
			b.WriteString(map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}[r])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
