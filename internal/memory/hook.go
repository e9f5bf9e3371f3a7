package memory

import "context"

// Phase is when a Hook is called during an operation.
type Phase string

// Before is called before anything is done. After is called once the operation has
// taken effect; an error then stands for a lost answer.
const (
	Before Phase = "before"
	After  Phase = "after"
)

// Call describes an operation to a Hook.
type Call struct {
	// Op is the name of the Store's method: "Save", "Commit".
	Op    string
	Phase Phase
	// Subject is the incident key, source, destination or policy hash of the
	// operation; empty if it concerns several.
	Subject string
}

// Hook may make an operation fail: its error becomes the operation's. It is called
// without any lock held, so it may wait, or call the Store itself; concurrent
// operations call it concurrently.
type Hook func(ctx context.Context, c Call) error

// SetHook sets the hook of every operation from now on; nil removes it.
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

// step runs body under the lock and copies its result, so that no caller shares
// memory with the Store.
func step[T any](s *Store, body func() (T, error)) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := body()
	return clone(v), err
}

// run is do for an operation without a result.
func (s *Store) run(ctx context.Context, op, subject string, body func() error) error {
	_, err := do(ctx, s, op, subject, func() (struct{}, error) { return struct{}{}, body() })
	return err
}
