package state

import (
	"errors"
	"io/fs"
	"os"
)

// StampQuest attaches a session to a quest. A session without a state gets one.
// An empty quest detaches, like ClearQuest.
func StampQuest(sessionID, questID string) error {
	if questID == "" {
		return ClearQuest(sessionID)
	}
	return UpdateSessionState(sessionID, func(ss *SessionState) bool {
		changed := ss.QuestID != questID
		ss.QuestID = questID
		return changed
	})
}

// ClearQuest detaches a session from its quest, if it has one.
func ClearQuest(sessionID string) error {
	return updateExisting(sessionID, func(ss *SessionState) bool {
		changed := ss.QuestID != ""
		ss.QuestID = ""
		return changed
	})
}

// QuestIDForSession returns the quest of a session, or "" where it has none, or
// no state of this version.
func QuestIDForSession(sessionID string) (string, error) {
	ss, err := LoadSessionState(sessionID)
	if ss == nil || ss.Version != SchemaVersion {
		return "", err
	}
	return ss.QuestID, err
}

// SessionsForQuest returns the ids of all sessions on a quest, sorted. It reads
// the state of every session below the root; those that cannot be read are on
// no quest.
func SessionsForQuest(questID string) ([]string, error) {
	var ids []string
	err := scanQuest(questID, func(id string) bool {
		ids = append(ids, id)
		return true
	})
	return ids, err
}

// IsQuestAttached reports whether any session is on the quest.
func IsQuestAttached(questID string) (bool, error) {
	attached := false
	err := scanQuest(questID, func(string) bool {
		attached = true
		return false
	})
	return attached, err
}

// scanQuest hands the sessions on a quest to found, until that returns false.
func scanQuest(questID string, found func(id string) bool) error {
	root := StateRoot()
	if root == "" || questID == "" {
		return nil
	}
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		s, err := openSession(root, entry.Name())
		if err != nil || !entry.IsDir() {
			continue // a manifest, a lock file, or nothing of ours
		}
		ss, err := s.load()
		if err == nil && ss.Version == SchemaVersion && ss.QuestID == questID && !found(s.id) {
			return nil
		}
	}
	return nil
}
