package dynamo

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

const (
	claimUpdate = "SET #state = :sending, #fence = #fence + :one, #lease_owner = :worker, " +
		"#lease_until = :until, #due_at = :until, #due_shard = :shard, #claim = :claim, " +
		"#attempts = list_append(if_not_exists(#attempts, :none), :attempt)"
	claimCondition = "(#state IN (:pending, :unknown) AND (attribute_not_exists(#due_at) OR #due_at <= :now)) OR " +
		"(#state = :sending AND (attribute_not_exists(#lease_until) OR #lease_until <= :now))"
)

// Claim claims an item for a worker in one conditional request and returns it as
// delivery.Delivery.Claim would. It returns delivery.ErrNotClaimable when the item is
// final, not due, held by another worker, or absent.
//
// The row stores a token of the call. When the answer to a claim is lost and the SDK
// retries it, the token shows that the claim is the caller's own.
func (s *Store) Claim(ctx context.Context, ref delivery.Ref, worker string, now, leaseUntil time.Time) (delivery.Delivery, error) {
	token := rand.Text()
	in, err := s.claimInput(ref, worker, token, now, leaseUntil)
	if err != nil {
		return delivery.Delivery{}, failed(doing("claim", ref), err)
	}
	row, err := s.claimedRow(ctx, in, token)
	if err != nil {
		return delivery.Delivery{}, failed(doing("claim", ref), err)
	}
	d, err := deliveryFromItem(row)
	return d, failed(doing("claim", ref), err)
}

func (s *Store) claimedRow(ctx context.Context, in *dynamodb.UpdateItemInput, token string) (item, error) {
	out, err := s.client.UpdateItem(ctx, in)
	if err == nil {
		return out.Attributes, nil
	}
	found, refused := conditionFailed(err)
	if !refused {
		return nil, err
	}
	if ours, err := asText(found["claim"]); err == nil && ours == token {
		return found, nil
	}
	return nil, delivery.ErrNotClaimable
}

func (s *Store) claimInput(ref delivery.Ref, worker, token string, now, leaseUntil time.Time) (*dynamodb.UpdateItemInput, error) {
	started, err := attempt{Worker: worker, Started: now}.MarshalDynamoDBAttributeValue()
	if err != nil {
		return nil, err
	}
	return &dynamodb.UpdateItemInput{
		TableName: &s.tables.Outbox, Key: deliveryKey(ref),
		UpdateExpression: aws.String(claimUpdate), ConditionExpression: aws.String(claimCondition),
		ExpressionAttributeNames: names("state", "fence", "lease_owner", "lease_until",
			"due_at", "due_shard", "claim", "attempts"),
		ExpressionAttributeValues: item{
			":sending": text(string(delivery.Sending)), ":pending": text(string(delivery.Pending)),
			":unknown": text(string(delivery.Unknown)), ":one": number(1), ":worker": text(worker),
			":now": text(formatStamp(now)), ":until": text(formatStamp(leaseUntil)),
			":shard": text(dueShard(ref.IncidentKey)), ":claim": text(token),
			":none":    &types.AttributeValueMemberL{},
			":attempt": &types.AttributeValueMemberL{Value: []types.AttributeValue{started}},
		},
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}, nil
}
