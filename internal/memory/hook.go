package memory

import "context"

// Phase is when, in an operation, a Hook is called.
type Phase string

// Before is called with nothing done yet. After is called when the operation has
// taken effect; an error then stands for an answer that was lost on its way.
const (
	Before Phase = "before"
	After  Phase = "after"
)

// Call tells a Hook what is about to happen or has happened.
type Call struct {
	// Op is the name of the Store's method: "Save", "Commit".
	Op    string
	Phase Phase
	// Subject is the incident key, source, destination or policy hash that the
	// operation is about; empty when it is about many.
	Subject string
}

// Hook may make an operation fail: the error it returns becomes the
// operation's. It is called without any lock held, so it may wait, or call the
// Store itself; for concurrent operations it is called concurrently.
type Hook func(ctx context.Context, c Call) error

// SetHook has the hook called for every operation from now on; nil removes it.
func (s *Store) SetHook(h Hook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = h
}

func (s *Store) call(ctx context.Context, c Call) error {
	s.mu.Lock()
	hook := s.hook
	s.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(ctx, c)
}

// do runs the body of an operation as one step, between the hook's two calls.
func do[T any](ctx context.Context, s *Store, op, subject string, body func() (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := s.call(ctx, Call{Op: op, Phase: Before, Subject: subject}); err != nil {
		return none, err
	}
	v, err := step(s, body)
	if fault := s.call(ctx, Call{Op: op, Phase: After, Subject: subject}); fault != nil {
		return none, fault
	}
	return v, err
}

// step holds the lock for one step and copies what it answers, so that no caller
// shares memory with the Store.
func step[T any](s *Store, body func() (T, error)) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := body()
	return clone(v), err
}

// run is do for an operation that answers nothing.
func (s *Store) run(ctx context.Context, op, subject string, body func() error) error {
	_, err := do(ctx, s, op, subject, func() (struct{}, error) { return struct{}{}, body() })
	return err
}
