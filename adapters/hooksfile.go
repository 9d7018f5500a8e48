package adapters

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// A hooks file is JSON of the shape
//
//	{"hooks": {"<event>": [{"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}]}}
//
// which Claude Code reads as settings.json and Codex as hooks.json, both with
// other keys beside it. A list of handlers with an optional matcher is called
// a group.

// HookHandler is an entry that shall stand in a hooks file.
type HookHandler struct {
	Event   string
	Command string
	Args    []string // the exec form; nil makes Command a shell line
	Timeout int      // seconds
}

// HookEntry is a handler as it was found in a hooks file.
type HookEntry struct {
	Event string
	// Group and Index count from zero: the group within the event, the handler
	// within the group.
	Group, Index int
	Matcher      *string
	Command      string
	Args         []string
	// Fields are all members of the handler, decoded.
	Fields map[string]any
	// Program is the program path of an entry of ours, else "".
	Program string
	Own     bool
}

// Runs tells whether e already says what h wants.
func (e HookEntry) Runs(h HookHandler) bool {
	for _, unwanted := range notOnHooks {
		if value, ok := e.Fields[unwanted]; ok && value != false {
			return false
		}
	}
	return e.Fields["type"] == "command" && e.Command == h.Command && slices.Equal(e.Args, h.Args) &&
		e.Fields["timeout"] == float64(h.Timeout)
}

// matchesAll tells whether the entry's group is for every tool or source.
func (e HookEntry) matchesAll() bool {
	return e.Matcher == nil || *e.Matcher == "" || *e.Matcher == "*"
}

// notOnHooks are settings of a handler that would lose events or run the
// command otherwise than it is meant. An async hook is killed when its agent
// ends (observed in Claude Code 2.1.197).
var notOnHooks = [...]string{"async", "asyncRewake", "once", "if", "shell", "commandWindows"}

// HooksFile is a parsed hooks file.
type HooksFile struct {
	json *jsonFile
	own  OwnCommand
}

// ParseHooksFile reads a hooks file; nil or blank bytes are an empty one. An
// error tells the line and column and quotes nothing.
func ParseHooksFile(file []byte, own OwnCommand) (*HooksFile, error) {
	f, err := parseJSONFile(file)
	if err != nil {
		return nil, err
	}
	return &HooksFile{f, own}, nil
}

// CheckShape returns an error unless every part of the file that holds hooks
// has the shape that agents accept. Agents drop a file of another shape whole,
// and what its writer meant cannot be known.
func (h *HooksFile) CheckShape() error {
	f := h.json
	if f.root.Value.Kind() != '{' {
		return f.wrong(&f.root, "the file is not an object")
	}
	if err := f.noDuplicateHooks(); err != nil {
		return err
	}
	hooks := memberOf(&f.root, "hooks")
	if hooks == nil {
		return nil
	}
	if hooks.Value.Kind() != '{' {
		return f.wrong(hooks, "hooks is not an object")
	}
	events, _ := elementsOf(hooks)
	for _, event := range events {
		if err := f.checkEvent(memberOf(hooks, event.name), "hooks."+event.name); err != nil {
			return err
		}
	}
	return nil
}

// checkEvent checks the groups of one event; path is where they stand.
func (f *jsonFile) checkEvent(groups *hujson.Value, path string) error {
	if groups.Value.Kind() != '[' {
		return f.wrong(groups, path+" is not an array")
	}
	list := arrayOf(groups)
	for i := range list {
		if err := f.checkGroup(&list[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (f *jsonFile) checkGroup(group *hujson.Value, path string) error {
	if group.Value.Kind() != '{' {
		return f.wrong(group, path+" is not an object")
	}
	handlers := memberOf(group, "hooks")
	if handlers == nil || handlers.Value.Kind() != '[' {
		return f.wrong(group, path+" has no array of hooks")
	}
	list := arrayOf(handlers)
	for i := range list {
		if list[i].Value.Kind() != '{' {
			return f.wrong(&list[i], fmt.Sprintf("%s.hooks[%d] is not an object", path, i))
		}
	}
	return nil
}

func (f *jsonFile) wrong(value *hujson.Value, what string) error {
	return fmt.Errorf("%s: %s", f.place(value.StartOffset), what)
}

func (f *jsonFile) noDuplicate(object *hujson.Value, name string) error {
	elements, _ := elementsOf(object)
	found := false
	for _, e := range elements {
		if e.name == name && found {
			return fmt.Errorf("%s: a second %q in the same object", f.place(e.start), name)
		}
		found = found || e.name == name
	}
	return nil
}

// noDuplicateHooks refuses names that are there twice on the way to a handler:
// which of the two counts, differs by reader.
func (f *jsonFile) noDuplicateHooks() error {
	if err := f.noDuplicate(&f.root, "hooks"); err != nil {
		return err
	}
	hooks := memberOf(&f.root, "hooks")
	if hooks == nil || hooks.Value.Kind() != '{' {
		return nil // that is for others to judge
	}
	events, _ := elementsOf(hooks)
	for _, event := range events {
		if err := f.noDuplicate(hooks, event.name); err != nil {
			return err
		}
		groups := arrayOf(memberOf(hooks, event.name))
		for i := range groups {
			if err := f.noDuplicate(&groups[i], "hooks"); err != nil {
				return err
			}
		}
	}
	return nil
}

// Entries lists the handlers of all events in the order of the file, passing
// over what has another shape.
func (h *HooksFile) Entries() []HookEntry {
	hooks := h.json.at("hooks")
	if hooks == nil || hooks.Value.Kind() != '{' {
		return nil
	}
	var entries []HookEntry
	events, _ := elementsOf(hooks)
	for _, event := range events {
		entries = append(entries, h.eventEntries(event.name)...)
	}
	return entries
}

func (h *HooksFile) eventEntries(event string) []HookEntry {
	var entries []HookEntry
	groups := arrayOf(h.json.at("hooks", event))
	for g := range groups {
		var matcher *string
		if m := memberOf(&groups[g], "matcher"); m != nil && m.Value.Kind() == '"' {
			text := m.Value.(hujson.Literal).String()
			matcher = &text
		}
		handlers := arrayOf(memberOf(&groups[g], "hooks"))
		for i := range handlers {
			entry := h.entry(&handlers[i])
			entry.Event, entry.Group, entry.Index, entry.Matcher = event, g, i, matcher
			entries = append(entries, entry)
		}
	}
	return entries
}

// entry reads a handler, without its place.
func (h *HooksFile) entry(handler *hujson.Value) HookEntry {
	entry := HookEntry{Fields: decodeObject(handler)}
	entry.Command, _ = entry.Fields["command"].(string)
	if args, ok := entry.Fields["args"].([]any); ok {
		entry.Args = make([]string, len(args))
		for i, arg := range args {
			entry.Args[i], _ = arg.(string)
		}
	}
	if kind, ok := entry.Fields["type"]; !ok || kind == "command" {
		if program, own := h.own.Program(entry.Command, entry.Args); own {
			entry.Program, entry.Own = program, true
		}
	}
	return entry
}

func decodeObject(value *hujson.Value) map[string]any {
	plain := value.Clone()
	plain.Standardize()
	var fields map[string]any
	_ = json.Unmarshal(plain.Pack(), &fields) // not an object: no fields
	return fields
}

// NotStrict says where the file leaves strict JSON, "" if it does not: at a byte
// order mark, a comment or a trailing comma.
func (h *HooksFile) NotStrict() string {
	if len(h.json.bom) > 0 {
		return "line 1: a byte order mark"
	}
	text := h.json.text
	plain, err := hujson.Standardize(bytes.Clone(text)) // keeps offsets
	if err != nil {
		return ""
	}
	for i := range text {
		if text[i] == plain[i] {
			continue
		}
		what := "a comment"
		if text[i] == ',' {
			what = "a trailing comma"
		}
		return h.json.place(i) + ": " + what
	}
	return ""
}

// Boolean returns the value of a top-level setting, false where it is absent
// or no boolean.
func (h *HooksFile) Boolean(name string) bool {
	value := h.json.at(name)
	return value != nil && value.Value.Kind() == 't'
}

// Strings returns the strings in a top-level array, none where it is absent.
func (h *HooksFile) Strings(name string) []string {
	var list []string
	for _, e := range arrayOf(h.json.at(name)) {
		if text, ok := e.Value.(hujson.Literal); ok && text.Kind() == '"' {
			list = append(list, text.String())
		}
	}
	return list
}

// JSONText is the text of a JSON string literal, "" if it is none.
func JSONText(literal string) string {
	var text string
	_ = json.Unmarshal([]byte(literal), &text)
	return text
}

// Bytes returns the file as it stands now.
func (h *HooksFile) Bytes() []byte {
	return h.json.bytes()
}

// Install makes the file hold exactly one entry of ours for each handler, and
// none besides. Entries of ours that are there are updated in their place,
// others are appended in a group of their own after everything that is there:
// an agent may know foreign entries by their position. original serves as in
// Uninstall. On error the file is as before.
func (h *HooksFile) Install(handlers []HookHandler, original []byte) error {
	if err := h.CheckShape(); err != nil {
		return err
	}
	before := *h.json
	err := h.json.editMember("hooks", func() error { return h.install(handlers, newHooksOriginal(original, h.own)) })
	if err != nil {
		*h.json = before
	}
	return err
}

func (h *HooksFile) install(handlers []HookHandler, original hooksOriginal) error {
	for _, handler := range handlers {
		if err := h.installOne(handler, original); err != nil {
			return err
		}
	}
	return h.removeOwn(original, func(e HookEntry) bool {
		return !slices.ContainsFunc(handlers, func(h HookHandler) bool { return h.Event == e.Event })
	})
}

func (h *HooksFile) installOne(handler HookHandler, original hooksOriginal) error {
	entries := h.eventEntries(handler.Event)
	keep := slices.IndexFunc(entries, func(e HookEntry) bool { return e.Own && e.matchesAll() })
	if keep < 0 {
		// A group of ours alone may lose a matcher, a foreign one may not.
		keep = slices.IndexFunc(entries, func(e HookEntry) bool {
			return e.Own && !slices.ContainsFunc(entries, func(other HookEntry) bool { return other.Group == e.Group && !other.Own })
		})
	}
	if keep < 0 {
		if err := h.append(handler); err != nil {
			return err
		}
		entries = h.eventEntries(handler.Event)
		keep = len(entries) - 1
	} else if err := h.update(entries[keep], handler); err != nil {
		return err
	}
	kept := entries[keep]
	return h.removeOwn(original, func(e HookEntry) bool {
		return e.Event == kept.Event && (e.Group != kept.Group || e.Index != kept.Index)
	})
}

func (h *HooksFile) append(handler HookHandler) error {
	entry := jsonObject{{"type", jsonString("command")}, {"command", jsonString(handler.Command)}}
	if handler.Args != nil {
		entry = append(entry, jsonMember{"args", jsonWords(handler.Args)})
	}
	entry = append(entry, jsonMember{"timeout", jsonInt(handler.Timeout)})
	group := jsonObject{{"hooks", jsonArray{entry}}}
	switch {
	case h.json.at("hooks", handler.Event) != nil:
		return h.json.insertLast(group, "hooks", handler.Event)
	case h.json.at("hooks") != nil:
		return h.json.insertLast(jsonMember{handler.Event, jsonArray{group}}, "hooks")
	default:
		return h.json.insertLast(jsonMember{"hooks", jsonObject{{handler.Event, jsonArray{group}}}})
	}
}

// update changes an entry of ours member by member, so that its formatting and
// what a person added to it stay.
func (h *HooksFile) update(entry HookEntry, handler HookHandler) error {
	path := []any{"hooks", entry.Event, entry.Group, "hooks", entry.Index}
	if !entry.matchesAll() {
		if err := h.json.removeMember("matcher", path[:3]...); err != nil {
			return err
		}
	}
	if entry.Runs(handler) {
		return nil
	}
	set := func(name string, is, want any, value jsonNode) error {
		if is == want {
			return nil
		}
		return h.json.setMember(name, value, path...)
	}
	err := errors.Join(
		set("type", entry.Fields["type"], "command", jsonString("command")),
		set("command", entry.Fields["command"], handler.Command, jsonString(handler.Command)),
		set("timeout", entry.Fields["timeout"], float64(handler.Timeout), jsonInt(handler.Timeout)))
	unwanted := notOnHooks[:]
	switch {
	case handler.Args == nil:
		unwanted = append(slices.Clone(unwanted), "args")
	case !slices.Equal(entry.Args, handler.Args):
		err = errors.Join(err, h.json.setMember("args", jsonWords(handler.Args), path...))
	}
	for _, name := range unwanted {
		err = errors.Join(err, h.json.removeMember(name, path...))
	}
	return err
}

// Uninstall takes every entry of ours out, and the groups, arrays and objects
// that held nothing else. original is the file before panehook first changed
// it, nil where it is not known or did not exist: what was empty already in it
// stays, with the white space that it had. On error the file is as before.
func (h *HooksFile) Uninstall(original []byte) error {
	if err := h.json.noDuplicateHooks(); err != nil {
		return err
	}
	before := *h.json
	err := h.json.editMember("hooks", func() error {
		return h.removeOwn(newHooksOriginal(original, h.own), func(HookEntry) bool { return true })
	})
	if err != nil {
		*h.json = before
	}
	return err
}

// UninstallFrom is Uninstall for a file on disk: it returns the bytes that
// shall stand there, nil where the file shall go because we made it.
func (h *HooksFile) UninstallFrom(file InstallFile) ([]byte, error) {
	if !slices.ContainsFunc(h.Entries(), func(e HookEntry) bool { return e.Own }) {
		return file.Now, nil
	}
	if err := h.Uninstall(file.Original); err != nil {
		return nil, err
	}
	if h.IsEmpty() && file.Original == nil {
		return nil, nil
	}
	if h.IsEmpty() && isBlank(bytes.TrimPrefix(file.Original, utf8BOM)) {
		return file.Original, nil
	}
	return h.Bytes(), nil
}

// IsEmpty tells whether nothing is left in the file but an empty object.
func (h *HooksFile) IsEmpty() bool {
	elements, tail := elementsOf(&h.json.root)
	return h.json.root.Value.Kind() == '{' && len(elements) == 0 && isBlank(tail)
}

func (h *HooksFile) removeOwn(original hooksOriginal, unwanted func(HookEntry) bool) error {
	entries := h.Entries()
	for _, entry := range slices.Backward(entries) { // indexes before it stay true
		if entry.Own && unwanted(entry) {
			if err := h.removeEntry(entry, original); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *HooksFile) removeEntry(entry HookEntry, original hooksOriginal) error {
	f := h.json
	if err := f.remove(entry.Index, "", "hooks", entry.Event, entry.Group, "hooks"); err != nil {
		return err
	}
	if !f.isHollow("hooks", entry.Event, entry.Group, "hooks") {
		return nil
	}
	if err := f.remove(entry.Group, original.inside("hooks", entry.Event), "hooks", entry.Event); err != nil {
		return err
	}
	if !f.isHollow("hooks", entry.Event) || original.has("hooks", entry.Event) {
		return nil
	}
	if err := f.removeNamed(entry.Event, original.inside("hooks"), "hooks"); err != nil {
		return err
	}
	if !f.isHollow("hooks") || original.has("hooks") {
		return nil
	}
	return f.removeNamed("hooks", original.inside())
}

func (f *jsonFile) removeNamed(name, empty string, path ...any) error {
	elements, _ := elementsOf(f.at(path...))
	for i, e := range slices.Backward(elements) {
		if e.name == name {
			return f.remove(i, empty, path...)
		}
	}
	return nil
}

// isHollow tells whether a container holds nothing, not even a comment.
func (f *jsonFile) isHollow(path ...any) bool {
	elements, tail := elementsOf(f.at(path...))
	return len(elements) == 0 && isBlank(tail)
}

// hooksOriginal is a hooks file before we came; nil where it is not known.
type hooksOriginal struct{ json *jsonFile }

func newHooksOriginal(file []byte, own OwnCommand) hooksOriginal {
	if file == nil {
		return hooksOriginal{}
	}
	parsed, err := ParseHooksFile(file, own)
	if err != nil || slices.ContainsFunc(parsed.Entries(), func(e HookEntry) bool { return e.Own }) {
		return hooksOriginal{} // not the file before us after all
	}
	return hooksOriginal{parsed.json}
}

func (o hooksOriginal) has(path ...any) bool {
	return o.json != nil && o.json.at(path...) != nil
}

// inside is what stood between the brackets of an empty container.
func (o hooksOriginal) inside(path ...any) string {
	if !o.has(path...) {
		return ""
	}
	elements, tail := elementsOf(o.json.at(path...))
	if len(elements) > 0 {
		return ""
	}
	return string(tail)
}
