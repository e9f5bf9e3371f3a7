package silence

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrExists reports that there is a silence of that id already.
var ErrExists = errors.New("there is a silence of this id already")

// ErrNotFound reports that there is no stored silence of an id.
var ErrNotFound = errors.New("there is no stored silence of this id")

// Unreadable are silences whose rows cannot be read, by id, each with why. What
// a store returns beside it holds: somebody is told rather than nobody.
type Unreadable map[string]error

func (u Unreadable) Error() string {
	ids := slices.Sorted(maps.Keys(u))
	if len(ids) == 0 {
		return "no silence is unreadable"
	}
	return fmt.Sprintf("%d silences cannot be read, the first is %s: %v", len(ids), ids[0], u[ids[0]])
}
