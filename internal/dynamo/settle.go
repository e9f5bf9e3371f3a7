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

// Settle writes what became of a claimed item, adds to the usage counters and
// inserts what follows from it where it is not there already, in one
// transaction. It returns delivery.ErrFenced when the claim that d carries has
// been overtaken. Settling again what is settled alike changes nothing else and is
// no error, so that a repeat counts once: a receipt may have settled it first, which
// does not know of what follows.
//
// The counters are shared by many items. A settlement that meets another one
// there is tried again until the context's deadline, or a few times without one,
// before it returns incident.ErrBusy: a message that was sent and not settled is
// sent again.
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

// withInserts runs the writes together with an insert of each item that is not
// there yet. It tries again what met another transaction; if it is patient, for
// as long as the context lasts.
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

// insertMissing inserts each item that is not there yet.
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

// overtaken tells a settlement that was written before from one that came too
// late, by the row that was found.
func overtaken(found item, d delivery.Delivery) error {
	row, err := deliveryFromItem(found)
	if err == nil && row.Fence == d.Fence && row.State == d.State {
		return nil
	}
	return delivery.ErrFenced
}

func (s *Store) settleInput(d delivery.Delivery, u delivery.Usage) ([]types.TransactWriteItem, error) {
	put, count, err := s.counted(d, u)
	if err != nil {
		return nil, err
	}
	put.ConditionExpression = aws.String("#state = :sending AND #fence = :fence")
	put.ExpressionAttributeNames = names("state", "fence")
	put.ExpressionAttributeValues = item{":sending": text(string(delivery.Sending)), ":fence": number(d.Fence)}
	put.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	return []types.TransactWriteItem{{Put: put}, {Update: count}}, nil
}

// counted are an item and what it adds to the counters, to be written together. The
// condition is the caller's.
func (s *Store) counted(d delivery.Delivery, u delivery.Usage) (*types.Put, *types.Update, error) {
	it, err := s.deliveryItem(d)
	if err != nil {
		return nil, nil, err
	}
	count, err := s.usageUpdate(u)
	return &types.Put{TableName: &s.tables.Outbox, Item: it}, count, err
}
