package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// decode parses a body that must be one JSON value. Numbers keep every digit, since
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

// trimMark removes the UTF-8 byte order mark that some servers send.
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

// maxItems bounds the items of one page, however many the items program yields.
const maxItems = 100_000

// readPage maps every item of one page. It returns the answer, without its items
// where they were streamed, and the number of items that the vendor put on it. On an
// error that number is unknown, and the items that were not read yet are lost.
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
	// The vendor's own count decides how full a page is, whatever the program
	// dropped.
	if list, ok := v.([]any); ok {
		n = len(list)
	}
	return v, n, nil
}

var (
	errTooMany = fmt.Errorf("gave more than %d items; ask for smaller pages", maxItems)
	errStopped = errors.New("was stopped with the poll while the page was read")
)

// inItems wraps an error in listing the items.
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
	if f.canary.matches(ctx, f.mapper.programs.canary, object) {
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
