package source

import "github.com/itchyny/gojq"

// Most programs of a mapping are plain paths such as .project.slug, or texts from a
// preset's parameters. Walking a path gives the same result as the jq machine, at a
// small part of what starting it costs.

// fields returns the names of a program that is only a path of object fields, and nil
// for any other program.
func fields(q *gojq.Query) []string {
	t := q.Term
	if t == nil || t.Type != gojq.TermTypeIndex || !onlyTerm(q) || !plainField(t.Index) {
		return nil
	}
	names := []string{t.Index.Name}
	for _, s := range t.SuffixList {
		if !plainField(s.Index) {
			return nil
		}
		names = append(names, s.Index.Name)
	}
	return names
}

func onlyTerm(q *gojq.Query) bool {
	return q.Meta == nil && len(q.Imports) == 0 && len(q.FuncDefs) == 0 && q.Left == nil && q.Right == nil && len(q.Patterns) == 0
}

// plainField reports a field that is written as a bare name, rather than in quotes,
// as an index or as a slice, which have no name.
func plainField(i *gojq.Index) bool { return i != nil && i.Name != "" }

// constant returns the text of a program that is only a text, and nil for any other.
func constant(q *gojq.Query) *string {
	t := q.Term
	if t == nil || t.Type != gojq.TermTypeString || !onlyTerm(q) || len(t.SuffixList) > 0 || len(t.Str.Queries) > 0 {
		return nil
	}
	return &t.Str.Str
}

// walk follows a path. As in jq, a field of null is null, and a field of anything but
// an object is an error.
func walk(v any, names []string) (any, error) {
	for _, name := range names {
		switch object := v.(type) {
		case nil:
			return nil, nil
		case map[string]any:
			v = object[name]
		default:
			return nil, badValue("expected an object but got: %s", jqType(v))
		}
	}
	return v, nil
}

// jqType returns jq's name of a type.
func jqType(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	default:
		return "number"
	}
}
