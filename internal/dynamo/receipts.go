package dynamo

import (
	"context"
	"fmt"

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

// Receive writes what a receipt has made of an item and adds to the usage
// counters, in one transaction. It returns delivery.ErrFenced when the item has
// changed since it was read.
func (s *Store) Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage) error {
	in, err := s.settleInput(after, u)
	if err == nil {
		put := in.TransactItems[0].Put
		put.ConditionExpression = aws.String("#state = :state AND #fence = :fence AND " + receiptCondition(before))
		put.ExpressionAttributeNames = names("state", "fence", "receipt")
		put.ExpressionAttributeValues = item{":state": text(string(before.State)), ":fence": number(before.Fence)}
		if before.Receipt.Fate != "" {
			put.ExpressionAttributeNames["#fate"] = "fate"
			put.ExpressionAttributeValues[":fate"] = text(string(before.Receipt.Fate))
		}
		put.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureNone
	}
	for retry := 1; err == nil; retry++ {
		_, err = s.client.TransactWriteItems(ctx, in)
		if err == nil {
			return nil
		}
		if reasons := cancelled(err); len(reasons) > 0 && refused(reasons[0]) {
			err = delivery.ErrFenced
			break
		}
		if retry > retries || !isBusy(err) {
			break
		}
		err = s.pause(ctx, retry)
	}
	return failed(fmt.Sprintf("write the receipt of delivery %s", after.ID), err)
}

// receiptCondition asks that no other receipt has come in between.
func receiptCondition(before delivery.Delivery) string {
	if before.Receipt.Fate == "" {
		return "attribute_not_exists(#receipt)"
	}
	return "#receipt.#fate = :fate"
}
