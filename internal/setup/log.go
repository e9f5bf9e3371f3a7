package setup

import (
	"bytes"
	"fmt"
	"io"
	standard "log"
	"log/slog"
	"strings"
)

// Log starts the log: JSON lines, at the level that RINGONCE_LOG_LEVEL names, info or
// debug. It also becomes the default of packages log and slog, and so receives the
// errors that the Lambda runtime client logs for a failed handler. Those have level
// info, which is why no higher level can be chosen.
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

// quoteless removes what net/http quotes of a server that sent more than was
// requested: it may be anything, such as the credentials of the request.
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
