package source

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringonce/ringonce/internal/config"
)

// page is what a pager may look at to find the next one.
type page struct {
	url    *url.URL
	header http.Header
	// items is how many items the vendor put on the page.
	items int
}

// pager knows one way in which pages follow each other. next returns nil after
// the last page, and an error when it cannot tell whether more follow.
type pager interface {
	first(u *url.URL) *url.URL
	next(p page) (*url.URL, error)
}

// pagers are the ways that configuration can name; an empty name is none.
var pagers = map[string]func(config.Pagination) pager{
	"":     func(config.Pagination) pager { return onePage{} },
	"none": func(config.Pagination) pager { return onePage{} },
	"link": func(p config.Pagination) pager { return &linkPager{p} },
	"page": func(p config.Pagination) pager { return &numberPager{Pagination: p, number: p.First} },
}

// onePage is all there is.
type onePage struct{}

func (onePage) first(u *url.URL) *url.URL   { return u }
func (onePage) next(page) (*url.URL, error) { return nil, nil }

// numberPager counts pages up until one is short, or, where the size of a full
// page is not known, empty.
type numberPager struct {
	config.Pagination
	number int
}

func (n *numberPager) first(u *url.URL) *url.URL { return n.at(u) }

func (n *numberPager) next(p page) (*url.URL, error) {
	if p.items == 0 || p.items < n.Size {
		return nil, nil
	}
	n.number++
	return n.at(p.url), nil
}

func (n *numberPager) at(u *url.URL) *url.URL {
	q := map[string]string{n.Param: strconv.Itoa(n.number)}
	if n.SizeParam != "" {
		q[n.SizeParam] = strconv.Itoa(n.Size)
	}
	return withQuery(u, q)
}

// linkPager follows the next link of the Link header (RFC 8288).
type linkPager struct{ config.Pagination }

func (l *linkPager) first(u *url.URL) *url.URL { return u }

func (l *linkPager) next(p page) (*url.URL, error) {
	header := p.header.Values("Link")
	if len(header) == 0 && l.Size > 0 && p.items >= l.Size {
		return nil, errors.New("it is a full page without a Link header, so more may follow unseen; check what stands between here and the vendor")
	}
	link, ok := nextLink(header)
	// Sentry always names a next page and says whether it holds anything
	// ("Paginating Results" in its API documentation).
	if !ok || link.params["results"] == "false" {
		return nil, nil
	}
	to, err := p.url.Parse(link.target)
	if err != nil {
		return nil, errors.New("the Link header's next address cannot be read")
	}
	if to.Scheme != p.url.Scheme || to.Host != p.url.Host {
		return nil, errors.New("the next page is said to be on another host, which the credentials are not for; it was not asked for")
	}
	return to, nil
}

// withQuery returns the address with query parameters set, replacing what it
// has of the same names.
func withQuery(u *url.URL, params map[string]string) *url.URL {
	out := *u
	q := out.Query()
	for name, value := range params {
		q.Set(name, value)
	}
	out.RawQuery = q.Encode()
	return &out
}
