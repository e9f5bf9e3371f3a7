package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// Enrich requests evidence that the list lacks about one failure and returns its
// evidence with that filled in. It does not retry, since the evidence is for readers
// only and each request costs the vendor. On an error the evidence is unchanged. The
// error holds no secret.
func (c *Client) Enrich(ctx context.Context, src config.Source, have observation.Evidence) (observation.Evidence, error) {
	if src.Enrich.URL == "" || have.VendorID == "" {
		return have, nil
	}
	f := c.newFetch(ctx, src)
	if _, ok := f.prepare(ctx); !ok {
		return have, errors.New(f.problems.list[0].String())
	}
	u, err := url.Parse(strings.ReplaceAll(src.Enrich.URL, config.IDPlace, url.PathEscape(have.VendorID)))
	if err != nil {
		return have, errors.New("enrich.url is no address with this id; check map.evidence.vendor_id")
	}
	if f.left() <= 0 {
		return have, errors.New("there was no time left to ask for more")
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	got, err := f.more(ctx, u)
	if err != nil {
		return have, fmt.Errorf("enrich: %s", f.shown(err.Error()))
	}
	// The id that the second request was made with stays.
	got.VendorID = have.VendorID
	return got.Or(have), nil
}

func (f *fetch) more(ctx context.Context, u *url.URL) (observation.Evidence, error) {
	var got observation.Evidence
	body, _, fail := f.attempt(ctx, u)
	if fail != nil {
		return got, fail
	}
	v, err := decode(body)
	if err != nil {
		return got, err
	}
	r := &reader{ctx: ctx, item: v, redact: f.redact}
	f.mapper.programs.enrich.fill(r, &got)
	if faults := r.take(); len(faults) > 0 {
		return got, errors.New(strings.Join(faults, "; "))
	}
	return got, nil
}
