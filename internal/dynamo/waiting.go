package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Postpone delays an item that waits to be claimed: one that is pending or unknown. Any
// other item, or one that is due later anyway, is left unchanged.
func (s *Store) Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error {
	err := s.updateWaiting(ctx, dynamodb.UpdateItemInput{
		Key:                       deliveryKey(ref),
		UpdateExpression:          aws.String("SET #due_at = :until"),
		ConditionExpression:       aws.String("#state IN (:pending, :unknown) AND #due_at < :until"),
		ExpressionAttributeNames:  names("state", "due_at"),
		ExpressionAttributeValues: item{":until": text(formatStamp(until))},
	})
	return failed(doing("postpone", ref), err)
}

// Supersede closes an item that waits to be claimed; it is then never sent. The note
// gives the reason, and each of more that does not exist yet is inserted. Any other
// item is left unchanged.
func (s *Store) Supersede(ctx context.Context, ref delivery.Ref, note string, more ...delivery.Delivery) error {
	in := dynamodb.UpdateItemInput{
		Key: deliveryKey(ref),
		UpdateExpression: aws.String("SET #state = :superseded, #note = :note " +
			"REMOVE #due_at, #due_shard, #lease_until"),
		ConditionExpression:      aws.String("#state IN (:pending, :unknown)"),
		ExpressionAttributeNames: names("state", "note", "due_at", "due_shard", "lease_until"),
		ExpressionAttributeValues: item{
			":superseded": text(string(delivery.Superseded)), ":note": text(note),
		},
	}
	s.setExpiry(in.UpdateExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if len(more) == 0 {
		return failed(doing("supersede", ref), s.updateWaiting(ctx, in))
	}
	return failed(doing("supersede", ref), s.supersedeAnd(ctx, in, more))
}

func (s *Store) supersedeAnd(ctx context.Context, in dynamodb.UpdateItemInput, more []delivery.Delivery) error {
	in.ExpressionAttributeValues[":pending"] = text(string(delivery.Pending))
	in.ExpressionAttributeValues[":unknown"] = text(string(delivery.Unknown))
	err := s.withInserts(ctx, []types.TransactWriteItem{{Update: &types.Update{
		TableName: &s.tables.Outbox, Key: in.Key, UpdateExpression: in.UpdateExpression,
		ConditionExpression: in.ConditionExpression, ExpressionAttributeNames: in.ExpressionAttributeNames,
		ExpressionAttributeValues: in.ExpressionAttributeValues,
	}}}, more, false)
	if firstRefused(err) {
		return nil
	}
	return err
}

// updateWaiting updates an outbox row if the condition, over :pending and :unknown,
// holds; otherwise it does nothing.
func (s *Store) updateWaiting(ctx context.Context, in dynamodb.UpdateItemInput) error {
	in.TableName = &s.tables.Outbox
	in.ExpressionAttributeValues[":pending"] = text(string(delivery.Pending))
	in.ExpressionAttributeValues[":unknown"] = text(string(delivery.Unknown))
	_, err := s.client.UpdateItem(ctx, &in)
	if _, refused := conditionFailed(err); refused {
		return nil
	}
	return err
}
