package dynamo_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestExpiry holds what rows DynamoDB may remove, and when.
func TestExpiry(t *testing.T) {
	client := dynamodb.NewFromConfig(enginetest.Config())
	tables := enginetest.Stack(t)
	// expires returns what the only row of a table says.
	expires := func(table string) string {
		t.Helper()
		out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
		fatal(t, err)
		if len(out.Items) != 1 {
			t.Fatalf("%d rows in %s, want 1", len(out.Items), table)
		}
		n, ok := out.Items[0]["expires_at"].(*types.AttributeValueMemberN)
		if !ok {
			return "never"
		}
		return n.Value
	}
	store := dynamo.New(client, tables, dynamo.KeepRuns(24*time.Hour))
	run := observation.Run{Source: "sentry", Tick: now.Add(-time.Hour), State: observation.RunOK, Worker: "w", Ended: now.Add(time.Second)}
	fatal(t, store.ClaimRun(t.Context(), run, now))
	if got := expires(tables.Operations); got != "1773568800" {
		t.Errorf("a claimed run expires at %s, want a day after the claim", got)
	}
	fatal(t, store.FinishRun(t.Context(), run))
	if got := expires(tables.Operations); got != "1773568801" {
		t.Errorf("a finished run expires at %s, want a day after its end", got)
	}
	fatal(t, dynamo.New(client, tables).FinishRun(t.Context(), run))
	if got := expires(tables.Operations); got != "never" {
		t.Errorf("a run expires at %s without a retention, want never", got)
	}
	_, err := store.PutObservation(t.Context(), observation.Observation{IncidentKey: "k", Source: "sentry", Tick: now}, now.Add(1500*time.Millisecond))
	fatal(t, err)
	if got := expires(tables.Observations); got != "1773482401" {
		t.Errorf("an observation expires at %s, want the second it was given", got)
	}
}
