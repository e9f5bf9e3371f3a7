package invoke

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/live"
	"github.com/ringonce/ringonce/internal/local/stack"
	"github.com/ringonce/ringonce/internal/ses"
)

// mail puts the mails that the SES events are about into the ledger, each with a send
// that may have arrived: receipts returns an error for a mail that is not in the
// ledger, since its index may lag.
func mail(ctx context.Context, s *stack.Stack, all []Event) error {
	store := dynamo.New(dynamodb.NewFromConfig(s.AWS()), live.Tables(s))
	seen := map[string]bool{}
	for _, e := range all {
		payload, err := os.ReadFile(e.Path)
		if err != nil {
			return err
		}
		about, ours, err := ses.ReadEvent(payload)
		if err != nil || !ours || seen[about.DeliveryID] {
			continue
		}
		seen[about.DeliveryID] = true
		if err := sentMaybe(ctx, store, about.DeliveryID, about.Receipt.At); err != nil {
			return fmt.Errorf("put the mail of %s into the ledger: %w", e.Path, err)
		}
	}
	return nil
}

func sentMaybe(ctx context.Context, store *dynamo.Store, id string, at time.Time) error {
	d := delivery.Delivery{
		ID: id, IncidentKey: "k1/invoke/mail=" + id, Episode: 1, Sequence: 1, Action: incident.Open,
		Destination: "mail-checkout", Channel: config.ChannelSES, Owner: "checkout", CostCenter: "CC-1042",
		State: delivery.Pending, DueAt: at, CreatedAt: at,
	}
	opened := incident.Decision{IncidentKey: d.IncidentKey, Seq: 1, Action: incident.Open}
	if err := store.Commit(ctx, incident.State{Key: d.IncidentKey, DecisionSeq: 1}, opened, []delivery.Delivery{d}); err != nil {
		return err
	}
	claimed, err := store.Claim(ctx, d.Ref(), "invoke", at, at.Add(time.Minute))
	if err != nil {
		return err
	}
	settled := claimed.Settle(delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}, false, at, delivery.Retry{}, delivery.Resend, 0)
	return store.Settle(ctx, settled, delivery.UsageOf(claimed, settled))
}
