package adapters

import (
	"slices"
	"strings"
)

// ownWord is in the name of our binary. Entries of one whose name does not hold
// it have it as their last word, so that they are known when the binary is
// renamed; the hook command passes over it.
const ownWord = "panehook"

// HookWords are the arguments with which an entry runs the program.
func HookWords(program, agent, event string) []string {
	words := []string{"hook", agent, event}
	if !strings.Contains(baseName(program), ownWord) {
		words = append(words, ownWord)
	}
	return words
}

// OwnCommand tells hook entries that panehook wrote from those of other
// programs: by program name and subcommand, never by the whole string, so that
// a moved or renamed binary, other quoting or other flags don't hide them.
type OwnCommand struct {
	// Agent is the word after "hook" in entries of a binary whose name does
	// not say panehook.
	Agent string
	// Self is the base name of the running binary, whatever it was renamed to.
	Self string
	// IsPanehook, if set, tells whether the file at a path is a build of this
	// program, for binaries renamed in between.
	IsPanehook func(path string) bool
}

// Program returns the program path of an entry, as it is spelled there, and
// whether the entry is ours. args are those of the exec form, nil for a shell
// line. An entry that does something else besides is not ours.
func (own OwnCommand) Program(command string, args []string) (string, bool) {
	if args != nil {
		return own.simple(append([]string{command}, args...))
	}
	// In the exec form, a command may hold blanks without being quoted; another
	// tool may have dropped its args.
	if own.isBare(command) {
		return command, true
	}
	return own.line(command, 0)
}

func (own OwnCommand) line(line string, depth int) (string, bool) {
	var only []string
	for _, words := range shellCommands(line) {
		words = withoutPrefixes(words)
		if isNoop(words) {
			continue
		}
		if only != nil {
			return "", false
		}
		only = words
	}
	if len(only) >= 3 && depth < 3 && isShell(only[0]) && strings.HasPrefix(only[1], "-") && strings.HasSuffix(only[1], "c") {
		return own.line(only[2], depth+1)
	}
	return own.simple(only)
}

func (own OwnCommand) simple(words []string) (string, bool) {
	if len(words) == 0 {
		return "", false
	}
	program, base := words[0], baseName(words[0])
	named := strings.Contains(base, ownWord)
	if len(words) == 1 {
		return program, own.isBare(program)
	}
	for i, word := range words[1:] {
		if word != "hook" {
			continue
		}
		if named || slices.Contains(words[i+2:], ownWord) {
			return program, true
		}
		if !slices.Contains(words[i+2:], own.Agent) {
			return "", false
		}
		return program, base == baseName(own.Self) || own.IsPanehook != nil && own.IsPanehook(program)
	}
	return "", false
}

// isBare tells whether command is nothing but the path of our binary.
func (own OwnCommand) isBare(command string) bool {
	base := baseName(command)
	return base == ownWord || strings.HasPrefix(base, ownWord+"-") && base == baseName(own.Self)
}

func baseName(path string) string {
	path = path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(path), ".exe")
}

// withoutPrefixes drops what people put before a command: assignments, shell
// keywords, and programs that run another one.
func withoutPrefixes(words []string) []string {
	for len(words) > 0 {
		name, _, assigned := strings.Cut(words[0], "=")
		switch {
		case assigned && isName(name):
		case slices.Contains([]string{"exec", "command", "env", "nohup", "if", "then", "else", "{", "}", "!"}, words[0]):
			if words[0] == "command" && len(words) > 1 && strings.HasPrefix(words[1], "-") {
				return words // "command -v": a question, see isNoop
			}
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}

// isNoop tells commands that only guard others or set an exit status.
func isNoop(words []string) bool {
	if len(words) == 0 {
		return true
	}
	return slices.Contains([]string{"true", ":", "false", "exit", "test", "[", "[[", "command", "which", "type", "hash", "fi"}, words[0])
}

func isShell(word string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "fish"}, baseName(word))
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
