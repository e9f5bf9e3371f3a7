package live

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/stack"
)

// State is what runs on a state directory have left there.
type State struct {
	Store *dynamo.Store

	stack  *stack.Stack
	unlock func()
}

// Open opens the state in Options.StateDir for reading. It fails while a run
// uses it.
func Open(ctx context.Context, o Options) (*State, error) {
	unlock := func() {}
	// Only a directory that is there is locked, for locking makes it.
	if _, err := os.Stat(o.StateDir); err == nil {
		if unlock, err = lock(o.StateDir); err != nil {
			return nil, err
		}
	}
	s, err := stack.Open(ctx, stack.Options{Template: o.Template, Engine: o.Engine, StateDir: o.StateDir})
	if err != nil {
		unlock()
		if errors.Is(err, stack.ErrNoState) {
			return nil, errors.Join(err, errors.New("name the directory that `ringonce run --state DIR` keeps its state in"))
		}
		return nil, err
	}
	return &State{Store: dynamo.New(dynamodb.NewFromConfig(s.AWS()), Tables(s)), stack: s, unlock: unlock}, nil
}

// Tables are the names of a local stack's tables.
func Tables(s *stack.Stack) dynamo.Tables {
	return dynamo.Tables{
		Observations: s.TableName("ObservationsTable"),
		Incidents:    s.TableName("IncidentsTable"),
		Outbox:       s.TableName("OutboxTable"),
		Operations:   s.TableName("OperationsTable"),
	}
}

// Close gives the state back.
func (s *State) Close() error {
	defer s.unlock()
	return s.stack.Close()
}
