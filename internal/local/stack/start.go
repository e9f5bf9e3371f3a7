package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/template"
)

// Start starts everything the template describes except its schedules, which
// RunSchedules runs, or for which the caller uses Tick and Sweep.
func Start(ctx context.Context, o Options) (_ *Stack, err error) {
	s := &Stack{options: o}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("start the local stack: %w", err), s.Close())
		}
	}()
	if s.options.StackName == "" {
		s.options.StackName = defaultStackName
	}
	if s.options.Problem == nil {
		s.options.Problem = func(error) {}
	}
	// The processes run in their own folders.
	if s.options.FunctionsDir, err = filepath.Abs(o.FunctionsDir); err != nil {
		return nil, fmt.Errorf("find the functions: %w", err)
	}
	if err := s.makeState(); err != nil {
		return nil, err
	}
	t, err := template.Load(o.Template)
	if err != nil {
		return nil, err
	}
	described, err := t.Stack(s.options.StackName, nil)
	if err != nil {
		return nil, err
	}
	if s.functions, err = readFunctions(described, s.options.StackName); err != nil {
		return nil, err
	}
	if err := errors.Join(s.startEngine(ctx), s.serveQueue(), s.servePages()); err != nil {
		return nil, err
	}
	if s.tables, err = makeTables(ctx, s.aws, described); err != nil {
		return nil, err
	}
	s.workers, err = s.startWorkers()
	return s, err
}

func (s *Stack) makeState() (err error) {
	if s.options.StateDir == "" {
		s.options.StateDir, err = os.MkdirTemp("", "ringonce-")
		s.temporary = s.options.StateDir
		return err
	}
	return os.MkdirAll(s.options.StateDir, 0o700)
}

func (s *Stack) startEngine(ctx context.Context) (err error) {
	if s.options.AWS != nil {
		s.aws = *s.options.AWS
		return nil
	}
	o := engine.Options{Binary: s.options.Engine}
	if s.temporary == "" {
		o.DBPath = filepath.Join(s.options.StateDir, TablesFile)
	}
	if s.engine, err = engine.Start(ctx, o); err != nil {
		return err
	}
	s.aws = s.engine.Config()
	return s.announce()
}
