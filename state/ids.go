package state

import (
	"os"
	"strconv"
	"strings"
)

// IsValidSessionID reports whether id is "qm-" and then one or more ASCII
// letters, digits, "_" or "-". Such an id is safe as a file name.
func IsValidSessionID(id string) bool {
	rest, ok := strings.CutPrefix(id, SessionIDPrefix)
	return ok && isPlainName(rest)
}

// HasSessionIDPrefix reports whether id begins like a session id. It says
// nothing about the rest; IsValidSessionID does.
func HasSessionIDPrefix(id string) bool {
	return strings.HasPrefix(id, SessionIDPrefix)
}

// TrimSessionIDPrefix returns id without "qm-" in front, if it is there.
func TrimSessionIDPrefix(id string) string {
	return strings.TrimPrefix(id, SessionIDPrefix)
}

// NewSessionID returns the id of a session begun at timestamp: "qm-17" for 17.
func NewSessionID(timestamp int64) string {
	return SessionIDPrefix + strconv.FormatInt(timestamp, 10)
}

// NewSessionIDWithSuffix returns the id to try when that of NewSessionID is
// taken: "qm-17-3" for 17 and 3.
func NewSessionIDWithSuffix(timestamp, suffix int64) string {
	return NewSessionID(timestamp) + "-" + strconv.FormatInt(suffix, 10)
}

// SessionIDFromEnv returns $QUESTMASTER_SESSION as it stands, valid or not.
func SessionIDFromEnv() string {
	return os.Getenv(SessionEnv)
}

// SanitizeResumeID returns v if it holds only ASCII letters, digits, "_" and
// "-", else "". A resume id ends up in command lines, paths and patterns, where
// anything else could mean more than a name.
func SanitizeResumeID(v string) string {
	if !isPlainName(v) {
		return ""
	}
	return v
}

// isPlainName stands for the pattern ^[A-Za-z0-9_-]+$: compiling it would cost
// every hook more than its whole state file.
func isPlainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return s != ""
}
