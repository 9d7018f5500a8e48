package state

import (
	"os"
	"path/filepath"
	"strings"
)

const (
	// SessionIDPrefix begins the id of every session.
	SessionIDPrefix = "qm-"

	// SessionEnv names the environment variable with the current session's id.
	SessionEnv = "QUESTMASTER_SESSION"

	// StateRootEnv names the environment variable that overrides the state root.
	StateRootEnv = "QUESTMASTER_STATE_ROOT"
)

// Names that no other program has to know.
const (
	rootName     = ".questmaster-state"
	lockSuffix   = ".lock"
	tempSuffix   = ".tmp"
	rolledSuffix = ".1"
	waitingName  = "waiting"
)

// StateRoot returns the folder that holds all sessions: $QUESTMASTER_STATE_ROOT,
// else .questmaster-state in the home folder, else "". With "" there is nowhere
// to read or write, and every function that takes a session id does nothing.
func StateRoot() string {
	if root := os.Getenv(StateRootEnv); root != "" {
		return root
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return ""
	}
	return filepath.Join(home, rootName)
}

// SessionStateDir returns <root>/<id>. An id that may come from outside has to
// pass IsValidSessionID first, or it could name a folder elsewhere.
func SessionStateDir(root, id string) string {
	return filepath.Join(root, id)
}

// SessionStatePath returns the path of the session's state.json.
func SessionStatePath(root, id string) string {
	return filepath.Join(root, id, "state.json")
}

// SessionStateLogPath returns the path of the session's event log, state.jsonl.
func SessionStateLogPath(root, id string) string {
	return filepath.Join(root, id, "state.jsonl")
}

// SessionStateRolledLogPath returns the path of the events before those in the
// event log, state.jsonl.1.
func SessionStateRolledLogPath(root, id string) string {
	return SessionStateLogPath(root, id) + rolledSuffix
}

// SessionStateLockPath returns the path of the file that writers of the
// session's files lock. It stands beside state.json because a lock on a file
// that is replaced guards nothing.
func SessionStateLockPath(root, id string) string {
	return SessionStatePath(root, id) + lockSuffix
}

// ManifestPath returns the path of the session's manifest, <root>/<id>.json.
func ManifestPath(root, id string) string {
	return filepath.Join(root, id+manifestSuffix)
}

// ManifestSessionID returns the id of the session whose manifest a file of the
// state root is by its name, else "".
func ManifestSessionID(name string) string {
	id, ok := strings.CutSuffix(name, manifestSuffix)
	if !ok || !IsValidSessionID(id) {
		return ""
	}
	return id
}
