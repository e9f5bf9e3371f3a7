package secret

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/ssm"
)

// TTL is how long a value is used before it is read again.
const TTL = 5 * time.Minute

// readTimeout bounds one read. The caller's deadline does not apply, because other
// callers wait for the read too.
const readTimeout = 5 * time.Second

// ErrReference reports a text that is not a reference to a secret. Its message does
// not repeat the text, which may be the secret itself.
var ErrReference = errors.New("not a reference to a secret: write ssm:NAME, env:NAME or file:PATH in its place")

// Parameters is the part of the SSM client that a Resolver calls.
type Parameters interface {
	GetParameters(context.Context, *ssm.GetParametersInput, ...func(*ssm.Options)) (*ssm.GetParametersOutput, error)
}

// Options are the places that a Resolver reads from.
type Options struct {
	// Parameters is the SSM client; without one, ssm: references are errors.
	Parameters Parameters
	// Now returns the time, by which values age.
	Now func() time.Time
	// LookupEnv reads the environment; nil is os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// Dir is the base of the relative path of a file: reference, the directory of the
	// configuration that holds it. Empty is the working directory.
	Dir string
	// Log receives warnings, which name references only; nil is slog.Default().
	Log *slog.Logger
}

// Resolver reads and caches secrets. It is safe for concurrent use; callers that ask
// for the same secret at once share one read.
type Resolver struct {
	opts Options

	mu     sync.Mutex
	values map[string]value
	// reads are the reads in progress whose values will be cached.
	reads map[string]*read
}

type value struct {
	text string
	at   time.Time
}

// read is one read of one reference; its result is valid once done is closed.
type read struct {
	done chan struct{}
	text string
	err  error
}

// New returns a Resolver with an empty cache.
func New(o Options) *Resolver {
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Resolver{opts: o, values: map[string]value{}, reads: map[string]*read{}}
}

// Resolve returns the secret that a reference names. Its errors hold the reference
// and never the value.
func (r *Resolver) Resolve(ctx context.Context, ref string) (string, error) {
	r.mu.Lock()
	if v, ok := r.values[ref]; ok && r.fresh(v) {
		r.mu.Unlock()
		return v.text, nil
	}
	rd, begun := r.begin(ref)
	r.mu.Unlock()
	if begun {
		r.start(ctx, map[string]*read{ref: rd})
	}
	return rd.wait(ctx)
}

// Load reads many secrets ahead, ten SSM parameters per call, and returns the errors
// of all that could not be read.
func (r *Resolver) Load(ctx context.Context, refs []string) error {
	batch := map[string]*read{}
	r.mu.Lock()
	for _, ref := range refs {
		if v, ok := r.values[ref]; ok && r.fresh(v) {
			continue
		}
		if rd, begun := r.begin(ref); begun {
			batch[ref] = rd
		}
	}
	r.mu.Unlock()
	r.start(ctx, batch)
	for _, rd := range batch {
		// One invalid name fails the whole batch, so each is read again by itself
		// below, which finds the invalid ones.
		_, _ = rd.wait(ctx)
	}
	var errs []error
	for _, ref := range refs {
		if _, err := r.Resolve(ctx, ref); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Invalidate drops a secret from the cache, so that the next Resolve reads it again.
// A read in progress may return the old value: only the callers that already wait for
// it get it.
func (r *Resolver) Invalidate(ref string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.values, ref)
	delete(r.reads, ref)
}

func (r *Resolver) fresh(v value) bool { return r.opts.Now().Sub(v.at) < TTL }

// begin joins the read of a reference that is in progress or registers a new one. The
// caller holds the lock and, if the read is new, starts it.
func (r *Resolver) begin(ref string) (rd *read, begun bool) {
	if rd, ok := r.reads[ref]; ok {
		return rd, false
	}
	rd = &read{done: make(chan struct{})}
	r.reads[ref] = rd
	return rd, true
}

// start reads in the background, since the caller may be cancelled while others wait.
func (r *Resolver) start(ctx context.Context, reads map[string]*read) {
	if len(reads) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
	go func() {
		defer cancel()
		r.settle(reads, r.fetch(ctx, reads))
	}()
}

// settle finishes reads and caches their values. A failed read falls back to the
// previous value, so that a minute without SSM is not a minute without alerts.
func (r *Resolver) settle(reads map[string]*read, results map[string]result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ref, rd := range reads {
		got := results[ref]
		if old, ok := r.values[ref]; got.err != nil && ok {
			r.opts.Log.Warn("a secret could not be read again; its old value is used", "reference", ref, "error", got.err)
			got = result{text: old.text}
		} else if got.err == nil && r.reads[ref] == rd {
			r.values[ref] = value{text: got.text, at: r.opts.Now()}
		}
		if r.reads[ref] == rd {
			delete(r.reads, ref)
		}
		rd.text, rd.err = got.text, got.err
		close(rd.done)
	}
}

func (rd *read) wait(ctx context.Context) (string, error) {
	select {
	case <-rd.done:
		return rd.text, rd.err
	case <-ctx.Done():
		return "", fmt.Errorf("wait for a secret: %w", context.Cause(ctx))
	}
}
