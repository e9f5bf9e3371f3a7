package setup

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Log starts the log: JSON lines, at the level that RINGONCE_LOG_LEVEL names,
// info or debug. It becomes the default of the log packages too, and so takes
// the errors that the Lambda runtime client logs for a failed handler. Those
// come at info, which is why nothing above info can be chosen.
func Log(w io.Writer, env Env) (*slog.Logger, error) {
	level := slog.LevelInfo
	switch name := env(LogLevelVar); strings.ToLower(name) {
	case "", "info":
	case "debug":
		level = slog.LevelDebug
	default:
		return nil, fmt.Errorf("%s is %q: use info or debug", LogLevelVar, name)
	}
	log := slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(log)
	return log, nil
}
