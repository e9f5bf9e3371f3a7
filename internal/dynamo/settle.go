package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Settle writes what became of a claimed item and adds to the usage counters, in
// one transaction. It returns delivery.ErrFenced when the claim that d carries
// has been overtaken. Settling again what is settled alike changes nothing and
// is no error, so that a repeat counts once.
//
// The counters are shared by many items. A settlement that meets another one
// there is tried again a few times before it returns incident.ErrBusy.
func (s *Store) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage) error {
	in, err := s.settleInput(d, u)
	for retry := 1; err == nil; retry++ {
		_, err = s.client.TransactWriteItems(ctx, in)
		if err == nil {
			return nil
		}
		if reasons := cancelled(err); len(reasons) > 0 && refused(reasons[0]) {
			err = overtaken(reasons[0].Item, d)
			break
		}
		if retry > retries || !isBusy(err) {
			break
		}
		err = s.pause(ctx, retry)
	}
	return failed(doing("settle", d.Ref()), err)
}

// overtaken tells a settlement that was written before from one that came too
// late, by the row that was found.
func overtaken(found item, d delivery.Delivery) error {
	row, err := deliveryFromItem(found)
	if err == nil && row.Fence == d.Fence && row.State == d.State {
		return nil
	}
	return delivery.ErrFenced
}

func (s *Store) settleInput(d delivery.Delivery, u delivery.Usage) (*dynamodb.TransactWriteItemsInput, error) {
	it, err := deliveryItem(d)
	if err != nil {
		return nil, err
	}
	count, err := s.usageUpdate(u)
	if err != nil {
		return nil, err
	}
	put := &types.Put{
		TableName: &s.tables.Outbox, Item: it,
		ConditionExpression:      aws.String("#state = :sending AND #fence = :fence"),
		ExpressionAttributeNames: names("state", "fence"),
		ExpressionAttributeValues: item{
			":sending": text(string(delivery.Sending)), ":fence": number(d.Fence),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	return &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{Put: put}, {Update: count}},
	}, nil
}
