package adapters

import "fmt"

// Installation is how panehook gets into one agent: which files that takes,
// and what has to stand in them. It is pure; the command reads and writes.
type Installation struct {
	// Agent is the word on the command line.
	Agent string
	// Programs are the names under which the agent is started.
	Programs []string
	// Package is the npm package that holds the program, where it came that way.
	Package string
	// Files are the files, relative to the agent's directory, in the order in
	// which an installation writes them. An uninstallation goes backwards.
	Files []string
	// TrustFile is the one of Files that only says which hooks are trusted.
	TrustFile string
	// OwnFiles tells that nothing but ours is ever in Files.
	OwnFiles bool
	// ReadOnly are files in the same directory that only Inspect looks at.
	ReadOnly []string
	// Daemon, if set, is a process of the agent that runs hooks for others.
	Daemon *AgentDaemon
	// Dir is the directory in which the agent keeps them, spelled as the agent
	// spells it; "" where the environment does not tell.
	Dir func(env func(string) string) string
	// Install returns what shall stand in each of Files, nil for no file.
	Install func(*InstallRequest) ([][]byte, error)
	// Uninstall returns the same without anything of ours.
	Uninstall func(*InstallRequest) ([][]byte, error)
	// Inspect reports what is installed.
	Inspect func(*InstallRequest) (InstallReport, error)
	// Print returns what a person can pass to the agent, or paste, to have the
	// hooks without any file being edited, and one line that says how.
	Print func(*InstallRequest) (text []byte, usage string, err error)
}

// AgentDaemon is a process that hooks of later sessions run in, with its
// environment instead of theirs.
type AgentDaemon struct {
	Argument string // on its command line
	Fix      string // how to do without
}

// InstallRequest is what an installation is made from.
type InstallRequest struct {
	Program string // absolute path of the binary that the agent shall run
	// AgentVersion is the version of the installed agent, "" if unknown.
	AgentVersion string
	Own          OwnCommand
	Env          func(string) string
	// Dir and RealDir are the agent's directory as spelled, and with symbolic
	// links resolved.
	Dir, RealDir string
	Files        []InstallFile // those of Files, then those of ReadOnly
}

// InstallFile is a file as it stands. Now is nil where there is none; Original
// is the file before panehook first changed it, nil where there is no record.
type InstallFile struct {
	Now, Original []byte
}

// InstallReport is what Inspect found.
type InstallReport struct {
	Installed bool `json:"installed"`
	// Events that the agent reports to us, and those that it could besides.
	Events  []string `json:"events,omitempty"`
	Missing []string `json:"missing,omitempty"`
	// Doubled are events with more than one entry of ours.
	Doubled []string `json:"doubled,omitempty"`
	// Programs are the binaries that the entries run, as spelled there.
	Programs []string `json:"programs,omitempty"`
	// Where an agent runs hooks only when they are trusted: the events of our
	// entries by what it thinks of them.
	Trusted     []string `json:"trusted,omitempty"`
	Untrusted   []string `json:"untrusted,omitempty"`
	Modified    []string `json:"modified,omitempty"`
	SwitchedOff []string `json:"switched_off,omitempty"`
	// Findings are what else a person should know, the problems first.
	Findings []Finding `json:"findings,omitempty"`
}

// Finding is one thing to know about an installation, and the command or edit
// that mends it, "" where nothing needs mending.
type Finding struct {
	Problem bool   `json:"problem"`
	Text    string `json:"text"`
	Fix     string `json:"fix,omitempty"`
}

// FileError says in which of an installation's files something is wrong.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }
func (e *FileError) Unwrap() error { return e.Err }

// ReportEntries fills a report from the entries of a hooks file.
func (r *InstallReport) ReportEntries(entries []HookEntry, wanted []HookHandler) {
	count := map[string]int{}
	programs := map[string]bool{}
	for _, e := range entries {
		if !e.Own {
			continue
		}
		r.Installed = true
		if count[e.Event]++; count[e.Event] == 1 {
			r.Events = append(r.Events, e.Event)
		} else if count[e.Event] == 2 {
			r.Doubled = append(r.Doubled, e.Event)
		}
		if !programs[e.Program] {
			programs[e.Program] = true
			r.Programs = append(r.Programs, e.Program)
		}
	}
	for _, h := range wanted {
		if count[h.Event] == 0 {
			r.Missing = append(r.Missing, h.Event)
		}
	}
}

// HooksFragment renders handlers as a hooks file of their own.
func HooksFragment(handlers []HookHandler) ([]byte, error) {
	h, err := ParseHooksFile(nil, OwnCommand{})
	if err != nil {
		return nil, err
	}
	if err := h.Install(handlers, nil); err != nil {
		return nil, err
	}
	return h.Bytes(), nil
}
