package config

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/ringonce/ringonce/internal/silence"
	shipped "github.com/ringonce/ringonce/internal/source/preset"
)

const (
	exampleFile = "../../infra/ringonce.yaml"
	schemaFile  = "../../infra/ringonce.schema.json"
)

// TestExampleIsRight: the example that people start from is valid, with the
// presets that are shipped, and without a warning.
func TestExampleIsRight(t *testing.T) {
	cfg, pos, err := Load(exampleFile, shipped.FS)
	if err != nil {
		t.Fatal(err)
	}
	if len(pos.Warnings()) > 0 {
		t.Error(pos.Warnings())
	}
	used := map[string]bool{}
	for _, s := range cfg.Sources {
		used[s.Preset] = true
	}
	for _, name := range []string{"sentry", "datadog", "alertmanager", "healthchecks", "prometheus-query", ""} {
		if !used[name] {
			t.Errorf("the example has no source with preset %q", name)
		}
	}
}

// TestFilesMatchTheSchema: what the parser accepts, an editor accepts too.
func TestFilesMatchTheSchema(t *testing.T) {
	schema := compiled(t)
	good, _ := filepath.Glob(testdata + "good/*.yaml")
	for _, file := range append(good, exampleFile) {
		if err := schema.Validate(asJSON(t, mustRead(file))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestSchemaRefuses: what the parser refuses the schema refuses too, as far as
// a schema can tell.
func TestSchemaRefuses(t *testing.T) {
	schema := compiled(t)
	for _, name := range []string{"root", "names", "destinations", "channels", "policy", "source", "request", "mapping", "pagination", "limits", "preset", "limits-of-a-source", "prices", "silences"} {
		if err := schema.Validate(asJSON(t, mustRead(testdata+"bad/"+name+".yaml"))); err == nil {
			t.Errorf("the schema accepts bad/%s.yaml", name)
		}
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON reads YAML as a JSON validator wants it.
func asJSON(t *testing.T, data []byte) any {
	t.Helper()
	data = regexp.MustCompile(`\.(?:nan|inf)\b`).ReplaceAll(data, []byte("0.5")) // which JSON does not have
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestSchemaHasTheParsersFields compares the fields that the parser looks for
// with the properties of the schema, both ways.
func TestSchemaHasTheParsersFields(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(mustRead(schemaFile), &schema); err != nil {
		t.Fatal(err)
	}
	inSchema := map[string][]string{}
	properties(schema, schema, "", inSchema)
	if diff := cmp.Diff(askedFields(t), inSchema); diff != "" {
		t.Errorf("fields (-parser +schema):\n%s", diff)
	}
}

var (
	indexes   = regexp.MustCompile(`\[\d+\]`)
	namedPath = regexp.MustCompile(`^(owners|destinations|prices\.channels)\.[^.]+`)
	freeNames = regexp.MustCompile(`\.(?:params|query|headers|verdicts)$`)
)

// askedFields reads a file that has every mapping, and notes what was asked.
func askedFields(t *testing.T) map[string][]string {
	t.Helper()
	fields := map[string][]string{}
	r := &reader{asked: func(path, name string) {
		path = namedPath.ReplaceAllString(indexes.ReplaceAllString(path, "[]"), "$1.*")
		// A preset's own declarations are not part of a configuration.
		if freeNames.MatchString(path) || strings.HasPrefix(path, "params") || (path == "" && name == "params") {
			return
		}
		if !slices.Contains(fields[path], name) {
			fields[path] = append(fields[path], name)
		}
	}}
	if d := read(r, "full.yaml", mustRead(testdata+"good/full.yaml"), testPresets()); len(d.Problems) > 0 {
		t.Fatal(d.Problems)
	}
	for _, names := range fields {
		slices.Sort(names)
	}
	return fields
}

// properties collects the properties of a schema by the path they are at.
func properties(root, s map[string]any, path string, out map[string][]string) {
	s = resolve(root, s)
	if items, ok := s["items"].(map[string]any); ok {
		properties(root, items, path+"[]", out)
	}
	if named, ok := s["additionalProperties"].(map[string]any); ok && !freeNames.MatchString(path) {
		properties(root, named, path+".*", out)
	}
	props, ok := s["properties"].(map[string]any)
	if !ok {
		return
	}
	out[path] = sortedKeys(props)
	for name, p := range props {
		properties(root, p.(map[string]any), join(path, name), out)
	}
}

// resolve follows a reference, alone or in an allOf of one.
func resolve(root, s map[string]any) map[string]any {
	if all, ok := s["allOf"].([]any); ok {
		s = all[0].(map[string]any)
	}
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	definitions := root["definitions"].(map[string]any)
	return definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
}

// TestSchemaHasTheParsersWords does the same for the fields that take one of a
// few words.
func TestSchemaHasTheParsersWords(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(mustRead(schemaFile), &schema); err != nil {
		t.Fatal(err)
	}
	for path, words := range map[string][]string{
		"verdict": verdicts, "ambiguity": ambiguities,
		"destination.properties.channel": channels, "source.properties.absent": absences,
		"source.properties.request.properties.method": methods, "source.properties.pagination.properties.type": paginations,
		"keyPart.properties.type": partTypes, "window.properties.days.items": silence.Days,
	} {
		s := schema["definitions"].(map[string]any)
		for step := range strings.SplitSeq(path, ".") {
			s = s[step].(map[string]any)
		}
		var got []string
		for _, w := range s["enum"].([]any) {
			got = append(got, w.(string))
		}
		if diff := cmp.Diff(words, got); diff != "" {
			t.Errorf("%s (-parser +schema):\n%s", path, diff)
		}
	}
}
