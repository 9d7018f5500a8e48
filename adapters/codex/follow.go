package codex

import (
	"strings"

	"panehook/adapters"
)

// follower works out what has to become of the trust records when the entries
// of hooks.json change. A record names its hook by position: when one of ours
// goes, the records of later foreign hooks move with these.
type follower struct {
	config        *configFile
	paths         []string // those of hooksPaths
	before, after []adapters.HookEntry
	change        trustEdit
}

func followHooks(program string, config *configFile, paths []string, before, after []adapters.HookEntry) trustEdit {
	f := follower{config, paths, before, after, trustEdit{remove: map[string]bool{}, rename: map[string]string{}}}
	for i, path := range paths {
		f.move(path, i == 0)
	}
	f.removeStrays(program)
	f.trustOwn()
	return f.change
}

// move lets the records under one path follow their hooks. Of ours, one goes on
// for each event, so that what a person switched off stays off.
func (f *follower) move(path string, isFirst bool) {
	passed := map[string]int{} // per event, foreign entries
	kept := map[string]bool{}  // per event, whether one of ours goes on
	for _, e := range f.before {
		key := position(path, e)
		if !e.Own {
			if now, ok := nth(f.after, e.Event, passed[e.Event], false); ok {
				f.change.rename[key] = position(path, now)
			}
			passed[e.Event]++
			continue
		}
		now, still := nth(f.after, e.Event, 0, true)
		if still && isFirst && !kept[e.Event] && f.config.find(key) != nil {
			kept[e.Event] = true
			f.change.rename[key] = position(path, now)
		} else {
			f.change.remove[key] = true
		}
	}
}

// removeStrays drops the records that trust a hook of ours and belong to no
// entry, such as those of an installation that was cut short.
func (f *follower) removeStrays(program string) {
	ours := map[string]bool{} // by hash
	for _, h := range handlers(program) {
		ours[trustHash(adapters.HookEntry{Event: h.Event, Command: h.Command, Fields: map[string]any{"timeout": float64(h.Timeout)}})] = true
	}
	for _, entries := range [...][]adapters.HookEntry{f.before, f.after} {
		for _, e := range entries {
			if e.Own {
				ours[trustHash(e)] = true
			}
		}
	}
	occupied := map[string]bool{} // by a foreign entry
	for _, path := range f.paths {
		for _, e := range f.before {
			if !e.Own {
				occupied[position(path, e)] = true
			}
		}
	}
	for _, r := range f.config.records {
		if ours[r.hash] && !occupied[r.key] && f.change.rename[r.key] == "" && isPosition(r.key, f.paths) {
			f.change.remove[r.key] = true
		}
	}
}

// trustOwn asks for a record for each entry of ours.
func (f *follower) trustOwn() {
	carried := map[string]bool{}
	for _, key := range f.change.rename {
		carried[key] = true
	}
	for _, e := range f.after {
		if !e.Own {
			continue
		}
		key := position(f.paths[0], e)
		if _, moves := f.change.rename[key]; !moves && !carried[key] && f.config.find(key) != nil {
			f.change.remove[key] = true // left behind by a hook that is gone
		}
		f.change.want = append(f.change.want, wantedTrust{key, trustHash(e)})
	}
}

// nth finds the entry of an event that is the n-th of ours, or of the others.
func nth(entries []adapters.HookEntry, event string, n int, own bool) (adapters.HookEntry, bool) {
	for _, e := range entries {
		if e.Event == event && e.Own == own {
			if n == 0 {
				return e, true
			}
			n--
		}
	}
	return adapters.HookEntry{}, false
}

func isPosition(key string, paths []string) bool {
	for _, path := range paths {
		if strings.HasPrefix(key, path+":") {
			return true
		}
	}
	return false
}
