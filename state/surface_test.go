package state

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The package is what its reference page says, and what is added to it is added
// on purpose: testdata/reference-surface.txt is the page, one line for each
// constant, variable, function, method, type and field, and additions.txt the
// rest. To add a name, list it there.
func TestSurface(t *testing.T) {
	got := surface(t)
	reference := readList(t, "testdata/reference-surface.txt")
	additions := readList(t, "testdata/additions.txt")
	for _, line := range reference {
		if !slices.Contains(got, line) {
			t.Errorf("missing or changed: %s", line)
		}
	}
	for _, line := range additions {
		if !slices.Contains(got, line) {
			t.Errorf("listed as an addition but not there: %s", line)
		}
		if slices.Contains(reference, line) {
			t.Errorf("no addition: %s", line)
		}
	}
	for _, line := range got {
		if isPartOf(line, additions) {
			continue // with its type
		}
		if !slices.Contains(reference, line) && !slices.Contains(additions, line) {
			t.Errorf("exported, but on no list: %s", line)
		}
	}
}

// isPartOf tells whether a line is a field of one of the types.
func isPartOf(line string, types []string) bool {
	field, ok := strings.CutPrefix(line, "field ")
	typ, _, _ := strings.Cut(field, ".")
	return ok && slices.Contains(types, "type "+typ+" struct")
}

func readList(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// surface returns what the package exports, one line an item.
func surface(t *testing.T) []string {
	t.Helper()
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	source := func(node any) string {
		var b strings.Builder
		if err := printer.Fprint(&b, files, node); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "interface{}", "any")), " ")
	}
	var lines []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				decl.Body = nil
				if decl.Name.IsExported() && (decl.Recv == nil || ast.IsExported(receiver(decl))) {
					lines = append(lines, source(decl))
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for i, name := range spec.Names {
							if name.IsExported() {
								lines = append(lines, decl.Tok.String()+" "+name.Name+" = "+source(spec.Values[i]))
							}
						}
					case *ast.TypeSpec:
						if spec.Name.IsExported() {
							lines = append(lines, typeLines(spec, source)...)
						}
					}
				}
			}
		}
	}
	return lines
}

func receiver(decl *ast.FuncDecl) string {
	typ := decl.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	return typ.(*ast.Ident).Name
}

func typeLines(spec *ast.TypeSpec, source func(any) string) []string {
	body, ok := spec.Type.(*ast.StructType)
	if !ok {
		return []string{"type " + spec.Name.Name + " " + source(spec.Type)}
	}
	lines := []string{"type " + spec.Name.Name + " struct"}
	for _, field := range body.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag = " " + field.Tag.Value
		}
		for _, name := range field.Names {
			if name.IsExported() {
				lines = append(lines, "field "+spec.Name.Name+"."+name.Name+" "+source(field.Type)+tag)
			}
		}
	}
	return lines
}
