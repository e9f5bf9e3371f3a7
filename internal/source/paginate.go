package source

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringonce/ringonce/internal/config"
)

// page is what a pager finds the next page by.
type page struct {
	url    *url.URL
	header http.Header
	// items is the number of items that the vendor put on the page.
	items int
	// says runs a program on the page's whole answer.
	says func(*program) (any, error)
}

// pager implements one way of paging. next returns nil after the last page, and an
// error when it cannot tell whether more pages follow.
type pager interface {
	first(u *url.URL) *url.URL
	next(p page) (*url.URL, error)
}

// paging is a declaration of paging with its programs compiled.
type paging struct {
	config.Pagination
	pages, more, nextOne *program
}

// pagers are the ways of paging by their name in the configuration; an empty name is
// none.
var pagers = map[config.PaginationType]func(paging) pager{
	"":                       func(paging) pager { return onePage{} },
	config.PaginationNone:    func(paging) pager { return onePage{} },
	config.PaginationLink:    func(p paging) pager { return &linkPager{p.Pagination} },
	config.PaginationPage:    func(p paging) pager { return &numberPager{paging: p, number: p.First} },
	config.PaginationOffset:  func(p paging) pager { return &offsetPager{paging: p} },
	config.PaginationToken:   func(p paging) pager { return &tokenPager{p} },
	config.PaginationNextURL: func(p paging) pager { return &urlPager{p} },
}

// onePage is a list of a single page.
type onePage struct{}

func (onePage) first(u *url.URL) *url.URL   { return u }
func (onePage) next(page) (*url.URL, error) { return nil, nil }

// numberPager counts pages up until one is short or, where the size of a full page is
// not known, empty; or up to the vendor's own number of pages.
type numberPager struct {
	paging
	number int
}

func (n *numberPager) first(u *url.URL) *url.URL { return n.asks(u, n.number) }

func (n *numberPager) next(p page) (*url.URL, error) {
	last, err := n.last(p)
	if err != nil || last {
		return nil, err
	}
	n.number++
	return n.asks(p.url, n.number), nil
}

func (n *numberPager) last(p page) (bool, error) {
	if n.pages == nil {
		return p.items == 0 || p.items < n.Size, nil
	}
	v, err := p.says(n.pages)
	if err != nil {
		return false, err
	}
	count, ok, err := number(v)
	if err != nil || !ok || count < 0 {
		return false, errors.New("pagination.pages: gave " + typeName(v) + " where the number of pages is needed; check the program against the vendor's answer")
	}
	return float64(n.number-n.First+1) >= count, nil
}

// asks returns the address with the page's number or offset, and its size.
func (p *paging) asks(u *url.URL, value int) *url.URL {
	q := map[string]string{p.Param: strconv.Itoa(value)}
	if p.SizeParam != "" {
		q[p.SizeParam] = strconv.Itoa(p.Size)
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
	link, ok, whole := nextLink(header)
	if !ok && !whole {
		return nil, errors.New("its Link header cannot be read to the end, so more may follow unseen; check what stands between here and the vendor")
	}
	// Sentry always names a next page and says whether it holds anything
	// ("Paginating Results" in its API documentation).
	if !ok || link.params["results"] == "false" {
		return nil, nil
	}
	return follow(p.url, link.target, "the Link header's next address")
}

// follow parses an address that a vendor gave for the next page. It refuses any other
// host, which must not get the credentials.
func follow(from *url.URL, target, what string) (*url.URL, error) {
	to, err := from.Parse(target)
	if err != nil {
		return nil, errors.New(what + " cannot be read")
	}
	if origin(to) != origin(from) || to.User != nil {
		return nil, fmt.Errorf("the next page is said to be on another host (%s://%s), which the credentials are not for; it was not asked for; "+
			"if that is the vendor's too, set request.url to it", to.Scheme, to.Host)
	}
	return to, nil
}

// withQuery returns the address with query parameters set, replacing those of the
// same names.
func withQuery(u *url.URL, params map[string]string) *url.URL {
	out := *u
	q := out.Query()
	for name, value := range params {
		q.Set(name, value)
	}
	out.RawQuery = q.Encode()
	return &out
}
