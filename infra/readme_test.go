package infra_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/incident"
)

var update = flag.Bool("update", false, "write the README's tables anew")

const readme = "../README.md"

// TestReadmeTables: the tables are made from the configuration's schema, from the
// code, and from what it is measured to do.
func TestReadmeTables(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, table := range map[string]string{"fields": fields(t), "reasons": reasons(), "cost": cost(t)} {
		section := regexp.MustCompile(`(?s)<!-- ` + name + ` -->\n.*?<!-- /` + name + ` -->`)
		if len(section.FindAllString(text, -1)) != 1 {
			t.Fatalf("the README has no place for the table of %s", name)
		}
		text = section.ReplaceAllLiteralString(text, "<!-- "+name+" -->\n"+table+"<!-- /"+name+" -->")
	}
	if text == string(data) {
		return
	}
	if !*update {
		t.Fatal("the README's tables are not what the schema and the code say; run: go test ./infra -update")
	}
	if err := os.WriteFile(readme, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeNamesOnlyTargetsThatExist: what the README shows as commands must be
// there.
func TestReadmeNamesOnlyTargetsThatExist(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	used := regexp.MustCompile("(?m)(?:^\\$ |&& |`)make ([a-z-]+)").FindAllStringSubmatch(string(data), -1)
	if len(used) == 0 {
		t.Fatal("the README names no target")
	}
	for _, m := range used {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(m[1]) + `:`).Match(makefile) {
			t.Errorf("the README says `make %s`, which the Makefile does not have", m[1])
		}
	}
}

// TestReadmeNamesEveryParameter: the README's table of the template's parameters
// is whole.
func TestReadmeNamesEveryParameter(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	for name := range parameters(t, templatePath) {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`").Match(data) {
			t.Errorf("the README has no row for the parameter %s", name)
		}
	}
}

func reasons() string {
	var b strings.Builder
	b.WriteString("| reason | action | meaning |\n|---|---|---|\n")
	for _, c := range incident.Codes() {
		actions := make([]string, 0, len(c.Actions))
		for _, a := range c.Actions {
			actions = append(actions, string(a))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Form, strings.Join(actions, ", "), c.Meaning)
	}
	return b.String()
}

// node is the part of JSON Schema that the configuration's schema uses.
type node struct {
	Ref string `json:"$ref"`
	// AllOf carries a reference beside a description of its own.
	AllOf       []node          `json:"allOf"`
	Description string          `json:"description"`
	Type        any             `json:"type"`
	Enum        []any           `json:"enum"`
	Properties  map[string]node `json:"properties"`
	// Additional is a schema for the values of a map, or false.
	Additional  json.RawMessage `json:"additionalProperties"`
	Items       *node           `json:"items"`
	Required    []string        `json:"required"`
	Default     any             `json:"default"`
	Definitions map[string]node `json:"definitions"`
}

func fields(t *testing.T) string {
	t.Helper()
	return "| field | meaning | default |\n|---|---|---|\n" + walkedSchema(t).rows.String()
}

func walkedSchema(t *testing.T) *walker {
	t.Helper()
	data, err := os.ReadFile("ringonce.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	w := &walker{definitions: root.Definitions}
	w.walk("", root)
	return w
}

type walker struct {
	definitions map[string]node
	rows        strings.Builder
	// bare are the fields without a description, which have no row.
	bare       []string
	policyDone bool
}

// order is how the fields of one mapping are listed: as the example has them,
// others by name.
var order = []string{
	"version", "environment", "owners", "destinations", "policy", "delivery", "retention", "prices", "silences", "sources",
	"id", "preset", "params", "owner", "operator_action", "interval",
}

func place(name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

func (w *walker) resolve(n node) node {
	if n.Ref == "" && len(n.AllOf) == 1 {
		n.Ref = n.AllOf[0].Ref
	}
	if n.Ref == "" {
		return n
	}
	target := w.definitions[n.Ref[strings.LastIndexByte(n.Ref, '/')+1:]]
	if n.Description != "" {
		target.Description = n.Description
	}
	if n.Default != nil {
		target.Default = n.Default
	}
	return target
}

func (w *walker) walk(prefix string, n node) {
	names := slices.SortedFunc(maps.Keys(n.Properties), func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		child := w.resolve(n.Properties[name])
		path := prefix + name
		if child.Description != "" {
			fmt.Fprintf(&w.rows, "| `%s`%s | %s | %s |\n", path, required(n, name), strings.ReplaceAll(child.Description, "|", `\|`), standard(child))
		} else {
			w.bare = append(w.bare, path)
		}
		if name == "policy" {
			// The same fields stand in three places; the common one lists them.
			if w.policyDone {
				continue
			}
			w.policyDone = prefix == ""
			if !w.policyDone {
				continue
			}
		}
		w.inside(path, child)
	}
}

func (w *walker) inside(path string, n node) {
	w.walk(path+".", n)
	if n.Items != nil {
		w.walk(path+"[].", w.resolve(*n.Items))
	}
	var values node
	if json.Unmarshal(n.Additional, &values) == nil {
		w.walk(path+".NAME.", w.resolve(values))
	}
}

// Every field of the schema has a row in the README's table of every field, so that
// none is known to the schema alone.
func TestEveryFieldHasARow(t *testing.T) {
	if bare := walkedSchema(t).bare; len(bare) > 0 {
		t.Errorf("without a description, and so without a row: %s", strings.Join(bare, ", "))
	}
}

func standard(n node) string {
	if n.Default == nil {
		return ""
	}
	return fmt.Sprintf("%v", n.Default)
}

func required(n node, name string) string {
	if slices.Contains(n.Required, name) {
		return " *"
	}
	return ""
}
