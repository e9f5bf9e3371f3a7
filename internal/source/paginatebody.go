package source

import (
	"errors"
	"net/url"
	"strings"
)

// offsetPager adds the number of items of each page to the offset, as long as the
// answer says that more follow.
type offsetPager struct {
	paging
	offset int
}

func (o *offsetPager) first(u *url.URL) *url.URL { return o.asks(u, 0) }

func (o *offsetPager) next(p page) (*url.URL, error) {
	v, err := p.says(o.more)
	if err != nil {
		return nil, err
	}
	more, ok := v.(bool)
	switch {
	case !ok:
		return nil, errors.New("pagination.more: gave " + typeName(v) + " where true or false is needed; check the program against the vendor's answer")
	case !more:
		return nil, nil
	case p.items == 0:
		return nil, errors.New("it is empty but says that more follow")
	}
	// A page shorter than requested may have been cut by the vendor's own limit: the
	// items that it omitted come next.
	o.offset += p.items
	return o.asks(p.url, o.offset), nil
}

// tokenPager sends back the token that the answer gives.
type tokenPager struct{ paging }

func (t *tokenPager) first(u *url.URL) *url.URL { return u }

func (t *tokenPager) next(p page) (*url.URL, error) {
	token, err := t.given(p)
	if err != nil || token == "" {
		return nil, err
	}
	return withQuery(p.url, map[string]string{t.Param: token}), nil
}

// urlPager follows the address that the answer gives.
type urlPager struct{ paging }

func (n *urlPager) first(u *url.URL) *url.URL { return u }

func (n *urlPager) next(p page) (*url.URL, error) {
	target, err := n.given(p)
	if err != nil || target == "" {
		return nil, err
	}
	return follow(p.url, target, "pagination.next: the address")
}

// given returns the token or address of the next page; empty after the last.
func (p *paging) given(at page) (string, error) {
	v, err := at.says(p.nextOne)
	if err != nil {
		return "", err
	}
	s, err := identity(v)
	if err != nil {
		return "", errors.New("pagination.next: " + err.Error())
	}
	return strings.TrimSpace(s), nil
}
