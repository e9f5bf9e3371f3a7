package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/itchyny/gojq"
)

// stream yields the items of an answer one by one, without decoding all of it: a page
// of many small values takes up to 65 times its size when decoded. It replaces an
// items program that follows a plain path to an array and processes each element,
// such as .data[] or .groups[] | select(.on).
type stream struct {
	path []string
	// each is the program for every element; nil if the element is the item.
	each *program
}

// streaming returns the stream that yields the same as an items program, or nil if
// there is none. The programs on the whole answer must be plain paths, since they see
// its list empty.
func streaming(items string, whole ...*program) *stream {
	s := parseList(items)
	for _, p := range whole {
		if p != nil && p.fields == nil {
			return nil
		}
	}
	return s
}

// parseList returns the list that an items program iterates over; nil for a program
// of another form.
func parseList(items string) *stream {
	q, err := gojq.Parse(items)
	if err != nil {
		return nil
	}
	s := &stream{}
	if q.Op == gojq.OpPipe && q.Term == nil && q.Meta == nil && len(q.Imports)+len(q.FuncDefs)+len(q.Patterns) == 0 {
		guard(reflect.ValueOf(q.Right))
		code, err := gojq.Compile(q.Right, options...)
		if err != nil {
			return nil
		}
		s.each, q = &program{path: "map.items", code: code}, q.Left
	}
	if s.path = elementsPath(q); s.path == nil {
		return nil
	}
	return s
}

// elementsPath returns the path of a query that is only a path to all elements of a
// value, and nil for any other query.
func elementsPath(q *gojq.Query) []string {
	t := q.Term
	if t == nil || !onlyTerm(q) || len(t.SuffixList) == 0 {
		return nil
	}
	path := []string{}
	switch {
	case t.Type == gojq.TermTypeIndex && plainField(t.Index):
		path = append(path, t.Index.Name)
	case t.Type != gojq.TermTypeIdentity:
		return nil
	}
	last := len(t.SuffixList) - 1
	for _, s := range t.SuffixList[:last] {
		if !plainField(s.Index) {
			return nil
		}
		path = append(path, s.Index.Name)
	}
	if end := t.SuffixList[last]; !end.Iter || end.Index != nil || end.Optional {
		return nil
	}
	return path
}

// empty checks an answer that gave no items and returns an error unless its list is an
// array. jq also iterates over the values of an object: an empty one, such as a
// gateway's {} or an envelope without its contents, would prove that nothing fails.
func (s *stream) empty(answer any) error {
	if s == nil {
		return nil
	}
	v, err := walk(answer, s.path)
	if _, list := v.([]any); err == nil && !list {
		return badValue("found %s where the list of items is needed; if the vendor keeps its items in an object, end with to_entries[] | .value", typeName(v))
	}
	return err
}

var (
	// errShape says that the path does not lead to an array. No item has been yielded
	// by then, and the program itself gives the better error.
	errShape = errors.New("there is no list at the path")
	errTwice = errors.New("the body has the list of items twice; check request.url")
)

// read calls visit for each element and returns the rest of the answer, with the list
// empty. The body must be valid JSON.
func (s *stream) read(body []byte, visit func(any) error) (any, error) {
	d := json.NewDecoder(bytes.NewReader(trimMark(body)))
	d.UseNumber()
	return descend(d, s.path, visit)
}

func descend(d *json.Decoder, path []string, visit func(any) error) (any, error) {
	if len(path) == 0 {
		return elements(d, visit)
	}
	if err := opens(d, '{'); err != nil {
		return nil, err
	}
	object := map[string]any{}
	found := false
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value any
		switch {
		case name != path[0]:
			err = d.Decode(&value)
		case found:
			err = errTwice
		default:
			found = true
			value, err = descend(d, path[1:], visit)
		}
		if err != nil {
			return nil, err
		}
		object[name.(string)] = value
	}
	if !found {
		return nil, errShape
	}
	_, err := d.Token()
	return object, err
}

func elements(d *json.Decoder, visit func(any) error) (any, error) {
	if err := opens(d, '['); err != nil {
		return nil, err
	}
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if err := visit(v); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return []any{}, err
}

func opens(d *json.Decoder, with json.Delim) error {
	token, err := d.Token()
	if err == nil && token != with {
		err = errShape
	}
	return err
}

// count returns the number of items that the vendor put on the page: if the answer
// itself is the list, elements that the program dropped count too.
func (s *stream) count(elements, items int) int {
	if len(s.path) == 0 {
		return elements
	}
	return items
}

// items calls give for each item that the program makes of an element.
func (s *stream) items(ctx context.Context, element any, give func(any) error) error {
	if s.each == nil {
		return give(element)
	}
	return s.each.run(ctx, element, itemSteps).each(give)
}
