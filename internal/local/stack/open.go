package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ringonce/ringonce/internal/local/template"
)

// databaseFile is where, in a state directory, the engine keeps the rows.
const databaseFile = "tables.db"

// ErrNoState reports that no stack has run on a state directory yet.
var ErrNoState = errors.New("nothing has run there yet")

// Open opens the tables that a stack keeps in Options.StateDir, for somebody
// who reads them. It makes no table and runs no function.
func Open(ctx context.Context, o Options) (_ *Stack, err error) {
	s := &Stack{options: o, tables: map[string]table{}}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("open the state in %s: %w", o.StateDir, err), s.Close())
		}
	}()
	if s.options.StackName == "" {
		s.options.StackName = defaultStackName
	}
	if _, err := os.Stat(filepath.Join(o.StateDir, databaseFile)); err != nil {
		return nil, ErrNoState
	}
	t, err := template.Load(o.Template)
	if err != nil {
		return nil, err
	}
	described, err := t.Stack(s.options.StackName, nil)
	if err != nil {
		return nil, err
	}
	tables, err := described.Tables()
	if err != nil {
		return nil, err
	}
	for _, w := range tables {
		s.tables[w.ID] = table{name: w.Name(), partitionKey: partitionKey(w.Create.KeySchema)}
	}
	return s, s.startEngine(ctx)
}
