package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// write is one row of a transaction and its name in an error.
type write struct {
	what string
	put  *types.Put
	// item is the outbox item that is written, if any.
	item delivery.Ref
}

// Commit writes a state, the decision that led to it and its outbox items in one
// transaction: all of them or none. It returns incident.ErrConflict when the state's
// row has changed since it was read, and incident.ErrBusy when the same commit may be
// retried. A decision record or an outbox item that already exists is left unchanged.
//
// The idempotency token of the request is random per call: if it were derived from
// the key and version, two workers that make the same decision at once would both be
// told that they had committed it.
func (s *Store) Commit(ctx context.Context, state incident.State, d incident.Decision, out []delivery.Delivery) error {
	doing := fmt.Sprintf("commit %s of incident %s", d.Action, state.Key)
	writes, err := s.commitWrites(state, d, out)
	if err == nil {
		err = checkSizes(writes)
	}
	for err == nil && len(writes) > 0 {
		writes, err = s.commitOnce(ctx, writes)
	}
	return failed(doing, err)
}

// commitOnce returns the writes to try again, without those whose rows exist already;
// none when the transaction was committed. The first write is the state's.
func (s *Store) commitOnce(ctx context.Context, writes []write) ([]write, error) {
	in := &dynamodb.TransactWriteItemsInput{}
	for _, w := range writes {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: w.put})
	}
	_, err := s.client.TransactWriteItems(ctx, in)
	reasons := cancelled(err)
	switch {
	case len(reasons) != len(writes):
		return nil, err
	case refused(reasons[0]):
		return nil, incident.ErrConflict
	case isBusy(err):
		return nil, err
	}
	var missing []write
	for i, w := range writes {
		switch {
		case !refused(reasons[i]):
			missing = append(missing, w)
		case w.item != delivery.Ref{}:
			s.noteExisting(w.item)
		}
	}
	if len(missing) == len(writes) {
		return nil, err
	}
	return missing, nil
}

func (s *Store) commitWrites(state incident.State, d incident.Decision, out []delivery.Delivery) ([]write, error) {
	put, err := s.statePut(state)
	if err != nil {
		return nil, err
	}
	writes := []write{{what: "the state", put: put}}
	it, err := s.decisionItem(d)
	writes = append(writes, absent("the decision", s.tables.Incidents, it))
	errs := []error{err}
	given := make(map[delivery.Ref]bool, len(out))
	for _, o := range out {
		// DynamoDB refuses a transaction that has one row twice.
		if given[o.Ref()] {
			continue
		}
		given[o.Ref()] = true
		it, err := s.deliveryItem(o)
		w := absent("delivery "+o.Ref().Slot, s.tables.Outbox, it)
		w.item = o.Ref()
		writes = append(writes, w)
		errs = append(errs, err)
	}
	return writes, errors.Join(errs...)
}

// absent returns a write that creates a row of an incident, on condition that it does
// not exist.
func absent(what, table string, it item) write {
	return write{what: what, put: &types.Put{
		TableName: &table, Item: it,
		ConditionExpression:      aws.String("attribute_not_exists(#incident_key)"),
		ExpressionAttributeNames: names("incident_key"),
	}}
}
