package delivery

import "errors"

// ErrNotFound reports that there is no delivery where one was looked for.
var ErrNotFound = errors.New("there is no such delivery")
