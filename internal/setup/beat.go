package setup

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/observation"
)

// Beats stores beats.
type Beats interface {
	PutBeat(ctx context.Context, b observation.Beat) error
}

// Beating makes a function's handler leave a beat after each event that it handled,
// with the event's scheduled time if it has one.
func Beating(h lambda.Handler, part string, beats Beats, log *slog.Logger) lambda.Handler {
	return beating{h, part, beats, log}
}

type beating struct {
	lambda.Handler
	part  string
	beats Beats
	log   *slog.Logger
}

// Invoke handles one event.
func (b beating) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	answer, err := b.Handler.Invoke(ctx, payload)
	if err != nil {
		return answer, err
	}
	now := Now()
	beat := observation.Beat{Part: b.part, Tick: now, At: now}
	var event Scheduled
	if json.Unmarshal(payload, &event) == nil {
		beat.Tick = event.Time
	}
	LeaveBeat(ctx, b.beats, beat, b.log)
	return answer, nil
}

// LeaveBeat stores a beat. It logs an error rather than returning it: a lost beat
// makes the heartbeat doubt a part that works, which is no reason to repeat its work.
func LeaveBeat(ctx context.Context, beats Beats, b observation.Beat, log *slog.Logger) {
	if err := beats.PutBeat(ctx, b); err != nil {
		log.ErrorContext(ctx, "that this part works could not be noted; the heartbeat may take it for stopped",
			"part", b.Part, "error", err)
	}
}
