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

// write is one row of a transaction and what to call it in an error.
type write struct {
	what string
	put  *types.Put
	// item is the outbox item that is written, if it is one.
	item delivery.Ref
}

// Commit writes a state, the decision that led to it and its outbox items in one
// transaction: all of them or none. It returns incident.ErrConflict when the
// state's row has moved on since it was read, and incident.ErrBusy when the same
// commit may be tried again. A decision record or an outbox item that is there
// already is left as it is.
//
// The token that makes a repeated request harmless is drawn per call: were it
// derived from the key and version, two workers that decide alike at once would
// both be told that they had won.
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

// commitOnce returns the writes to try again without those that exist already:
// none when the transaction went through. The first write is the state's.
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

// absent writes a row of an incident where there is none.
func absent(what, table string, it item) write {
	return write{what: what, put: &types.Put{
		TableName: &table, Item: it,
		ConditionExpression:      aws.String("attribute_not_exists(#incident_key)"),
		ExpressionAttributeNames: names("incident_key"),
	}}
}
