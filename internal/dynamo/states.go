package dynamo

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/incident"
)

// batchKeys is the most rows that one BatchGetItem may ask for (its API reference).
const batchKeys = 100

// States reads the states of many keys, strongly consistent, a hundred a request.
// Keys without a row are absent from the result; duplicate keys count once. It
// returns incident.ErrBusy when the store returns no row for too long and, beside the
// states of the other keys, incident.Unreadable for rows that cannot be decoded.
func (s *Store) States(ctx context.Context, keys []string) (map[string]incident.State, error) {
	states := make(map[string]incident.State, len(keys))
	distinct := make(map[string]bool, len(keys))
	for _, k := range keys {
		distinct[k] = true
	}
	bad := incident.Unreadable{}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(distinct)), batchKeys) {
		if err := s.batch(ctx, chunk, states, bad); err != nil {
			return nil, failed(fmt.Sprintf("read %d incident states", len(keys)), err)
		}
	}
	if len(bad) > 0 {
		return states, failed(fmt.Sprintf("read %d incident states", len(keys)), bad)
	}
	return states, nil
}

func (s *Store) batch(ctx context.Context, keys []string, into map[string]incident.State, bad incident.Unreadable) error {
	ask := types.KeysAndAttributes{ConsistentRead: aws.Bool(true)}
	for _, k := range keys {
		ask.Keys = append(ask.Keys, stateKey(k))
	}
	for idle := 0; len(ask.Keys) > 0; {
		left, err := s.batchOnce(ctx, ask, into, bad)
		if err != nil {
			return err
		}
		idle++
		if len(left) < len(ask.Keys) {
			idle = 0
		}
		if idle > retries {
			return fmt.Errorf("%w: %d keys stayed unprocessed", incident.ErrBusy, len(left))
		}
		if ask.Keys = left; len(left) > 0 {
			if err := s.pause(ctx, idle+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// batchOnce returns the keys that were not served: DynamoDB stops at 16 MB and under
// load ("BatchGetItem", API reference).
func (s *Store) batchOnce(ctx context.Context, ask types.KeysAndAttributes, into map[string]incident.State, bad incident.Unreadable) ([]item, error) {
	out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{s.tables.Incidents: ask},
	})
	if err != nil {
		return nil, err
	}
	for _, it := range out.Responses[s.tables.Incidents] {
		state, err := stateFromItem(it)
		if err != nil {
			bad[keyOf(it)] = err
			continue
		}
		into[state.Key] = state
	}
	return out.UnprocessedKeys[s.tables.Incidents].Keys, nil
}

// keyOf returns the incident key of a row, whatever else is wrong with it: every
// table and index of incidents has it in its key.
func keyOf(it item) string {
	key, _ := asText(it["incident_key"])
	return key
}

// Save writes a state in one conditional request over the version that was read. It
// returns incident.ErrConflict when the row has changed since, and incident.ErrBusy
// when the same write may be retried.
func (s *Store) Save(ctx context.Context, state incident.State) error {
	put, err := s.statePut(state)
	if err != nil {
		return failed("save incident "+state.Key, err)
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: put.TableName, Item: put.Item, ConditionExpression: put.ConditionExpression,
		ExpressionAttributeNames:  put.ExpressionAttributeNames,
		ExpressionAttributeValues: put.ExpressionAttributeValues,
	})
	if _, moved := conditionFailed(err); moved {
		err = incident.ErrConflict
	}
	return failed("save incident "+state.Key, err)
}

// statePut returns the conditional write of a state's next version.
func (s *Store) statePut(state incident.State) (*types.Put, error) {
	it, err := stateItem(state)
	if err != nil {
		return nil, err
	}
	put := &types.Put{TableName: &s.tables.Incidents, Item: it}
	if state.Version == 0 {
		put.ConditionExpression = aws.String("attribute_not_exists(#incident_key)")
		put.ExpressionAttributeNames = names("incident_key")
		return put, nil
	}
	put.ConditionExpression = aws.String("#version = :version")
	put.ExpressionAttributeNames = names("version")
	put.ExpressionAttributeValues = item{":version": number(state.Version)}
	return put, nil
}

// Incidents yields the state of every key, in no defined order, until an error.
func (s *Store) Incidents(ctx context.Context, yield func(incident.State) error) error {
	rows := s.scan(ctx, dynamodb.ScanInput{
		TableName: &s.tables.Incidents, FilterExpression: aws.String("#record = :state"),
		ExpressionAttributeNames:  names("record"),
		ExpressionAttributeValues: item{":state": text(stateRecord)},
	})
	return failed("read all incidents", each(rows, stateFromItem, yield))
}
