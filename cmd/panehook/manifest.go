package main

import (
	"errors"
	"os"

	"panehook/state"
	"panehook/transitions"
)

// recordResumeID puts the agent's session id into the session's manifest, so
// that whoever made the manifest can resume the agent. No manifest is made.
func recordResumeID(id string, ev *transitions.Event) error {
	root := state.StateRoot()
	resume := state.SanitizeResumeID(ev.Session)
	if root == "" || resume == "" {
		return nil
	}
	return updateManifest(root, id, ev.Agent, resume)
}

// updateManifest stores the resume id of an agent that the session's manifest
// names. A session without a manifest is an ordinary thing.
func updateManifest(root, id, agent, resume string) error {
	if _, err := os.Lstat(state.ManifestPath(root, id)); errors.Is(err, os.ErrNotExist) {
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
func setResumeID(m *state.Manifest, name, resume string) bool {
	changed, named := false, false
	for i := range m.Agents {
		if m.Agents[i].Name != name {
			continue
		}
		named = true
		if m.Agents[i].ResumeID != resume {
			m.Agents[i].ResumeID = resume
			changed = true
		}
	}
	if a := agentNamed(name); a != nil && named && m.ExtraString(a.resumeKey) != resume {
		m.SetExtra(a.resumeKey, resume)
		changed = true
	}
	return changed
}
