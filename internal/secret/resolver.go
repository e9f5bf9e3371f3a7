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

// readTimeout bounds one read. It is not the caller's: others wait for it too.
const readTimeout = 5 * time.Second

// ErrReference reports a text that is no reference to a secret. Its message
// does not repeat the text, which may be the secret itself.
var ErrReference = errors.New("not a reference to a secret: write ssm:NAME, env:NAME or file:PATH in its place")

// Parameters is what this package needs of the SSM client.
type Parameters interface {
	GetParameters(context.Context, *ssm.GetParametersInput, ...func(*ssm.Options)) (*ssm.GetParametersOutput, error)
}

// Options are what a Resolver reads from.
type Options struct {
	// Parameters is the SSM client; without one, ssm: references are errors.
	Parameters Parameters
	// Now tells the age of values.
	Now func() time.Time
	// LookupEnv reads the environment; nil is os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// Dir is where the relative path of a file: reference begins: beside the
	// configuration that names it. Empty is the working directory.
	Dir string
	// Log takes warnings, which name references only; nil is slog.Default().
	Log *slog.Logger
}

// Resolver reads secrets and remembers them. It is safe for concurrent use;
// callers that ask for the same secret at once share one read.
type Resolver struct {
	opts Options

	mu     sync.Mutex
	values map[string]value
	// reads are the reads under way whose values shall be remembered.
	reads map[string]*read
}

type value struct {
	text string
	at   time.Time
}

// read is one read of one reference; its result may be looked at once done is
// closed.
type read struct {
	done chan struct{}
	text string
	err  error
}

// New returns a Resolver that has read nothing yet.
func New(o Options) *Resolver {
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Resolver{opts: o, values: map[string]value{}, reads: map[string]*read{}}
}

// Resolve returns the secret that a reference names. Its errors name the
// reference and never the value.
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

// Load reads many secrets ahead, ten SSM parameters a call, and returns the
// errors of all that could not be read.
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
		// A bad name fails the whole batch, so errors are found again one by
		// one below.
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

// Invalidate forgets a secret, so that the next Resolve reads it again. A read
// under way may bring the old value: it is given to those who wait for it, and
// to nobody after them.
func (r *Resolver) Invalidate(ref string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.values, ref)
	delete(r.reads, ref)
}

func (r *Resolver) fresh(v value) bool { return r.opts.Now().Sub(v.at) < TTL }

// begin joins the read of a reference or announces one; the caller holds the
// lock and, if the read is new, starts it.
func (r *Resolver) begin(ref string) (rd *read, begun bool) {
	if rd, ok := r.reads[ref]; ok {
		return rd, false
	}
	rd = &read{done: make(chan struct{})}
	r.reads[ref] = rd
	return rd, true
}

// start reads apart from the caller, who may be cancelled while others wait.
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

// settle ends reads and remembers what they brought. A failed read falls back
// on the value it should have replaced: a minute without SSM need not be a
// minute without alerts.
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
