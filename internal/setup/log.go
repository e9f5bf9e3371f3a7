package setup

import (
	"bytes"
	"fmt"
	"io"
	standard "log"
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
	standard.SetOutput(quoteless{standard.Writer()})
	return log, nil
}

// quoteless leaves out what net/http quotes of a server that sent more than it was
// asked for: that may be anything, such as the credentials it was asked with.
type quoteless struct{ to io.Writer }

func (w quoteless) Write(line []byte) (int, error) {
	said, _, quotes := bytes.Cut(line, []byte(` starting with "`))
	if !quotes {
		return w.to.Write(line)
	}
	if _, err := w.to.Write(said); err != nil {
		return 0, err
	}
	return len(line), nil
}
