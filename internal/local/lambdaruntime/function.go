package lambdaruntime

import (
	"context"
	"sync"
	"time"
)

// Function is one function and its processes. Set the exported fields before the
// first Invoke and do not change them afterwards. It is safe for concurrent use.
type Function struct {
	// Name is the function's name, which is in its environment, its ARN and every
	// error.
	Name string
	// Binary is the path of the bootstrap. A process runs in its directory.
	Binary string
	// Env is the function's whole environment, as KEY=value, without what Lambda
	// itself adds. Nothing is inherited from the caller.
	Env []string
	// Timeout bounds one invocation; zero is DefaultTimeout.
	Timeout time.Duration
	// Concurrency is how many processes may run at once; zero is one.
	Concurrency int
	// Output receives each line that a process writes, without its line end.
	// Calls for one process's stream come in order and one at a time; calls
	// for different processes or streams may overlap. May be nil.
	Output func(Line)

	once    sync.Once
	slots   chan struct{}
	closing chan struct{}

	mu        sync.Mutex
	closed    bool
	processes map[*process]bool // true: idle
	settling  sync.WaitGroup
}

// DefaultTimeout is AWS's default timeout of a function.
const DefaultTimeout = 3 * time.Second

// Line is one line that a function's process wrote.
type Line struct {
	Function string
	// PID distinguishes the processes of one function.
	PID int
	// Text is the line without its end; a line over 1 MiB comes in pieces.
	Text string
}

// Invoke runs the function on a payload and returns its response. It waits for
// a free process; a context that ends while it waits, or while the function
// runs, ends Invoke with the context's error but not the running function.
//
// The error is a *FunctionError when the handler failed, a *TimeoutError when
// it ran too long and was killed, an *ExitError when its process died, and
// ErrClosed after Close.
func (f *Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	f.once.Do(f.init)
	if err := f.acquire(ctx); err != nil {
		return nil, err
	}
	inv := newInvocation(payload, f.timeout())
	done := make(chan outcome, 1)
	go f.serve(inv, done)
	select {
	case o := <-done:
		return o.response, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Kill ends every process of the function at once with SIGKILL and returns
// when they are gone. Running invocations fail with an *ExitError; later ones
// start new processes.
func (f *Function) Kill() {
	f.once.Do(f.init)
	processes := f.all()
	for _, p := range processes {
		p.kill()
	}
	for _, p := range processes {
		<-p.exited
		f.forget(p)
	}
}

// Close lets running invocations end, then ends every process. Invocations
// that still wait, and later ones, get ErrClosed. It may be called twice.
func (f *Function) Close() {
	f.once.Do(f.init)
	f.mu.Lock()
	if !f.closed {
		f.closed = true
		close(f.closing)
	}
	f.mu.Unlock()
	f.settling.Wait()
	for _, p := range f.all() {
		p.stop()
		f.forget(p)
	}
}

func (f *Function) init() {
	f.slots = make(chan struct{}, max(f.Concurrency, 1))
	f.closing = make(chan struct{})
	f.processes = make(map[*process]bool)
}

func (f *Function) timeout() time.Duration {
	if f.Timeout > 0 {
		return f.Timeout
	}
	return DefaultTimeout
}
