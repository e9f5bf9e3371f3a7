package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Resend makes an item due that is held or dead. It returns
// delivery.ErrNotStopped for any other.
func (s *Store) Resend(ctx context.Context, ref delivery.Ref, now time.Time) error {
	again := delivery.Delivery{}.Again(now)
	return s.updateStopped(ctx, "resend", dynamodb.UpdateItemInput{
		Key: deliveryKey(ref),
		UpdateExpression: aws.String("SET #state = :state, #note = :note, #insisted = :yes, " +
			"#due_at = :now, #due_shard = :shard REMOVE #expires_at"),
		ExpressionAttributeNames: names("state", "note", "insisted", "due_at", "due_shard", "expires_at"),
		ExpressionAttributeValues: item{
			":state": text(string(again.State)), ":note": text(again.Note), ":yes": &types.AttributeValueMemberBOOL{Value: true},
			":now": text(formatStamp(now)), ":shard": text(dueShard(ref.IncidentKey)),
		},
	}, ref)
}

// CloseStopped ends an item that is held or dead. It returns
// delivery.ErrNotStopped for any other.
func (s *Store) CloseStopped(ctx context.Context, ref delivery.Ref, note string) error {
	return s.updateStopped(ctx, "close", dynamodb.UpdateItemInput{
		Key:                      deliveryKey(ref),
		UpdateExpression:         aws.String("SET #state = :state, #note = :note"),
		ExpressionAttributeNames: names("state", "note"),
		ExpressionAttributeValues: item{
			":state": text(string(delivery.Superseded)), ":note": text(note),
		},
	}, ref)
}

func (s *Store) updateStopped(ctx context.Context, verb string, in dynamodb.UpdateItemInput, ref delivery.Ref) error {
	in.TableName = &s.tables.Outbox
	in.ConditionExpression = aws.String("#state IN (:held, :dead)")
	in.ExpressionAttributeValues[":held"] = text(string(delivery.Held))
	in.ExpressionAttributeValues[":dead"] = text(string(delivery.Dead))
	_, err := s.client.UpdateItem(ctx, &in)
	if _, refused := conditionFailed(err); refused {
		err = delivery.ErrNotStopped
	}
	return failed(doing(verb, ref), err)
}
