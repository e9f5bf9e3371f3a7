package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/itchyny/gojq"
)

// stream lists the items of an answer one by one, without decoding the whole of
// it: a page of many small values takes up to 65 times its size when decoded. It
// stands for an items program that goes down a plain path to an array and does
// something with each element, such as .data[] or .groups[] | select(.on).
type stream struct {
	path []string
	// each is the program for every element; nil where the element is the item.
	each *program
}

// streaming returns the stream that does the same as an items program, or nil.
// Programs on the whole answer see no items in it, so they must be plain paths.
func streaming(items string, whole ...*program) *stream {
	s := listing(items)
	for _, p := range whole {
		if p != nil && p.fields == nil {
			return nil
		}
	}
	return s
}

// listing is the list that an items program goes down to; nil where the program is
// of another form.
func listing(items string) *stream {
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
	if s.path = listed(q); s.path == nil {
		return nil
	}
	return s
}

// listed returns the path of a query that is only a path to all elements of
// something; nil for any other.
func listed(q *gojq.Query) []string {
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

// empty tells whether an answer without items is one of none. To jq an object is
// a list of its values: an empty one, such as a gateway's {} or an envelope without
// its contents, would prove that nothing fails.
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
	// errShape says that there is no array where the path leads. Nothing was
	// listed yet, and the program itself says best what is wrong.
	errShape = errors.New("there is no list at the path")
	errTwice = errors.New("the body has the list of items twice; check request.url")
)

// read calls visit for each element and returns the rest of the answer, in which
// the list is empty. The body is known to be JSON.
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

// count is how many items the vendor put on the page: where the answer itself is
// the list, what the program left out counts too.
func (s *stream) count(elements, items int) int {
	if len(s.path) == 0 {
		return elements
	}
	return items
}

// items gives the items that an element comes to.
func (s *stream) items(ctx context.Context, element any, give func(any) error) error {
	if s.each == nil {
		return give(element)
	}
	return s.each.run(ctx, element, itemSteps).each(give)
}
