package lambdaruntime

import (
	"context"
	"errors"
)

// acquire waits for one of the function's slots. With a nil error the caller owns a
// slot and counts as settling.
func (f *Function) acquire(ctx context.Context) error {
	select {
	case f.slots <- struct{}{}:
	case <-f.closing:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		<-f.slots
		return ErrClosed
	}
	f.settling.Add(1)
	return nil
}

// serve runs an invocation in a process. It holds the slot until the process asks for
// more work, because only then is an invocation over.
func (f *Function) serve(inv *invocation, done chan<- outcome) {
	defer f.settling.Done()
	defer func() { <-f.slots }()
	p, err := f.hand(inv)
	if err != nil {
		done <- outcome{err: err}
		return
	}
	o := p.await(inv)
	done <- o
	if p.asksAgain(inv) {
		f.keep(p)
		return
	}
	p.kill()
	<-p.exited
	f.forget(p)
}

// hand gives the invocation to an idle process, or to a new one. A process that died
// while idle never received the invocation, so the next one is tried.
func (f *Function) hand(inv *invocation) (*process, error) {
	for {
		p, fresh, err := f.process()
		if err != nil {
			return nil, err
		}
		err = p.give(inv)
		if err == nil {
			return p, nil
		}
		p.kill()
		<-p.exited
		f.forget(p)
		var exit *ExitError
		if fresh || !errors.As(err, &exit) {
			return nil, err
		}
	}
}

// process returns an idle process or starts one; fresh says which.
func (f *Function) process() (p *process, fresh bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p, idle := range f.processes {
		if idle {
			f.processes[p] = false
			return p, false, nil
		}
	}
	p, err = f.start()
	if err != nil {
		return nil, true, err
	}
	f.processes[p] = false
	return p, true, nil
}

func (f *Function) keep(p *process) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.processes[p]; known {
		f.processes[p] = true
	}
}

func (f *Function) forget(p *process) {
	f.mu.Lock()
	delete(f.processes, p)
	f.mu.Unlock()
	p.server.Close()
}

func (f *Function) all() []*process {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]*process, 0, len(f.processes))
	for p := range f.processes {
		all = append(all, p)
	}
	return all
}
