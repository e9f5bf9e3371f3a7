package dynamo

import (
	"context"
	"iter"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Settle writes the outcome of a claimed item, adds to the usage counters and inserts
// each of more that does not exist yet, in one transaction. It returns
// delivery.ErrFenced when a later claim has overtaken the one that d carries.
// Settling again with the same outcome only inserts what is missing of more and is no
// error, so that a repeat counts once: a receipt, which does not know more, may have
// settled the item first.
//
// Many items share the counters. A settlement that conflicts with another one there
// is retried until the context's deadline, or a few times without one, before Settle
// returns incident.ErrBusy: a message that was sent but not settled is sent again.
func (s *Store) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	first, err := s.settleInput(d, u)
	if err == nil {
		err = s.withInserts(ctx, first, more, bounded(ctx))
		if reasons := cancelled(err); len(reasons) > 0 && refused(reasons[0]) {
			if err = overtaken(reasons[0].Item, d); err == nil {
				err = s.insertMissing(ctx, more)
			}
		}
	}
	return failed(doing("settle", d.Ref()), err)
}

// withInserts runs the writes together with an insert of each item that does not
// exist yet. It retries on a conflict with another transaction: a few times or, if
// patient, as long as the context lasts.
func (s *Store) withInserts(ctx context.Context, writes []types.TransactWriteItem, more []delivery.Delivery, patient bool) error {
	inserts, err := s.inserts(more)
	for retry := 1; err == nil; retry++ {
		_, err = s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			TransactItems: slices.Concat(writes, inserts),
		})
		if err == nil {
			return nil
		}
		reasons := cancelled(err)
		if len(reasons) != len(writes)+len(inserts) || slices.ContainsFunc(reasons[:len(writes)], refused) {
			return err
		}
		missing := slices.Collect(unrefused(inserts, reasons[len(writes):]))
		if len(missing) == len(inserts) && (!isBusy(err) || (retry > retries && !patient)) {
			return err
		}
		if s.pause(ctx, retry) != nil {
			return err
		}
		inserts, err = missing, nil
	}
	return err
}

// insertMissing inserts each item that does not exist yet.
func (s *Store) insertMissing(ctx context.Context, more []delivery.Delivery) error {
	inserts, err := s.inserts(more)
	if err != nil {
		return err
	}
	for _, in := range inserts {
		_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: in.Put.TableName, Item: in.Put.Item,
			ConditionExpression: in.Put.ConditionExpression, ExpressionAttributeNames: in.Put.ExpressionAttributeNames,
		})
		if _, exists := conditionFailed(err); err != nil && !exists {
			return err
		}
	}
	return nil
}

func bounded(ctx context.Context) bool {
	_, ok := ctx.Deadline()
	return ok
}

func unrefused(inserts []types.TransactWriteItem, reasons []types.CancellationReason) iter.Seq[types.TransactWriteItem] {
	return func(yield func(types.TransactWriteItem) bool) {
		for i, in := range inserts {
			if !refused(reasons[i]) && !yield(in) {
				return
			}
		}
	}
}

func (s *Store) inserts(more []delivery.Delivery) ([]types.TransactWriteItem, error) {
	var inserts []types.TransactWriteItem
	for _, d := range more {
		it, err := s.deliveryItem(d)
		if err != nil {
			return nil, err
		}
		inserts = append(inserts, types.TransactWriteItem{Put: absent("", s.tables.Outbox, it).put})
	}
	return inserts, nil
}

// overtaken returns nil if the row that was found is the same settlement, written
// before, and delivery.ErrFenced if a later claim has changed it.
func overtaken(found item, d delivery.Delivery) error {
	row, err := deliveryFromItem(found)
	if err == nil && row.Fence == d.Fence && row.State == d.State {
		return nil
	}
	return delivery.ErrFenced
}

func (s *Store) settleInput(d delivery.Delivery, u delivery.Usage) ([]types.TransactWriteItem, error) {
	put, count, err := s.putAndCount(d, u)
	if err != nil {
		return nil, err
	}
	put.ConditionExpression = aws.String("#state = :sending AND #fence = :fence")
	put.ExpressionAttributeNames = names("state", "fence")
	put.ExpressionAttributeValues = item{":sending": text(string(delivery.Sending)), ":fence": number(d.Fence)}
	put.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	return []types.TransactWriteItem{{Put: put}, {Update: count}}, nil
}

// putAndCount returns the writes of an item and of its usage counters. The caller
// sets the condition.
func (s *Store) putAndCount(d delivery.Delivery, u delivery.Usage) (*types.Put, *types.Update, error) {
	it, err := s.deliveryItem(d)
	if err != nil {
		return nil, nil, err
	}
	count, err := s.usageUpdate(u)
	return &types.Put{TableName: &s.tables.Outbox, Item: it}, count, err
}
