package dynamo_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/observation"
)

// indexWrites returns a store and the write units that its last PutItem cost in
// the table's indexes.
func indexWrites(t *testing.T) (*dynamo.Store, *float64) {
	var units float64
	watch := middleware.InitializeMiddlewareFunc("IndexWrites", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
		if put, ok := in.Parameters.(*dynamodb.PutItemInput); ok {
			put.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
		}
		out, md, err := next.HandleInitialize(ctx, in)
		if put, ok := out.Result.(*dynamodb.PutItemOutput); ok && put != nil && put.ConsumedCapacity != nil {
			units = 0
			for _, index := range put.ConsumedCapacity.GlobalSecondaryIndexes {
				units += aws.ToFloat64(index.CapacityUnits)
			}
		}
		return out, md, err
	})
	client := dynamodb.NewFromConfig(enginetest.Config(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
			return stack.Initialize.Add(watch, middleware.After)
		})
	})
	return dynamo.New(client, enginetest.Stack(t)), &units
}

// TestTicksWriteNoIndex: a failing key that stays as it is costs no index write
// at each tick.
func TestTicksWriteNoIndex(t *testing.T) {
	store, units := indexWrites(t)
	st := incident.State{Key: "k", Open: true, Sources: map[string]incident.SourceVerdict{}}
	for i, c := range []struct {
		name    string
		change  func()
		indexed bool
	}{
		{"opened", func() {}, true},
		{"a source spoke", func() { st.Sources["sentry"] = incident.SourceVerdict{Verdict: observation.Failing, Tick: now} }, true},
		{"it spoke again", func() {
			st.Sources["sentry"] = incident.SourceVerdict{Verdict: observation.Healthy, Tick: now.Add(time.Minute)}
			st.FailingStreak, st.LastFailing, st.Summary = 7, now, "worse"
		}, false},
		{"another source spoke", func() { st.Sources["datadog"] = incident.SourceVerdict{Verdict: observation.Healthy, Tick: now} }, true},
		{"no change", func() {}, false},
		{"resolved", func() { st.Open, st.FailingStreak = false, 0 }, true},
		{"healthy again", func() { st.LastHealthy = now }, false},
	} {
		st.Version = int64(i)
		c.change()
		fatal(t, store.Save(t.Context(), st))
		if indexed := *units > 0; indexed != c.indexed {
			t.Errorf("%s: %v index write units, want any: %v", c.name, *units, c.indexed)
		}
	}
}
