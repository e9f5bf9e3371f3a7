package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Resend makes an item that is held or dead due again, and subtracts it from the
// counters of that outcome. It returns delivery.ErrNotStopped for any other item.
func (s *Store) Resend(ctx context.Context, ref delivery.Ref, now time.Time) error {
	again := delivery.Delivery{}.Resend(now)
	return s.updateStopped(ctx, "resend", ref, &types.Update{
		UpdateExpression: aws.String("SET #state = :state, #note = :note, #insisted = :yes, " +
			"#due_at = :now, #due_shard = :shard REMOVE #expires_at"),
		ExpressionAttributeNames: names("state", "fence", "note", "insisted", "due_at", "due_shard", "expires_at"),
		ExpressionAttributeValues: item{
			":state": text(string(again.State)), ":note": text(again.Note), ":yes": &types.AttributeValueMemberBOOL{Value: true},
			":now": text(formatStamp(now)), ":shard": text(dueShard(ref.IncidentKey)),
		},
	})
}

// CloseStopped closes an item that is held or dead, and subtracts it from the
// counters of that outcome. It returns delivery.ErrNotStopped for any other item.
func (s *Store) CloseStopped(ctx context.Context, ref delivery.Ref, note string) error {
	return s.updateStopped(ctx, "close", ref, &types.Update{
		UpdateExpression:         aws.String("SET #state = :state, #note = :note"),
		ExpressionAttributeNames: names("state", "fence", "note"),
		ExpressionAttributeValues: item{
			":state": text(string(delivery.Superseded)), ":note": text(note),
		},
	})
}

// updateStopped writes an item and its counters in one transaction, on condition that
// the item has not changed since it was read.
func (s *Store) updateStopped(ctx context.Context, verb string, ref delivery.Ref, up *types.Update) error {
	before, err := s.Delivery(ctx, ref)
	if errors.Is(err, delivery.ErrNotFound) || (err == nil && !before.Stopped()) {
		return failed(doing(verb, ref), delivery.ErrNotStopped)
	}
	if err != nil {
		return failed(doing(verb, ref), err)
	}
	count, err := s.usageUpdate(before.TakenBack())
	if err != nil {
		return failed(doing(verb, ref), err)
	}
	up.TableName, up.Key = &s.tables.Outbox, deliveryKey(ref)
	up.ConditionExpression = aws.String("#state = :was AND #fence = :fence")
	up.ExpressionAttributeValues[":was"] = text(string(before.State))
	up.ExpressionAttributeValues[":fence"] = number(before.Fence)
	err = s.withInserts(ctx, []types.TransactWriteItem{{Update: up}, {Update: count}}, nil, bounded(ctx))
	if firstRefused(err) {
		err = delivery.ErrNotStopped
	}
	return failed(doing(verb, ref), err)
}
