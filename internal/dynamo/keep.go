package dynamo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/delivery"
)

const expiresAt = "expires_at"

// setExpiry extends an update that makes an item final by a time to live.
func (s *Store) setExpiry(update *string, attributes map[string]string, values item) {
	if s.deliveriesKept <= 0 {
		return
	}
	*update = strings.Replace(*update, "SET ", "SET #expires_at = :expires_at, ", 1)
	attributes["#"+expiresAt] = expiresAt
	values[":"+expiresAt] = number(epoch(expiry(s.now(), s.deliveriesKept)))
}

// Keep extends the time to live of an episode's decisions and deliveries to the full
// retention from now on: an incident may be open for longer than the retention. Rows
// without a time to live keep none, and expired rows are not restored.
func (s *Store) Keep(ctx context.Context, key string, episode int) error {
	doing := fmt.Sprintf("keep what is stored of episode %d of %s", episode, key)
	decisions, err := s.Decisions(ctx, key)
	if err != nil {
		return failed(doing, err)
	}
	for _, d := range decisions {
		if d.Episode != episode {
			continue
		}
		row := item{"incident_key": text(key), "record": text(decisionRecord(d.Seq))}
		if err := s.extendExpiry(ctx, s.tables.Incidents, row, s.decisionsKept); err != nil {
			return failed(doing, err)
		}
	}
	return failed(doing, s.Episodes(ctx, key, episode, episode, func(d delivery.Delivery) error {
		return s.extendExpiry(ctx, s.tables.Outbox, deliveryKey(d.Ref()), s.deliveriesKept)
	}))
}

func (s *Store) extendExpiry(ctx context.Context, table string, row item, kept time.Duration) error {
	if kept <= 0 {
		return nil
	}
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &table, Key: row,
		UpdateExpression:          aws.String("SET #expires_at = :expires_at"),
		ConditionExpression:       aws.String("attribute_exists(#expires_at)"),
		ExpressionAttributeNames:  names(expiresAt),
		ExpressionAttributeValues: item{":expires_at": number(epoch(expiry(s.now(), kept)))},
	})
	if _, gone := conditionFailed(err); gone {
		return nil
	}
	return err
}
