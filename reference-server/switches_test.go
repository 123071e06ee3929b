package refserver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// A declaration is one call of switches.Add in the source.
type declaration struct {
	variable string
	name     string
	about    string
	reads    int // uses of the variable beside the declaration, in the package
}

// declarations finds the switches that the packages below a folder declare, and how often their own package reads each.
func declarations(t *testing.T, root fs.FS) []declaration {
	t.Helper()
	packages := map[string][]*ast.File{} // by folder
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		dir := path.Dir(name)
		packages[dir] = append(packages[dir], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []declaration
	for _, files := range packages {
		uses := map[string]int{}
		var declared []declaration
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					uses[n.Name]++
				case *ast.ValueSpec:
					for i, value := range n.Values {
						if d, ok := declares(value); ok {
							d.variable = n.Names[i].Name
							declared = append(declared, d)
						}
					}
				}
				return true
			})
		}
		for _, d := range declared {
			d.reads = uses[d.variable] - 1
			all = append(all, d)
		}
	}
	return all
}

// declares tells whether an expression is switches.Add of two texts.
func declares(e ast.Expr) (declaration, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return declaration{}, false
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Add" {
		return declaration{}, false
	} else if list, ok := f.X.(*ast.Ident); !ok || list.Name != "switches" {
		return declaration{}, false
	}
	var texts [2]string
	for i, arg := range call.Args {
		if text, ok := arg.(*ast.BasicLit); ok {
			texts[i], _ = strconv.Unquote(text.Value)
		}
	}
	return declaration{name: texts[0], about: texts[1]}, true
}

// faultsOf lists what is wrong with declarations.
func faultsOf(all []declaration) []string {
	var faults []string
	seen := map[string]bool{}
	for _, d := range all {
		switch {
		case d.variable == "_" || d.reads == 0:
			faults = append(faults, "nothing reads the switch "+d.name)
		case d.name == "" || d.about == "":
			faults = append(faults, "the switch in "+d.variable+" lacks a name or what it does, as a literal")
		case strings.HasPrefix(d.name, "skip ") || strings.ToLower(d.name) != d.name:
			faults = append(faults, "the switch "+d.name+" is not named like the others")
		case seen[d.name]:
			faults = append(faults, "two switches are named "+d.name)
		}
		seen[d.name] = true
	}
	return faults
}

// TestEverySwitchIsRead: a switch that nothing reads would make a fault that changes nothing.
func TestEverySwitchIsRead(t *testing.T) {
	all := declarations(t, os.DirFS("."))
	for _, fault := range faultsOf(all) {
		t.Error(fault)
	}
	var declared, known []string
	for _, d := range all {
		declared = append(declared, d.name)
	}
	for _, s := range words().Switches {
		known = append(known, s.Name)
	}
	slices.Sort(declared)
	slices.Sort(known)
	if !slices.Equal(declared, known) {
		t.Errorf("declared are %v, and a deviation can name %v: does names.go join the words of every package?", declared, known)
	}
}

// TestAnUnreadSwitchIsFound: the test above can fail.
func TestAnUnreadSwitchIsFound(t *testing.T) {
	for _, row := range []struct{ name, source, want string }{
		{"read", `var a = switches.Add("a", "does a"); func f() { on(a) }`, ""},
		{"read in another file", `var b = switches.Add("b", "does b")`, ""},
		{"not read", `var a = switches.Add("a", "does a")`, "nothing reads the switch a"},
		{"without a variable", `var _ = switches.Add("a", "does a")`, "nothing reads the switch a"},
		{"without words", `var a = switches.Add("a", ""); func f() { on(a) }`, "lacks a name or what it does"},
		{"named twice", `var (a = switches.Add("a", "does a"); a2 = switches.Add("a", "does it"); ); func f() { on(a, a2) }`, "two switches"},
		{"named like a guard", `var a = switches.Add("skip a", "does a"); func f() { on(a) }`, "not named like the others"},
	} {
		t.Run(row.name, func(t *testing.T) {
			tree := fstest.MapFS{
				"era/one.go":      {Data: []byte("package era\n" + row.source)},
				"era/two.go":      {Data: []byte("package era\nfunc g() { on(b) }")},
				"era/one_test.go": {Data: []byte("package era\nfunc t() { on(a) }")},
				"other/one.go":    {Data: []byte("package other\nfunc g() { on(a) }")},
			}
			got := strings.Join(faultsOf(declarations(t, tree)), "\n")
			if row.want == "" && got != "" || !strings.Contains(got, row.want) {
				t.Errorf("found %q, want %q", got, row.want)
			}
		})
	}
}
