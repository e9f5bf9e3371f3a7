package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

const dueIndex = "due"

type dueRow struct {
	IncidentKey string `dynamodbav:"incident_key"`
	Slot        string `dynamodbav:"slot"`
	Episode     int    `dynamodbav:"episode"`
	Sequence    int    `dynamodbav:"sequence"`
	Action      string `dynamodbav:"action"`
	Destination string `dynamodbav:"destination"`
	DueAt       string `dynamodbav:"due_at"`

	CreatedAt time.Time `dynamodbav:"created_at,omitempty"`
}

// DueFromItem reads when an outbox row is due, from a row of the table, of its index
// due or of its stream. It is strict, and its errors name the attribute. A final row
// is never due and gives the zero time.
func DueFromItem(it map[string]types.AttributeValue) (delivery.Due, error) {
	r, err := decode[dueRow](it)
	if err == nil {
		err = errors.Join(
			requireTexts(it, "incident_key", "slot", "action", "destination"),
			requireNumbers(it, "episode", "sequence"))
	}
	due, dueErr := parseDue(r.DueAt)
	if err = errors.Join(err, dueErr); err != nil {
		return delivery.Due{}, fmt.Errorf("outbox item %s of %s: %w", r.Slot, r.IncidentKey, err)
	}
	return delivery.Due{
		Ref:     delivery.Ref{IncidentKey: r.IncidentKey, Slot: r.Slot},
		Episode: r.Episode, Sequence: r.Sequence, Action: incident.Action(r.Action),
		Destination: r.Destination, DueAt: due, CreatedAt: r.CreatedAt,
	}, nil
}

// Due returns at most limit items that are due at the given time, oldest first:
// waiting ones whose time has come, and claimed ones whose lease has expired. The
// index it reads may lag a write by a moment; Claim decides.
func (s *Store) Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error) {
	if limit <= 0 {
		return nil, nil
	}
	found, err := byShard(func(shard string) ([]delivery.Due, error) {
		rows := s.query(ctx, dynamodb.QueryInput{
			TableName: &s.tables.Outbox, IndexName: aws.String(dueIndex), Limit: aws.Int32(int32(min(limit, 1000))),
			KeyConditionExpression:    aws.String("#due_shard = :shard AND #due_at <= :now"),
			ExpressionAttributeNames:  names("due_shard", "due_at"),
			ExpressionAttributeValues: item{":shard": text(shard), ":now": text(formatStamp(now))},
		})
		return readable(ctx, "read due deliveries", rows, DueFromItem, limit)
	})
	if err != nil {
		return nil, failed("read due deliveries", err)
	}
	slices.SortFunc(found, byDueTime)
	return found[:min(limit, len(found))], nil
}

func byDueTime(a, b delivery.Due) int {
	return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.IncidentKey, b.IncidentKey), cmp.Compare(a.Slot, b.Slot))
}
