package dynamo_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/enginetest"
)

const day = 24 * time.Hour

// lives says of each row of a table after how many days of now it expires.
func lives(t *testing.T, table, name string) string {
	t.Helper()
	out, err := dynamodb.NewFromConfig(enginetest.Config()).Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	fatal(t, err)
	var all []string
	for _, it := range out.Items {
		life := "for ever"
		if n, ok := it["expires_at"].(*types.AttributeValueMemberN); ok {
			var at int64
			_, err := fmt.Sscan(n.Value, &at)
			fatal(t, err)
			life = fmt.Sprintf("%gd", time.Unix(at, 0).Sub(now).Hours()/24)
		}
		all = append(all, it[name].(*types.AttributeValueMemberS).Value+" "+life)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// TestRetention holds what of an incident expires when: its row never, a message
// only once it is final, by whatever way; what is open for long is kept on, and
// what a person sends again is not about to expire.
func TestRetention(t *testing.T) {
	tables := enginetest.Stack(t)
	s := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), tables, dynamo.KeepDecisions(10*day), dynamo.KeepDeliveries(5*day))
	s.SetNow(now)
	item := func(sequence int, to string, st delivery.State) delivery.Delivery {
		return delivery.Delivery{
			ID: delivery.ID("", "k", 1, sequence, to), IncidentKey: "k", Episode: 1, Sequence: sequence, Action: incident.Open,
			Destination: to, State: st, CreatedAt: now, DueAt: now,
		}
	}
	out := []delivery.Delivery{
		item(1, "closed", delivery.Superseded), item(1, "dead", delivery.Pending), item(1, "sent", delivery.Pending),
		item(1, "super", delivery.Pending), item(1, "told", delivery.Pending), item(1, "waits", delivery.Pending),
	}
	d := incident.Decision{IncidentKey: "k", Seq: 1, Episode: 1, Sequence: 1, Action: incident.Open, DecidedAt: now.Add(-day)}
	fatal(t, s.Commit(t.Context(), incident.State{Key: "k", Open: true, Episode: 1}, d, out))
	holds := func(step, table, name, want string) {
		t.Helper()
		if got := lives(t, table, name); got != want {
			t.Errorf("%s\n%s, want\n%s", step, got, want)
		}
	}
	holds("the row and the decision", tables.Incidents, "record", "decision#000000000001 9d, state for ever")
	holds("what waits", tables.Outbox, "destination", "closed 5d, dead for ever, sent for ever, super for ever, told for ever, waits for ever")

	settled(t, s, out[1], delivery.Dead)
	settled(t, s, out[2], delivery.Delivered)
	fatal(t, s.Supersede(t.Context(), out[3].Ref(), "overtaken"))
	digest := delivery.NewDigest([]delivery.Delivery{out[4]}, now)
	fatal(t, s.Gather(t.Context(), digest, out[4:5]))
	holds("what is final", tables.Outbox, "destination", "closed 5d, dead 5d, sent 5d, super 5d, told 5d, told for ever, waits for ever")

	s.SetNow(now.Add(3 * day))
	fatal(t, s.Keep(t.Context(), "k", 1))
	holds("what is kept on", tables.Outbox, "destination", "closed 8d, dead 8d, sent 8d, super 8d, told 8d, told for ever, waits for ever")
	holds("with its decision", tables.Incidents, "record", "decision#000000000001 13d, state for ever")
	fatal(t, s.Keep(t.Context(), "k", 2))
	holds("another episode", tables.Incidents, "record", "decision#000000000001 13d, state for ever")

	fatal(t, dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), tables).Resend(t.Context(), out[1].Ref(), now.Add(4*day)))
	holds("what is sent again", tables.Outbox, "destination", "closed 8d, dead for ever, sent 8d, super 8d, told 8d, told for ever, waits for ever")

	never := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), tables)
	fatal(t, never.Keep(t.Context(), "k", 1))
	settled(t, never, out[5], delivery.Delivered)
	holds("without a retention", tables.Outbox, "destination", "closed 8d, dead for ever, sent 8d, super 8d, told 8d, told for ever, waits for ever")
}

func settled(t *testing.T, s *dynamo.Store, d delivery.Delivery, st delivery.State) {
	t.Helper()
	held, err := s.Claim(context.Background(), d.Ref(), "w", now, now.Add(time.Minute))
	fatal(t, err)
	held.State = st
	fatal(t, s.Settle(context.Background(), held, delivery.Usage{Day: "2026-03-14"}))
}
