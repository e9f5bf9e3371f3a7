package lambdaruntime

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ErrClosed reports an invocation of a function that was closed.
var ErrClosed = errors.New("the local function is closed")

// FunctionError is what a function reported instead of a response: its handler
// returned an error or panicked, or its start failed.
type FunctionError struct {
	Function string
	// Type and Message are the function's own words.
	Type    string
	Message string
	// Init says that the function failed before it took any invocation.
	Init bool
}

func (e *FunctionError) Error() string {
	stage := "failed"
	if e.Init {
		stage = "failed to start"
	}
	return fmt.Sprintf("function %s %s: %s: %s", e.Function, stage, e.Type, e.Message)
}

// TimeoutError reports an invocation, or a start, that ran too long; its
// process was killed.
type TimeoutError struct {
	Function string
	After    time.Duration
	// Init says that the process never asked for an invocation.
	Init bool
}

func (e *TimeoutError) Error() string {
	if e.Init {
		return fmt.Sprintf("function %s did not ask for work within %s of its start and was killed", e.Function, e.After)
	}
	return fmt.Sprintf("function %s ran longer than its timeout of %s and was killed", e.Function, e.After)
}

// ExitError reports a process that ended before it answered, or that could not
// be started.
type ExitError struct {
	Function string
	// State is how it ended: "exit status 2", "signal: killed".
	State string
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("function %s: its process ended before it answered: %s", e.Function, e.State)
}

// functionError reads the error document of the Runtime API. Any other body is shown
// as it is, shortened.
func functionError(function string, body []byte, header string) *FunctionError {
	var doc struct {
		Message string `json:"errorMessage"`
		Type    string `json:"errorType"`
	}
	if err := json.Unmarshal(body, &doc); err != nil || doc.Type == "" && doc.Message == "" {
		doc.Message = string(body[:min(len(body), 1000)])
	}
	if doc.Type == "" {
		doc.Type = header
	}
	if doc.Type == "" {
		doc.Type = "Unhandled"
	}
	return &FunctionError{Function: function, Type: doc.Type, Message: doc.Message}
}
