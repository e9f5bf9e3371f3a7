package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Gather replaces pending items by one digest: the members become superseded by into.
// The digest is inserted when it has no fence yet and does not exist, and otherwise
// its notice and payload are replaced. All of that is one transaction. It returns
// delivery.ErrFenced, and does nothing, when any of them is no longer pending or has
// been claimed since it was read.
func (s *Store) Gather(ctx context.Context, into delivery.Delivery, members []delivery.Delivery) error {
	writes, err := s.gatherWrites(into, members)
	if err == nil {
		err = s.withInserts(ctx, writes, nil, false)
		for _, r := range cancelled(err) {
			if refused(r) {
				err = delivery.ErrFenced
				break
			}
		}
	}
	return failed(doing("gather into", into.Ref()), err)
}

func (s *Store) gatherWrites(into delivery.Delivery, members []delivery.Delivery) ([]types.TransactWriteItem, error) {
	it, err := s.deliveryItem(into)
	if err != nil {
		return nil, err
	}
	write := types.TransactWriteItem{Update: s.rewrite(into, it)}
	if into.Action == delivery.Digest && into.Fence == 0 {
		write = types.TransactWriteItem{Put: absent("", s.tables.Outbox, it).put}
	}
	writes := []types.TransactWriteItem{write}
	for _, m := range members {
		told := m.Told(into.ID)
		member := &types.Update{
			TableName: &s.tables.Outbox, Key: deliveryKey(m.Ref()),
			UpdateExpression: aws.String("SET #state = :superseded, #note = :note, #told_in = :in " +
				"REMOVE #due_at, #due_shard, #lease_until"),
			ConditionExpression:      aws.String(sameWaiting),
			ExpressionAttributeNames: names("state", "fence", "note", "told_in", "due_at", "due_shard", "lease_until"),
			ExpressionAttributeValues: item{
				":superseded": text(string(told.State)), ":note": text(told.Note), ":in": text(told.In),
				":pending": text(string(delivery.Pending)), ":fence": number(m.Fence),
			},
		}
		s.setExpiry(member.UpdateExpression, member.ExpressionAttributeNames, member.ExpressionAttributeValues)
		writes = append(writes, types.TransactWriteItem{Update: member})
	}
	return writes, nil
}

const sameWaiting = "#state = :pending AND #fence = :fence"

// rewrite replaces the message of a pending item.
func (s *Store) rewrite(d delivery.Delivery, it item) *types.Update {
	return &types.Update{
		TableName: &s.tables.Outbox, Key: deliveryKey(d.Ref()),
		UpdateExpression:         aws.String("SET #notice = :notice, #payload = :payload"),
		ConditionExpression:      aws.String(sameWaiting),
		ExpressionAttributeNames: names("state", "fence", "notice", "payload"),
		ExpressionAttributeValues: item{
			":notice": it["notice"], ":payload": it["payload"],
			":pending": text(string(delivery.Pending)), ":fence": number(d.Fence),
		},
	}
}
