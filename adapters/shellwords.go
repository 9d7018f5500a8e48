package adapters

import "strings"

// ShellQuote makes s one word of a POSIX shell line. Words that need no
// quoting stay bare.
func ShellQuote(s string) string {
	plain := s != ""
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("_@%+:,./-", r):
		default:
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ShellLine is a command as a POSIX shell reads it.
func ShellLine(program string, args []string) string {
	line := ShellQuote(program)
	for _, arg := range args {
		line += " " + ShellQuote(arg)
	}
	return line
}

// shellCommands splits a shell line into its simple commands, each a list of
// words with the quoting taken off and redirections left out. It knows as much
// of the shell's grammar as people put into hook settings: quotes, escapes,
// comments, separators and redirections; expansions stay as they are spelled.
func shellCommands(line string) [][]string {
	var (
		commands [][]string
		words    []string
		word     strings.Builder
		inWord   bool
		skipNext bool // the next word is the target of a redirection
	)
	endWord := func() {
		if inWord && !skipNext {
			words = append(words, word.String())
		}
		if inWord {
			skipNext = false
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		endWord()
		skipNext = false
		if len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				end = len(line) - i - 1
			}
			word.WriteString(line[i+1 : i+1+end])
			inWord, i = true, i+1+end
		case c == '"':
			inWord = true
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`\n", line[i+1]) >= 0 {
					i++
				}
				word.WriteByte(line[i])
			}
		case c == '\\':
			if i++; i < len(line) && line[i] != '\n' {
				word.WriteByte(line[i])
				inWord = true
			}
		case c == ' ' || c == '\t':
			endWord()
		case c == '#' && !inWord:
			for i+1 < len(line) && line[i+1] != '\n' {
				i++
			}
		case c == '&' && (strings.HasPrefix(line[i+1:], ">") || i > 0 && line[i-1] == '>'):
			// "&>file" and ">&2" are redirections.
		case c == '>' || c == '<':
			if isDigits(word.String()) {
				word.Reset()
				inWord = false
			}
			endWord()
			skipNext = true
		case c == '\n' || strings.IndexByte(";&|()", c) >= 0:
			endCommand()
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	endCommand()
	return commands
}
