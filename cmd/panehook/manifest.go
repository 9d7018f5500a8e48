package main

import (
	"errors"
	"os"
	"path/filepath"

	"panehook/state"
)

// resumeKeys are the manifest's older names for an agent's resume id.
var resumeKeys = [...]struct{ agent, key string }{
	{"claude", "claude_session_id"},
	{"codex", "codex_thread_id"},
	{"pi", "pi_session_id"},
}

// updateManifest stores the resume id of an agent that the session's manifest
// names. A session without a manifest is an ordinary thing.
func updateManifest(root, id, agent, resume string) error {
	if _, err := os.Lstat(filepath.Join(root, id+".json")); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	store := state.OpenStore(root)
	m, err := store.Read(id)
	if err != nil || !setResumeID(&m, agent, resume) {
		return err
	}
	return store.Update(id, func(m *state.Manifest) { setResumeID(m, agent, resume) })
}

// setResumeID tells whether it changed anything.
func setResumeID(m *state.Manifest, agent, resume string) bool {
	changed, named := false, false
	for i := range m.Agents {
		if m.Agents[i].Name != agent {
			continue
		}
		named = true
		if m.Agents[i].ResumeID != resume {
			m.Agents[i].ResumeID = resume
			changed = true
		}
	}
	for _, k := range resumeKeys {
		if named && k.agent == agent && m.ExtraString(k.key) != resume {
			m.SetExtra(k.key, resume)
			changed = true
		}
	}
	return changed
}
