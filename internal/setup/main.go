package setup

import (
	"log/slog"
	"os"
)

// Main runs a function's wiring and ends the process when it fails: a function
// that cannot be wired must not take events.
func Main(wire func() error) {
	if err := wire(); err != nil {
		slog.Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
}
