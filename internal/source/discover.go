package source

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
)

// discoveredFor is how long a process caches what it discovered: a vendor's
// description of its answers changes with its releases, not with its errors.
const discoveredFor = time.Hour

// discovery is what one source's document gave, by field.
type discovery struct {
	fields map[string]any
	until  time.Time
}

// discover makes a vendor's description of its own answers available to the mapping's
// programs, as $field. A field that is not found is an error: a guessed mapping could
// take failures for health.
func (f *fetch) discover(ctx context.Context) error {
	d := f.src.Discovery
	if d.URL == "" {
		return nil
	}
	now := f.client.opts.Now()
	id := fmt.Sprintf("%q %q %q", d.URL, d.Next, d.Fields)
	found, ok := f.client.known(id)
	if !ok || !now.Before(found.until) {
		fields, err := f.readDiscovery(ctx)
		if err != nil {
			return err
		}
		found = discovery{fields, now.Add(discoveredFor)}
		f.client.remember(id, found)
	}
	f.mapper.programs = f.mapper.programs.withFields(found.fields)
	return nil
}

func (f *fetch) readDiscovery(ctx context.Context) (map[string]any, error) {
	u, err := url.Parse(f.src.Discovery.URL)
	if err != nil {
		return nil, errors.New("discovery.url is no address") // Check has seen that it is
	}
	doc, err := f.document(ctx, u)
	if err != nil {
		return nil, err
	}
	if p := f.mapper.programs.discoveryNext; p != nil {
		v, err := p.one(ctx, doc)
		if next, ok := v.(string); err == nil && (!ok || next == "") {
			err = badValue("gave no address; look at the document, or pin the mapping without it")
		} else if err == nil {
			u, err = follow(u, next, "the address")
		}
		if err != nil {
			return nil, errors.New(fault(p, err))
		}
		if doc, err = f.document(ctx, u); err != nil {
			return nil, err
		}
	}
	return discovered(ctx, f.mapper.programs.discovery, doc)
}

// discovered runs the program that finds the fields, each of which must be found.
func discovered(ctx context.Context, p *program, doc any) (map[string]any, error) {
	v, err := p.one(ctx, doc)
	if err != nil {
		return nil, errors.New(fault(p, err))
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New(fault(p, badValue("gave %s where an object is needed", typeName(v))))
	}
	fields := make(map[string]any, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		text, ok := object[name].(string)
		if text = strings.TrimSpace(text); !ok || text == "" {
			return nil, errors.New(fault(p, badValue("found no %q in the vendor's document; look at the document, or pin the mapping without it", bounded(name, maxName))))
		}
		fields[name] = text
	}
	return fields, nil
}

// maxName bounds a field's name in a message.
const maxName = 50

// document reads one JSON document that is not a page of the list: always with GET,
// however the list is requested.
func (f *fetch) document(ctx context.Context, u *url.URL) (any, error) {
	list := f.src.Request
	f.src.Request.Method, f.src.Request.Body, f.discovering = http.MethodGet, "", true
	body, _, err := f.get(ctx, u)
	f.src.Request, f.discovering = list, false
	if err != nil {
		return nil, err
	}
	give, err := f.client.decoding.take(ctx, int64(len(body)))
	if err != nil {
		return nil, errors.New("the poll was stopped before the document was decoded")
	}
	defer give()
	return decode(body)
}

func (c *Client) known(id string) (discovery, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.found[id]
	return d, ok
}

func (c *Client) remember(id string, d discovery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[id] = d
}

// checkDiscovery refuses a document on another host than the credentials are for.
func checkDiscovery(src config.Source) []Fault {
	switch d := src.Discovery; {
	case d.URL == "":
		return nil
	case d.Fields == "":
		return []Fault{{"discovery.fields", "is missing", "write the jq program that finds the fields' names"}}
	case !sameOrigin(d.URL, src.Request.URL):
		return []Fault{{"discovery.url", "is not on the host of request.url, which the credentials are for", "ask the same host, with the same scheme"}}
	}
	return nil
}
