package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/mapping"
)

// Stack is a running stack.
type Stack struct {
	options Options
	aws     aws.Config
	engine  *engine.Engine
	// queue serves the failure queue at queueURL.
	queue    *http.Server
	queueURL string
	// pages serves incident pages at pageURL; pageSecret is a reference to the secret
	// that signs their links.
	pages      *http.Server
	pageURL    string
	pageSecret string
	functions  []definition
	tables     map[string]table
	// temporary is the state directory to remove at the end; empty for none.
	temporary string

	// mu guards workers, which Restart replaces.
	mu      sync.RWMutex
	workers *workers
}

// AWS returns what SDK clients need to reach the stack's tables.
func (s *Stack) AWS() aws.Config { return s.aws }

// EngineExited is closed when the local engine has exited, by Close or on its own; it
// is nil, and so never closed, if another server provides the tables.
func (s *Stack) EngineExited() <-chan struct{} {
	if s.engine == nil {
		return nil
	}
	return s.engine.Exited()
}

// TableName returns a table's name by its logical id, such as OutboxTable.
func (s *Stack) TableName(logicalID string) string { return s.tables[logicalID].name }

// Invoke invokes a function by its name, such as poll.
func (s *Stack) Invoke(ctx context.Context, function string, payload []byte) ([]byte, error) {
	f, ok := s.current().functions[function]
	if !ok {
		return nil, fmt.Errorf("the template has no function %s", function)
	}
	return f.Invoke(ctx, payload)
}

// Tick polls as the schedule does at the given time, and returns when the poll is
// over.
func (s *Stack) Tick(ctx context.Context, scheduled time.Time) error {
	return s.fire(ctx, "poll", scheduled)
}

// Heartbeat runs the heartbeat's check as the schedule does at the given time.
func (s *Stack) Heartbeat(ctx context.Context, scheduled time.Time) error {
	return s.fire(ctx, "heartbeat", scheduled)
}

// Sweep sweeps as the schedule does at the given time, and returns when the
// sweep is over.
func (s *Stack) Sweep(ctx context.Context, scheduled time.Time) error {
	return s.fire(ctx, "sweep", scheduled)
}

func (s *Stack) fire(ctx context.Context, function string, scheduled time.Time) error {
	for _, d := range s.functions {
		if d.name == function && len(d.schedules) > 0 {
			_, err := s.Invoke(ctx, function, d.schedules[0].Event(scheduled))
			return err
		}
	}
	return fmt.Errorf("the template has no schedule for a function %s", function)
}

// Drain returns when everything that has been written so far has passed through the
// functions, with all that they wrote in turn.
func (s *Stack) Drain(ctx context.Context) error {
	w := s.current()
	for {
		before := w.handled()
		for _, m := range w.mappings {
			if err := m.Drain(ctx); err != nil {
				return err
			}
		}
		if w.handled() == before {
			return nil
		}
	}
}

// Restart kills every process of every function, whatever it is doing, and continues
// with new ones from what is on disk and in the tables. Calls in progress fail.
func (s *Stack) Restart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workers.kill()
	workers, err := s.startWorkers()
	if err != nil {
		return fmt.Errorf("restart the local stack: %w", err)
	}
	s.workers = workers
	return nil
}

// Close lets work in progress end, then stops everything. State that is not temporary
// stays.
func (s *Stack) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.workers != nil {
		s.workers.close()
	}
	if s.pages != nil {
		err = s.pages.Close()
	}
	if s.queue != nil {
		err = errors.Join(err, s.queue.Close())
	}
	if s.engine != nil {
		err = errors.Join(err, s.retract(), s.engine.Stop())
	}
	if s.temporary != "" {
		err = errors.Join(err, os.RemoveAll(s.temporary))
	}
	return err
}

func (s *Stack) current() *workers {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.workers
}

// Failures returns what the mappings have given up, oldest first.
func (s *Stack) Failures() ([]mapping.Failure, error) { return readFailures(s.failuresPath()) }

func (s *Stack) failuresPath() string { return filepath.Join(s.options.StateDir, "failures.jsonl") }
