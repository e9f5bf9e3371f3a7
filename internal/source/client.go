package source

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/redact"
)

// Secrets reads secrets by reference, such as ssm:/ringonce/sentry-token. Its errors
// hold no secret. Invalidate reports that a vendor refused the value of a reference,
// so that the next Resolve reads it again.
type Secrets interface {
	Resolve(ctx context.Context, ref string) (string, error)
	Invalidate(ref string)
}

// Options are the dependencies of a Client. All but Secrets have a default; without
// Secrets, a source that refers to a secret cannot be read.
type Options struct {
	Secrets Secrets
	// Transport sends requests. The default verifies TLS, takes proxies from the
	// environment, and refuses private addresses to sources that do not allow them.
	Transport http.RoundTripper
	// Service returns the transport of a host that is asked through an SDK, and nil
	// for a host that is asked over HTTP.
	Service func(host string) http.RoundTripper
	// Redact is applied to every text that leaves Fetch.
	Redact *redact.Redactor
	Now    func() time.Time
	// Sleep waits, or returns early with the context's error.
	Sleep func(context.Context, time.Duration) error
	// Jitter draws from [0, 1).
	Jitter func() float64
	// Reserve is the part of the context's time that is left to the caller, who has
	// to write what was read: 5 s by default.
	Reserve time.Duration
	// MaxHeap is how many bytes of heap the process may use while a program of a
	// mapping runs; a program that exceeds it is stopped. The default is one
	// gigabyte.
	MaxHeap uint64
	// Trace, if set, is called with every exchange with a vendor, in order.
	Trace func(Exchange)
}

// Client reads sources. It is safe for concurrent use.
type Client struct {
	opts Options
	// public connects to public addresses only, private to any: a connection that one
	// source may use must not serve another that may not.
	public   *http.Client
	private  *http.Client
	mu       sync.Mutex
	compiled map[string]*compiled
	found    map[string]discovery
	decoding *room
}

// New returns a Client.
func New(opts Options) *Client {
	if opts.Redact == nil {
		opts.Redact = &redact.Redactor{}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	if opts.Jitter == nil {
		opts.Jitter = rand.Float64
	}
	if opts.MaxHeap == 0 {
		opts.MaxHeap = defaultMaxHeap
	}
	if opts.Reserve <= 0 {
		opts.Reserve = 5 * time.Second
	}
	return &Client{
		opts:     opts,
		public:   newHTTP(opts.Transport, false),
		private:  newHTTP(opts.Transport, true),
		compiled: make(map[string]*compiled),
		found:    make(map[string]discovery),
		decoding: newRoom(decodedAtOnce),
	}
}

// httpClient returns the HTTP client that a host is asked with.
func (c *Client) httpClient(host string, private bool) *http.Client {
	if c.opts.Service != nil {
		if service := c.opts.Service(host); service != nil {
			return newHTTP(service, false)
		}
	}
	if private {
		return c.private
	}
	return c.public
}

func newHTTP(transport http.RoundTripper, private bool) *http.Client {
	if transport == nil {
		transport = newTransport(guardedDial(private))
	}
	return &http.Client{Transport: transport, CheckRedirect: stayOnHost}
}

// Fetch reads all pages of one source and maps every item. It returns what it could
// read, including the items of the pages before one that fails: a listed failure is
// evidence at once, while a missing one proves nothing until every page has been
// read.
func (c *Client) Fetch(ctx context.Context, src config.Source) observation.Listing {
	f := c.newFetch(ctx, src)
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	f.run(ctx)
	return f.result()
}

// bounded returns the context whose deadline bounds the programs too. It ends before
// the caller's, so that an answer that is slow to map leaves the caller time to write
// what was read.
func (c *Client) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = context.WithValue(ctx, heapKey{}, c.opts.MaxHeap)
	if end, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, end.Add(-c.opts.Reserve))
	}
	return context.WithTimeout(ctx, defaultBudget)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
