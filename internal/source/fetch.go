package source

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/url"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/redact"
)

const (
	// maxTotalBytes bounds all pages of one poll together.
	maxTotalBytes int64 = 64 << 20
	// defaultBudget is the time for one source if the context has no deadline.
	defaultBudget = 45 * time.Second
)

// fetch is one poll of one source.
type fetch struct {
	client   *Client
	src      config.Source
	redact   *redact.Redactor
	deadline time.Time
	auth     credentials
	mapper   *mapper
	seen     seen
	// visited are the addresses requested so far; last is the hash of the previous
	// page.
	visited map[string]bool
	last    uint64
	// bytes is the size of all pages so far.
	bytes    int64
	list     observation.Listing
	problems problems
	canary   canary
	// discovering says that the request is not for a page of the list.
	discovering bool
}

func (c *Client) newFetch(ctx context.Context, src config.Source) *fetch {
	if src.Pagination.MaxPages <= 0 {
		src.Pagination.MaxPages = config.DefaultMaxPages
	}
	if src.Pagination.MaxBytes <= 0 {
		src.Pagination.MaxBytes = config.DefaultMaxBytes
	}
	if src.Request.Timeout <= 0 {
		src.Request.Timeout = config.DefaultTimeout
	}
	f := &fetch{client: c, src: src, redact: c.opts.Redact, deadline: c.opts.Now().Add(defaultBudget), seen: make(seen)}
	if d, ok := ctx.Deadline(); ok {
		f.deadline = d.Add(-c.opts.Reserve)
	}
	return f
}

// run reads page after page until the last one or the first that fails.
func (f *fetch) run(ctx context.Context) {
	pager, ok := f.prepare(ctx)
	if !ok {
		return
	}
	if err := f.discover(ctx); err != nil {
		f.problem("discovery", err.Error())
		return
	}
	next := pager.first(f.startURL())
	f.visited = map[string]bool{next.String(): true}
	for number := 1; next != nil; number++ {
		var err error
		if next, err = f.page(ctx, pager, number, next); err != nil {
			f.problem(fmt.Sprintf("page %d", number), err.Error())
			return
		}
	}
	f.list.Complete = true
	f.checkCanary()
}

// page reads one page and returns the address of the next, nil after the last.
func (f *fetch) page(ctx context.Context, pager pager, number int, u *url.URL) (*url.URL, error) {
	body, header, err := f.get(ctx, u)
	if err != nil {
		return nil, err
	}
	give, err := f.client.decoding.take(ctx, int64(len(body)))
	if err != nil {
		return nil, errors.New("the poll was stopped before the page was decoded")
	}
	defer give()
	sum := maphash.Bytes(seed, body)
	answer, items, err := f.readPage(ctx, number, body)
	if err != nil {
		return nil, err
	}
	// Without this check a vendor that ignores the page parameter would be read
	// forever.
	if number > 1 && items > 0 && sum == f.last {
		return nil, errors.New("it repeats the page before; check that pagination.param is what the vendor calls it")
	}
	f.last = sum
	next, err := pager.next(page{url: u, header: header, items: items, says: func(p *program) (any, error) {
		v, err := p.one(ctx, answer)
		if err != nil {
			return nil, errors.New(fault(p, err))
		}
		return v, nil
	}})
	if err != nil || next == nil {
		return nil, err
	}
	return next, f.follow(next, number)
}

// follow refuses a next page that repeats an earlier one or exceeds the limit.
func (f *fetch) follow(next *url.URL, number int) error {
	if f.visited[next.String()] {
		return errors.New("the next page is one that was read before; the vendor's paging runs in a circle")
	}
	if limit := f.src.Pagination.MaxPages; number >= limit {
		return fmt.Errorf("more pages follow, but %d is the limit; narrow the query or raise pagination.max_pages", limit)
	}
	f.visited[next.String()] = true
	return nil
}

var seed = maphash.MakeSeed()

// prepare finds the declaration's mistakes and reads its secrets before the first
// request.
func (f *fetch) prepare(ctx context.Context) (pager, bool) {
	faults := append(checkRequest(f.src.Request), checkPagination(f.src)...)
	faults = append(faults, checkEnrich(f.src)...)
	faults = append(faults, checkDiscovery(f.src)...)
	programs := f.client.programs(f.src)
	for _, fault := range append(faults, programs.faults...) {
		f.problem(fault.Path, fault.What+"; "+fault.Fix)
	}
	if len(f.problems.list) > 0 {
		return nil, false
	}
	auth, err := f.client.resolve(ctx, f.src.Request)
	if err != nil {
		f.problem("request", err.Error())
		return nil, false
	}
	f.auth = auth
	f.redact = f.redact.WithSecrets(auth.secrets...)
	f.mapper = newMapper(f.src, programs, f.redact, (&redact.Redactor{}).WithSecrets(auth.secrets...))
	return pagers[f.src.Pagination.Type](paging{f.src.Pagination, programs.pages, programs.more, programs.next}), true
}

// startURL returns the address of the first request; prepare has checked that it
// parses.
func (f *fetch) startURL() *url.URL {
	u, _ := url.Parse(f.src.Request.URL)
	return withQuery(u, f.src.Request.Query)
}

// problem records what could not be read. Its text, which may come from a vendor or a
// library, is redacted and cut to what rows and messages take.
func (f *fetch) problem(where, what string) { f.note(where, what, false) }

// evidenceProblem records evidence that could not be read of an item that is
// otherwise known.
func (f *fetch) evidenceProblem(where, what string) { f.note(where, what, true) }

func (f *fetch) note(where, what string, evidence bool) {
	f.problems.add(observation.Problem{Where: f.shown(where), What: f.shown(what), Evidence: evidence})
}

func (f *fetch) shown(s string) string { return bounded(f.redact.Text(headOf(s)), maxProblem) }

func (f *fetch) result() observation.Listing {
	f.list.Problems = f.problems.all()
	f.list.Complete = f.list.Complete && !f.problems.grave
	return f.list
}
