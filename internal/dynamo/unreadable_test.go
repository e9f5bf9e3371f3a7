package dynamo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/observation"
)

func str(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

// TestAnUnreadableRowHidesNoOther: somebody has edited a row by hand.
func TestAnUnreadableRowHidesNoOther(t *testing.T) {
	ctx := t.Context()
	tables := enginetest.Stack(t)
	client := dynamodb.NewFromConfig(enginetest.Config())
	s := dynamo.New(client, tables)
	state, decision := open("good")
	fatal(t, s.Commit(ctx, state, decision, []delivery.Delivery{pending("good", "slack")}))
	put := func(table string, row map[string]types.AttributeValue) {
		t.Helper()
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: row})
		fatal(t, err)
	}
	one := &types.AttributeValueMemberN{Value: "1"}
	for _, shard := range []string{"0", "1", "2", "3"} {
		put(tables.Outbox, map[string]types.AttributeValue{
			"incident_key": str("bad" + shard), "slot": str("x"), "due_shard": str(shard), "due_at": str("2000-01-01T00:00:00.000Z"),
			"episode": one, "sequence": one, "action": str("open"),
		})
		put(tables.Incidents, map[string]types.AttributeValue{
			"incident_key": str("bad" + shard), "record": str("state"), "active": str(shard), "version": str("one"), "sources": str("x"),
		})
	}
	due, err := s.Due(ctx, now.Add(time.Hour), 1)
	if err != nil || len(due) != 1 || due[0].IncidentKey != "good" {
		t.Errorf("due are %+v, %v", due, err)
	}
	active, err := s.ActiveKeys(ctx)
	if err != nil || len(active) != 1 || active[0].Key != "good" {
		t.Errorf("active are %+v, %v", active, err)
	}
	states, err := s.States(ctx, []string{"bad0", "good"})
	var unreadable incident.Unreadable
	if !errors.As(err, &unreadable) || len(unreadable) != 1 || unreadable["bad0"] == nil || !states["good"].Open {
		t.Errorf("states are %+v, %v", states, err)
	}
}

// A poll's record that cannot be read, which is among a source's newest until it
// expires, ends neither the polls of its source nor proves that it was answering.
func TestAnUnreadableRunIsAFailedOne(t *testing.T) {
	ctx := t.Context()
	tables := enginetest.Stack(t)
	client := dynamodb.NewFromConfig(enginetest.Config())
	s := dynamo.New(client, tables)
	run := observation.Run{Source: "sentry", Tick: now, Worker: "w", Started: now, LeaseUntil: now.Add(time.Minute)}
	fatal(t, s.ClaimRun(ctx, run, now))
	for _, id := range []string{observation.FormatTick(now.Add(time.Minute)), "no tick"} {
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(tables.Operations), Item: map[string]types.AttributeValue{
			"kind": str("poll#sentry"), "id": str(id), "try": str("one"),
		}})
		fatal(t, err)
	}
	runs, err := s.Runs(ctx, "sentry", 5)
	if err != nil || len(runs) != 2 || runs[0].State != observation.RunFailed || runs[0].Source != "sentry" ||
		!runs[0].Tick.Equal(now.Add(time.Minute)) || runs[1].State != observation.RunRunning {
		t.Errorf("runs are %+v, %v", runs, err)
	}
}
