package silence

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrExists reports that a silence with this id exists already.
var ErrExists = errors.New("there is a silence of this id already")

// ErrNotFound reports that no stored silence has this id.
var ErrNotFound = errors.New("there is no stored silence of this id")

// Unreadable maps the id of each silence whose row cannot be read to the error. The
// silences that a store returns with it are valid; an unreadable one suppresses nothing.
type Unreadable map[string]error

func (u Unreadable) Error() string {
	ids := slices.Sorted(maps.Keys(u))
	if len(ids) == 0 {
		return "no silence is unreadable"
	}
	return fmt.Sprintf("%d silences cannot be read, the first is %s: %v", len(ids), ids[0], u[ids[0]])
}
