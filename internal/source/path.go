package source

import "github.com/itchyny/gojq"

// A mapping is mostly plain paths such as .project.slug, and the texts that a
// preset's parameters are. Walking a path costs a small part of what starting
// the jq machine does, and gives the same.

// fields returns the names of a program that is only a path of object
// fields, and nil for any other.
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

// plainField tells a field that is named as it is from one in quotes, an index
// and a slice, which have no name.
func plainField(i *gojq.Index) bool { return i != nil && i.Name != "" }

// constant returns the text of a program that is only a text.
func constant(q *gojq.Query) *string {
	t := q.Term
	if t == nil || t.Type != gojq.TermTypeString || !onlyTerm(q) || len(t.SuffixList) > 0 || len(t.Str.Queries) > 0 {
		return nil
	}
	return &t.Str.Str
}

// walk follows a path. A field of null is null, and one of anything but an
// object an error, as in jq.
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

// jqType names a type as jq does.
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
