package setup

import (
	"cmp"
	"context"
	"io"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/emf"
)

// StackVar is the name of the stack, which distinguishes its metrics from those of
// others.
const StackVar = "RINGONCE_STACK"

// Metrics returns a recorder of metrics, and a log that counts its lines in it.
func Metrics(w io.Writer, env Env, log *slog.Logger) (*emf.Recorder, *slog.Logger) {
	r := emf.New(w, cmp.Or(env(StackVar), "ringonce"), Now)
	return r, emf.Log(log, r)
}

// Counted makes a function's handler write the metrics of each invocation at its end.
func Counted(handle any, r *emf.Recorder, log *slog.Logger) lambda.Handler {
	return counted{lambda.NewHandler(handle), r, log}
}

type counted struct {
	lambda.Handler
	recorder *emf.Recorder
	log      *slog.Logger
}

// Invoke handles one event.
func (c counted) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	defer func() {
		if err := c.recorder.Flush(); err != nil {
			c.log.ErrorContext(ctx, "the metrics of this invocation are lost", "error", err)
		}
	}()
	return c.Handler.Invoke(ctx, payload)
}
