package config

import (
	"fmt"
	"slices"
)

// reader collects problems while a file is read, so that one run reports all of them.
type reader struct {
	problems Problems
	// asked, in tests, is called with every field that the parser looks for.
	asked func(path, name string)
}

func (r *reader) fail(at Place, path, what, fix string) {
	r.problems = append(r.problems, Problem{Place: at, Path: showPath(path), What: what, Fix: fix})
}

func (r *reader) warn(at Place, path, what, fix string) {
	r.problems = append(r.problems, Problem{Place: at, Severity: Warning, Path: showPath(path), What: what, Fix: fix})
}

// fields reads one mapping. It remembers the names that the parser asks for: any
// other name in the file is an unknown field, and suggestions choose from them. So
// the parser is the only list of fields.
type fields struct {
	r    *reader
	node *node
	path string
	at   Place
	// quiet suppresses missing fields if the mapping as a whole has been reported.
	quiet bool
	known []string
	// reported are fields that are present but wrong, and so not missing.
	reported []string
}

// fields starts reading a mapping. An absent one (nil, or a name without a value)
// reads as an empty mapping at the given place.
func (r *reader) fields(n *node, path string, at Place) *fields {
	f := &fields{r: r, path: path, at: at}
	switch {
	case n == nil:
	case n.hollow:
		f.quiet = true
	case n.kind == nullNode:
		f.at = n.at
	case n.kind == mappingNode:
		f.node, f.at = n, n.at
	default:
		f.quiet = true
		r.fail(n.at, path, "want fields (name: value), found "+n.describe(), "")
	}
	return f
}

// get returns a field's value; nil when it is absent, empty or hollow.
func (f *fields) get(name string) *node {
	if !slices.Contains(f.known, name) {
		f.known = append(f.known, name)
	}
	if f.r.asked != nil {
		f.r.asked(f.path, name)
	}
	n := f.node.find(name)
	if n == nil || n.kind == nullNode || n.hollow {
		return nil
	}
	return n
}

// given reports whether the file has the field, and where.
func (f *fields) given(name string) (Place, bool) {
	if n := f.node.find(name); n != nil {
		return n.at, true
	}
	return f.at, false
}

// place returns the place of a field, or of the mapping that lacks it.
func (f *fields) place(name string) Place {
	at, _ := f.given(name)
	return at
}

func (f *fields) fail(name, what, fix string) {
	f.reported = append(f.reported, name)
	f.r.fail(f.place(name), join(f.path, name), what, fix)
}

// missing reports a required field that is absent or empty.
func (f *fields) missing(name, fix string) {
	if n := f.node.find(name); f.quiet || slices.Contains(f.reported, name) || (n != nil && n.hollow) {
		return
	}
	f.fail(name, "is missing", fix)
}

// child reads a field that is a mapping of its own.
func (f *fields) child(name string) *fields {
	c := f.r.fields(f.get(name), join(f.path, name), f.place(name))
	if n := f.node.find(name); n != nil && n.hollow {
		c.quiet = true
	}
	return c
}

// requiredChild is child for a required mapping. If it is missing, it is reported
// once, rather than once for each of its fields.
func (f *fields) requiredChild(name, fix string) *fields {
	c := f.child(name)
	if c.node == nil && !c.quiet {
		f.missing(name, fix)
		c.quiet = true
	}
	return c
}

// list returns the elements of a field that is a list.
func (f *fields) list(name string) []*node {
	n := f.get(name)
	if n == nil {
		return nil
	}
	if n.kind != listNode {
		f.fail(name, "want a list, found "+n.describe(), "write it as [first, second], or one per line with a dash")
		return nil
	}
	return n.items
}

// end reports the fields that the parser did not ask for.
func (f *fields) end() {
	if f.node == nil {
		return
	}
	for _, e := range f.node.entries {
		if !slices.Contains(f.known, e.key) {
			f.r.fail(e.at, f.path, "unknown field "+show(e.key), didYouMean(e.key, f.known))
		}
	}
}

// join names a field below a path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
