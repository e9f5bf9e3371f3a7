package setup

import (
	"errors"
	"fmt"

	"github.com/ringonce/ringonce/internal/dynamo"
)

// Table is the environment variable that names a table.
type Table string

// The tables. A function has access only to those that it uses.
const (
	Observations Table = "RINGONCE_OBSERVATIONS_TABLE"
	Incidents    Table = "RINGONCE_INCIDENTS_TABLE"
	Outbox       Table = "RINGONCE_OUTBOX_TABLE"
	Operations   Table = "RINGONCE_OPERATIONS_TABLE"
)

// Tables reads the names of the tables that a function needs; the names of
// others stay empty. The error names every variable that is missing.
func Tables(env Env, needed ...Table) (dynamo.Tables, error) {
	var t dynamo.Tables
	fields := map[Table]*string{
		Observations: &t.Observations, Incidents: &t.Incidents, Outbox: &t.Outbox, Operations: &t.Operations,
	}
	var errs []error
	for _, table := range needed {
		name := env(string(table))
		if name == "" {
			errs = append(errs, fmt.Errorf("%s is not set: give it the name of the table; template.yaml does", table))
		}
		*fields[table] = name
	}
	return t, errors.Join(errs...)
}
