package setup

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/memory"
)

func TestABeatIsLeftAfterWorkThatSucceeded(t *testing.T) {
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	store := memory.New()
	handle := func(err error) lambda.Handler {
		return Beating(Counted(func(context.Context) error { return err }, emf.New(io.Discard, "test", Now), log), "sweep", store, log)
	}
	event := []byte(`{"scheduled_time":"2026-01-02T03:04:00Z"}`)
	if _, err := handle(errors.New("no")).Invoke(t.Context(), event); err == nil {
		t.Error("the error is lost")
	}
	if beats, err := store.Beats(t.Context()); err != nil || len(beats) != 0 {
		t.Errorf("work that failed left %v, %v", beats, err)
	}
	if _, err := handle(nil).Invoke(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	beats, err := store.Beats(t.Context())
	if got := beats["sweep"].Tick.Format("15:04:05"); err != nil || got != "03:04:00" {
		t.Errorf("left %v, %v", beats, err)
	}
}
