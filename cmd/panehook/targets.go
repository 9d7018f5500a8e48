package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"panehook/adapters"
)

// versionTimeout bounds what an agent may take to tell its version. Pi needs
// two seconds, on a busy machine more.
const versionTimeout = 10 * time.Second

// target is one agent on this machine.
type target struct {
	*adapters.Installation
	dir, realDir string // the agent's directory, as spelled and resolved
	executable   string // the agent's program, "" if it was not found
	version      string // "" if unknown
}

// findTargets looks for the agents with the given names, all if there are
// none, and with askVersions asks them for their versions.
func findTargets(p *process, names []string, askVersions bool) ([]*target, error) {
	var list []*target
	for _, name := range names {
		if agentNamed(name) == nil {
			return nil, unknownAgent(name)
		}
	}
	for _, a := range agents {
		if len(names) > 0 && !slices.Contains(names, a.Name) {
			continue
		}
		installation := a.installation
		t := &target{Installation: installation, dir: installation.Dir(p.env)}
		if t.dir != "" {
			absolute, err := filepath.Abs(t.dir)
			if err != nil {
				return nil, err
			}
			t.dir = absolute
			t.realDir = realPath(absolute)
		}
		for _, program := range installation.Programs {
			if t.executable == "" {
				t.executable = findAgent(p, program, a.programDir)
			}
		}
		list = append(list, t)
	}
	var asked sync.WaitGroup
	for _, t := range list {
		if askVersions && t.executable != "" {
			asked.Go(func() { t.version = agentVersion(t.executable, t.Package) })
		}
	}
	asked.Wait()
	return list, nil
}

// findAgent looks in $PATH, and where installers put programs that need not be
// in the $PATH of a script.
func findAgent(p *process, name, programDir string) string {
	places := p.env("PATH")
	if home := adapters.Home(p.env); home != "" {
		for _, dir := range []string{".local/bin", ".npm-global/bin", ".bun/bin", programDir} {
			if dir == "" {
				continue
			}
			places += string(filepath.ListSeparator) + filepath.Join(home, dir)
		}
	}
	return findProgram(places, name)
}

// agentVersion reads the version of an agent from its package, or else asks the
// agent, which can take seconds. One that says nothing in time has an unknown
// version, which is no error.
func agentVersion(executable, packageName string) string {
	if version := packageVersion(executable, packageName); version != "" {
		return version
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, executable, "--version")
	cmd.WaitDelay = time.Second // its children may hold the pipes
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return cmp.Or(adapters.FindVersion(stdout.String()), adapters.FindVersion(stderr.String())) // Pi 0.74.2 tells it on stderr
}

// packageVersion looks for the npm package around a program.
func packageVersion(executable, packageName string) string {
	dir := filepath.Dir(realPath(executable))
	for range 3 {
		var about struct{ Name, Version string }
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err == nil && json.Unmarshal(data, &about) == nil && about.Name == packageName {
			return adapters.FindVersion(about.Version)
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// realPath resolves the links in a path as far as it exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

// isThere tells whether the agent is used on this machine.
func (t *target) isThere() bool {
	if t.executable != "" {
		return true
	}
	info, err := os.Stat(t.dir)
	return t.dir != "" && err == nil && info.IsDir()
}

// path is where a file of the installation is. Names that begin with a slash
// or a dot are not in the agent's directory.
func (t *target) path(name string) string {
	if filepath.IsAbs(name) || strings.HasPrefix(name, "./") {
		return name
	}
	return filepath.Join(t.dir, filepath.FromSlash(name))
}

// read reads all files of the installation into a request.
func (t *target) read(p *process, program string) (*adapters.InstallRequest, []*editedFile, error) {
	if t.dir == "" {
		return nil, nil, fmt.Errorf("%s: HOME is not set, so its settings cannot be found", t.Agent)
	}
	own := adapters.OwnCommand{Agent: t.Agent, Self: filepath.Base(program), IsPanehook: isPanehook}
	r := &adapters.InstallRequest{Program: program, AgentVersion: t.version, Own: own, Env: p.env, Dir: t.dir, RealDir: t.realDir}
	var files []*editedFile
	for _, name := range t.Files {
		f, err := readForEdit(t.path(name))
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
		file := adapters.InstallFile{Now: f.now}
		if !t.OwnFiles {
			file.Original = f.readBackup()
		}
		r.Files = append(r.Files, file)
	}
	for _, name := range t.ReadOnly {
		data, _, err := readWhole(t.path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			data = nil // whatever it is, it is not ours to mend
		}
		for _, f := range files {
			if absolute, err := filepath.Abs(t.path(name)); err == nil && absolute == f.path {
				data = nil
			}
		}
		r.Files = append(r.Files, adapters.InstallFile{Now: data})
	}
	return r, files, nil
}

// withPaths names the whole path of a file in an error of the installation.
func (t *target) withPaths(err error) error {
	var inFile *adapters.FileError
	if errors.As(err, &inFile) {
		return fmt.Errorf("%s: %w", t.path(inFile.Name), plainEnd(inFile.Err))
	}
	return err
}

// plainEnd words the end of a file as a person would who knows no parsers.
func plainEnd(err error) error {
	text, ok := strings.CutSuffix(err.Error(), io.ErrUnexpectedEOF.Error())
	if !ok {
		return err
	}
	place, _, _ := strings.Cut(text, "parsing ")
	return errors.New(place + "the file ends too early")
}

// withRemedy adds to an error in a file of somebody else's what to do. A file
// that would be ours says so itself.
func (t *target) withRemedy(err error, verb string) error {
	var inFile *adapters.FileError
	if errors.As(err, &inFile) && !t.OwnFiles {
		return fmt.Errorf("%w; %s", t.withPaths(err), t.mendFirst(verb))
	}
	return t.withPaths(err)
}

// mendFirst is the remedy for a file that cannot be understood.
func (t *target) mendFirst(verb string) string {
	return "mend the file, then: panehook " + verb + " " + t.Agent
}
