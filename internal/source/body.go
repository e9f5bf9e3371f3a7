package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// decode reads a body that must be one JSON value. Numbers keep every digit:
// an id is not a floating-point number.
func decode(body []byte) (any, error) {
	body = trimMark(body)
	if longNumber(body) {
		return nil, errDigits
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, notJSON(body, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the body holds more than one JSON value; check request.url")
	}
	return v, nil
}

// trimMark takes off the mark of UTF-8 that some servers start with.
func trimMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")) }

func notJSON(body []byte, err error) error {
	switch trimmed := bytes.TrimSpace(body); {
	case len(trimmed) == 0:
		return errors.New("the body is empty, not JSON; check request.url")
	case trimmed[0] == '<':
		return errors.New("the body is a web page, not JSON; a login page or a proxy may stand between here and the vendor, or request.url is not the API's")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the body ends in the middle of its JSON")
	}
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("the body is not JSON (at byte %d); check request.url", s.Offset)
	}
	return errors.New("the body is not JSON; check request.url")
}

// maxItems bounds one page, whatever its items program makes of it.
const maxItems = 100_000

// readPage maps every item of one page. It returns the answer, without its items
// where they were listed one by one, and how many items the vendor put on it, and
// an error when that cannot be told: then the page is lost, as far as it was not
// read.
func (f *fetch) readPage(ctx context.Context, number int, body []byte) (v any, n int, err error) {
	visit := func(item any) error {
		if n++; n > maxItems {
			return errTooMany
		}
		f.readItem(ctx, number, n, item)
		if ctx.Err() != nil {
			return errStopped
		}
		return nil
	}
	elements := 0
	if s := f.mapper.programs.stream; s != nil && !longNumber(body) && json.Valid(trimMark(body)) {
		v, err = s.read(body, func(element any) error {
			elements++
			return s.items(ctx, element, visit)
		})
		if !errors.Is(err, errShape) {
			return v, s.count(elements, n), inItems(err)
		}
	}
	if v, err = decode(body); err != nil {
		return nil, 0, err
	}
	if err = f.mapper.programs.items.run(ctx, v, pageSteps).each(visit); err != nil {
		return nil, n, inItems(err)
	}
	if n == 0 {
		if err = f.mapper.programs.list.empty(v); err != nil {
			return nil, 0, inItems(err)
		}
	}
	// A page is as full as the vendor made it, whatever the program left out.
	if list, ok := v.([]any); ok {
		n = len(list)
	}
	return v, n, nil
}

var (
	errTooMany = fmt.Errorf("gave more than %d items; ask for smaller pages", maxItems)
	errStopped = errors.New("was stopped with the poll while the page was read")
)

// inItems says that the items could not be listed.
func inItems(err error) error {
	if err == nil || errors.Is(err, errTwice) {
		return err
	}
	return fmt.Errorf("map.items: %w", err)
}

func (f *fetch) readItem(ctx context.Context, page, n int, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		f.problem(itemAt(page, n, ""), "map.items: gave "+typeName(v)+" where an object is needed; check the program against the vendor's answer")
		return
	}
	if f.canary.sings(ctx, f.mapper.programs.canary, object) {
		return
	}
	item, faults, ok := f.mapper.item(ctx, object)
	note := f.problem
	if ok {
		note = f.evidenceProblem
	}
	for _, fault := range faults {
		note(itemAt(page, n, item.Evidence.VendorID), fault)
	}
	if ok && f.seen.first(item, page) {
		f.list.Items = append(f.list.Items, item)
	}
}

func itemAt(page, n int, id string) string {
	at := fmt.Sprintf("page %d item %d", page, n)
	if id != "" {
		at += " (id " + id + ")"
	}
	return at
}
