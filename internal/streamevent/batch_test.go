package streamevent

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestBatch(t *testing.T) {
	records := []Record{
		{SequenceNumber: "1", EventName: Insert},
		{SequenceNumber: "2", EventName: Insert, Err: errors.New("malformed")},
		{SequenceNumber: "3", EventName: Modify},
		{SequenceNumber: "4", EventName: Insert},
		{SequenceNumber: "5", EventName: Remove},
	}
	b := NewBatch(records)
	var seen []string
	for place, r := range b.Inserts() {
		seen = append(seen, r.SequenceNumber)
		if place == 3 {
			b.Fail(place, errors.New("no such owner"))
		}
	}
	if got := strings.Join(seen, " "); got != "1 4" {
		t.Errorf("inserts are %s, want 1 4", got)
	}
	var log strings.Builder
	response, err := b.Response(context.Background(), slog.New(slog.NewJSONHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, f := range response.BatchItemFailures {
		failed = append(failed, f.ItemIdentifier)
	}
	if got := strings.Join(failed, " "); got != "2 4" {
		t.Errorf("failed are %s, want 2 4, in order", got)
	}
	for _, want := range []string{"malformed", "no such owner", `"sequence_number":"4"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, log.String())
		}
	}
}

func TestBatchWithoutFailures(t *testing.T) {
	response, err := NewBatch([]Record{{SequenceNumber: "1", EventName: Insert}}).Response(context.Background(), slog.New(slog.DiscardHandler))
	if err != nil || response.BatchItemFailures == nil || len(response.BatchItemFailures) != 0 {
		t.Errorf("response %+v, error %v, want an empty list, which is not null in JSON", response, err)
	}
}

// TestUnnamedFailure: a record without a number cannot be named, so all of the
// batch is sent again (case O5).
func TestUnnamedFailure(t *testing.T) {
	_, err := NewBatch([]Record{{Err: errors.New("null")}}).Response(context.Background(), slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "record 1 of 1") {
		t.Errorf("error is %v, want one that says which record", err)
	}
}
