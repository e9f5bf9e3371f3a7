package stack

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/template"
	"github.com/ringonce/ringonce/internal/observation"
)

const (
	checkout = "sentry-checkout"
	payments = "datadog-payments"
)

// expires is when the recorded observations may be removed.
var expires = tick.AddDate(0, 0, 14)

func s(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }
func n(text string) types.AttributeValue { return &types.AttributeValueMemberN{Value: text} }

func (r *recorder) observe(o observation.Observation) {
	r.t.Helper()
	_, err := r.store.PutObservation(r.t.Context(), o, expires)
	check(r.t, err)
}

// expired is the event of a row that time to live removes.
func (r *recorder) expired(table, name string, key map[string]types.AttributeValue, from int) map[string]any {
	r.t.Helper()
	_, err := r.client.DeleteItem(r.t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(r.tables[table].name), Key: key})
	check(r.t, err)
	removed := r.event(table, from)
	inAWS(removed, name)
	// This is how such a removal tells that nobody asked for it.
	removed["Records"].([]any)[0].(map[string]any)["userIdentity"] = map[string]any{"type": "Service", "principalId": "dynamodb.amazonaws.com"}
	return removed
}

func TestEventsOfSchedulesAreTheTemplates(t *testing.T) {
	parsed, err := template.Load(templatePath)
	check(t, err)
	described, err := parsed.Stack(defaultStackName, nil)
	check(t, err)
	functions, err := readFunctions(described, defaultStackName)
	check(t, err)
	r := &recorder{t: t}
	for _, f := range functions {
		for _, schedule := range f.schedules {
			r.same(f.name+"/scheduled.json", json.RawMessage(schedule.Event(tick)))
		}
	}
}

func TestEventsOfDecideAreWhatTheStreamGives(t *testing.T) {
	r := newRecorder(t)
	record := func(name string, from int) {
		t.Helper()
		event := r.event("ObservationsTable", from)
		inAWS(event, "ringonce-observations")
		r.same("decide/"+name, event)
	}
	first := observed(checkout, tick, observation.Failing)
	r.observe(first)
	record("one.json", 0)
	r.observe(observed(checkout, tick.Add(time.Minute), observation.Failing))
	r.observe(observed(payments, tick.Add(time.Minute), observation.Healthy))
	r.observe(observed(checkout, tick.Add(2*time.Minute), observation.Unknown))
	record("many.json", 0)

	key := map[string]types.AttributeValue{"incident_key": s(first.IncidentKey), "observation_id": s(first.ID())}
	_, err := r.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String(r.tables["ObservationsTable"].name), Key: key,
		UpdateExpression:          aws.String("SET expires_at = :later"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":later": n("1798761600")},
	})
	check(t, err)
	record("modify.json", 4)
	r.same("decide/ttl-remove.json", r.expired("ObservationsTable", "ringonce-observations", key, 5))

	// A row without a verdict, one in order, one whose tick is no text.
	r.put("ObservationsTable", map[string]types.AttributeValue{
		"incident_key": s("k1/error/project=basket"), "observation_id": s("2026-01-02T03:04:00Z#" + checkout),
		"source": s(checkout), "tick": s("2026-01-02T03:04:00Z"),
	})
	r.observe(observed(payments, tick.Add(3*time.Minute), observation.Healthy))
	r.put("ObservationsTable", map[string]types.AttributeValue{
		"incident_key": s("k1/error/project=cart"), "observation_id": s("2026-01-02T03:04:00Z#" + checkout),
		"source": s(checkout), "tick": n("1767323040"), "verdict": s("failing"),
	})
	record("malformed.json", 6)
}

func TestEventsOfDeliverAreWhatTheStreamGives(t *testing.T) {
	r := newRecorder(t)
	record := func(name string, from int) {
		t.Helper()
		event := r.event("OutboxTable", from)
		inAWS(event, "ringonce-outbox")
		r.same("deliver/"+name, event)
	}
	commit := func(o observation.Observation, a incident.Action, version int64, out ...delivery.Delivery) {
		t.Helper()
		state, decision := decided(o, a, version)
		check(t, r.store.Commit(t.Context(), state, decision, out))
	}
	opened := observed(checkout, tick, observation.Failing)
	commit(opened, incident.Open, 0, outbox(opened, incident.Open, 1, "slack-checkout", "slack_webhook", "CC-1041"))
	record("one.json", 0)
	paid := observed(payments, tick, observation.Failing)
	commit(paid, incident.Open, 0, outbox(paid, incident.Open, 1, "slack-payments", "slack_webhook", "CC-1042"))
	resolved := observed(checkout, tick.Add(5*time.Minute), observation.Healthy)
	commit(resolved, incident.Resolve, 1, outbox(resolved, incident.Resolve, 2, "slack-checkout", "slack_webhook", "CC-1041"))
	again := observed(payments, tick.Add(time.Minute), observation.Healthy)
	commit(again, incident.Resolve, 1, outbox(again, incident.Resolve, 2, "mail-payments", "ses", "CC-1042"))
	record("many.json", 0)

	// A row that does not say for whom it is, one in order, one whose episode
	// is no number.
	r.put("OutboxTable", map[string]types.AttributeValue{
		"incident_key": s(opened.IncidentKey), "slot": s("000009#000001#slack-checkout"),
		"episode": n("9"), "sequence": n("1"), "action": s("open"), "due_at": s("2026-01-02T03:04:00.800Z"),
	})
	commit(again, incident.Resolve, 2, outbox(again, incident.Resolve, 3, "slack-payments", "slack_webhook", "CC-1042"))
	r.put("OutboxTable", map[string]types.AttributeValue{
		"incident_key": s(opened.IncidentKey), "slot": s("000010#000001#slack-checkout"),
		"episode": s("ten"), "sequence": n("1"), "action": s("open"), "destination": s("slack-checkout"),
		"due_at": s("2026-01-02T03:04:00.800Z"),
	})
	record("malformed.json", 4)

	// What a claim does to a row, and what removes it in the end.
	key := map[string]types.AttributeValue{"incident_key": s(opened.IncidentKey), "slot": s(delivery.Slot(1, 1, "slack-checkout"))}
	_, err := r.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String(r.tables["OutboxTable"].name), Key: key,
		UpdateExpression:          aws.String("SET #state = :sending, fence = :one"),
		ExpressionAttributeNames:  map[string]string{"#state": "state"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":sending": s("sending"), ":one": n("1")},
	})
	check(t, err)
	record("modify.json", 7)
	r.same("deliver/ttl-remove.json", r.expired("OutboxTable", "ringonce-outbox", key, 8))
}
