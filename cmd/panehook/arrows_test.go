package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows says which packages of ours each package may import, where AGENT is the
// folder of any agent, and wards who alone may import a dependency. It is a
// statement of design: a change that breaks it needs another design, not another line here.
var arrows = map[string][]string{
	"panehook/cmd/panehook":         {"panehook/adapters", "panehook/adapters/AGENT", "panehook/transitions", "panehook/state"},
	"panehook/adapters/AGENT":       {"panehook/adapters", "panehook/transitions", "panehook/state"},
	"panehook/adapters":             {"panehook/transitions", "panehook/state"},
	"panehook/adapters/adaptertest": {"panehook/adapters", "panehook/transitions"}, // linked into tests alone
	"panehook/transitions":          {"panehook/state"},
	"panehook/state":                {},
}

var wards = map[string]string{
	"github.com/tidwall/gjson": "panehook/adapters",
	"github.com/gofrs/flock":   "panehook/state",
}

// unlinked are packages that cost every hook a start-up it has no use for.
var unlinked = []string{"net", "net/http", "crypto", "text/template", "regexp"}

type listedPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestArrows(t *testing.T) {
	for _, p := range listPackages(t, "panehook/cmd/...", "panehook/adapters/...", "panehook/transitions/...", "panehook/state/...") {
		allowed, known := arrows[inDesign(p.ImportPath)]
		if !known {
			t.Errorf("package %s has no place in the design", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "panehook/") && !slices.Contains(allowed, inDesign(imported)) {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
			if only := wards[imported]; only != "" && p.ImportPath != only && !strings.HasPrefix(p.ImportPath, only+"/") {
				t.Errorf("%s is for %s alone, not for %s", imported, only, p.ImportPath)
			}
		}
		if p.ImportPath == "panehook/cmd/panehook" {
			for _, dep := range unlinked {
				if slices.Contains(p.Deps, dep) {
					t.Errorf("%s is linked in, which every hook pays for", dep)
				}
			}
		}
	}
}

// inDesign is a package as the design names it.
func inDesign(path string) string {
	if name, ok := strings.CutPrefix(path, "panehook/adapters/"); ok && agentNamed(name) != nil {
		return "panehook/adapters/AGENT"
	}
	return path
}

func listPackages(t *testing.T, patterns ...string) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []listedPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
