package config

import (
	"fmt"
	"strings"
)

// textMap returns a field that maps free names to texts.
func (f *fields) textMap(name string) map[string]string {
	c := f.child(name)
	if c.node == nil {
		return nil
	}
	m := make(map[string]string, len(c.node.entries))
	for _, e := range c.node.entries {
		if v := c.scalar(e.key); v != nil {
			m[e.key] = strings.TrimSpace(v.text)
		}
	}
	return m
}

// texts returns a list of texts, each with its place and path. Empty and repeated
// elements are reported and left out.
func (f *fields) texts(name string) []element {
	seen := map[string]bool{}
	var out []element
	for i, n := range f.list(name) {
		e := element{r: f.r, at: n.at, path: index(join(f.path, name), i), text: strings.TrimSpace(n.text)}
		switch {
		case n.hollow:
		case n.kind != scalarNode:
			e.fail("want a single value, found "+n.describe(), "")
		case e.text == "":
			e.fail("is empty", "remove it")
		case seen[e.text]:
			e.fail(show(e.text)+" is listed twice", "keep one of them")
		default:
			seen[e.text] = true
			out = append(out, e)
		}
	}
	return out
}

// element is one text of a list.
type element struct {
	r    *reader
	at   Place
	path string
	text string
}

func (e element) fail(what, fix string) { e.r.fail(e.at, e.path, what, fix) }

// named returns the entries of a mapping whose names are ids, such as owners.
func (f *fields) named(name, fix string) []*named {
	c := f.requiredChild(name, fix)
	if c.node == nil {
		return nil
	}
	out := make([]*named, 0, len(c.node.entries))
	for _, e := range c.node.entries {
		path := join(c.path, e.key)
		if !isID(e.key) {
			f.r.fail(e.at, c.path, show(e.key)+" is not a usable name", idFix)
		}
		out = append(out, &named{id: e.key, at: e.at, fields: f.r.fields(e.value, path, e.at)})
	}
	return out
}

// named is one entry of a mapping of ids.
type named struct {
	*fields
	id string
	at Place
}

// maxID keeps every id within the limits of DynamoDB keys, metric dimensions and log
// lines; it is the length of a DNS label.
const maxID = 63

var idFix = fmt.Sprintf("use a to z, 0 to 9 and -, starting with a letter or digit, at most %d characters", maxID)

func isID(s string) bool {
	if s == "" || len(s) > maxID || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
