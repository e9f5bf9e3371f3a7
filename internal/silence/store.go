package silence

import "errors"

// ErrExists reports that there is a silence of that id already.
var ErrExists = errors.New("there is a silence of this id already")

// ErrNotFound reports that there is no stored silence of an id.
var ErrNotFound = errors.New("there is no stored silence of this id")
