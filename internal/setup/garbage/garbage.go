// Package garbage has a function collect garbage for the first time when it holds
// four times as much as Go waits for: nearly all that is allocated while it starts
// is there to stay, and a collection was seen to take a fifth of the start.
//
// It imports little, so that it is among the first to be initialised (see "Program
// initialization" in Go's specification). What the packages of the SDK's clients
// allocate for themselves is enough for a collection to begin before main does.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
)

// first is the percentage until the first collection. Of the 4 MB that Go takes
// for the least of a heap it makes 16.
const first = 400

// runtimeVar is set by Lambda for every function; see "Defined runtime environment
// variables" in its developer guide. Other programs import this package too.
const runtimeVar = "AWS_LAMBDA_RUNTIME_API"

func init() {
	if os.Getenv(runtimeVar) == "" || os.Getenv("GOGC") != "" {
		return
	}
	runtime.AddCleanup(new(*byte), func(percent int) { debug.SetGCPercent(percent) }, debug.SetGCPercent(first))
}
