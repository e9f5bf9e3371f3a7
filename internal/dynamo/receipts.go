package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

const idIndex = "by_id"

type locatedRow struct {
	IncidentKey string `dynamodbav:"incident_key"`
	Slot        string `dynamodbav:"slot"`
}

// Locate finds an outbox item by its delivery id. The index it reads may lag a
// write by a moment. It returns delivery.ErrNotFound when there is none.
func (s *Store) Locate(ctx context.Context, deliveryID string) (delivery.Ref, error) {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Outbox, IndexName: aws.String(idIndex), Limit: aws.Int32(1),
		KeyConditionExpression:    aws.String("#id = :id"),
		ExpressionAttributeNames:  names("id"),
		ExpressionAttributeValues: item{":id": text(deliveryID)},
	})
	found, err := collect(rows, decode[locatedRow], 1)
	if err == nil && len(found) == 0 {
		err = delivery.ErrNotFound
	}
	if err != nil {
		return delivery.Ref{}, failed("find delivery "+deliveryID, err)
	}
	return delivery.Ref{IncidentKey: found[0].IncidentKey, Slot: found[0].Slot}, nil
}

// Receive writes an item as a receipt has changed it, adds to the usage counters and
// inserts each of more that does not exist yet, in one transaction. It returns
// delivery.ErrFenced when the item has changed since it was read.
func (s *Store) Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	writes, err := s.receiptWrites(before, after, u)
	if err == nil {
		if err = s.withInserts(ctx, writes, more, false); firstRefused(err) {
			err = delivery.ErrFenced
		}
	}
	return failed("write the receipt of delivery "+after.ID, err)
}

// receiptWrites returns the writes of the item and the counters, in this order.
func (s *Store) receiptWrites(before, after delivery.Delivery, u delivery.Usage) ([]types.TransactWriteItem, error) {
	put, count, err := s.putAndCount(after, u)
	if err != nil {
		return nil, err
	}
	put.ConditionExpression = aws.String("#state = :state AND #fence = :fence AND attribute_not_exists(#receipt)")
	put.ExpressionAttributeNames = names("state", "fence", "receipt")
	put.ExpressionAttributeValues = item{":state": text(string(before.State)), ":fence": number(before.Fence)}
	if before.Receipt.Fate != "" {
		put.ConditionExpression = aws.String("#state = :state AND #fence = :fence AND #receipt.#fate = :fate")
		put.ExpressionAttributeNames["#fate"] = "fate"
		put.ExpressionAttributeValues[":fate"] = text(string(before.Receipt.Fate))
	}
	return []types.TransactWriteItem{{Put: put}, {Update: count}}, nil
}
