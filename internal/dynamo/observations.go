package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/observation"
)

// PutObservation writes an observation unless one of the same key, tick and source
// exists: the first write wins. It reports whether it wrote. The row may be removed
// after expires; a zero time keeps it. It returns observation.ErrUnwritable for an
// observation that DynamoDB can never store.
func (s *Store) PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (created bool, err error) {
	doing := "write observation " + o.ID() + " of " + o.IncidentKey
	it, err := observationItem(o, expires)
	if err != nil {
		return false, failed(doing, err)
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.tables.Observations, Item: it,
		ConditionExpression:      aws.String("attribute_not_exists(#incident_key)"),
		ExpressionAttributeNames: names("incident_key"),
	})
	if _, exists := conditionFailed(err); exists {
		return false, nil
	}
	return err == nil, failed(doing, unwritable(err))
}

// Observations yields a key's observations with from ≤ tick ≤ to, in tick
// order; a zero time leaves that end open. It stops at the first error, the
// store's or yield's, and returns it.
func (s *Store) Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error {
	first, last := observation.FormatTick(from), lastID(to)
	if first > last {
		// DynamoDB refuses a range that ends before it starts.
		return nil
	}
	rows := s.queryAhead(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Observations, ConsistentRead: aws.Bool(true), Limit: aws.Int32(observationsPage),
		KeyConditionExpression:   aws.String("#incident_key = :key AND #observation_id BETWEEN :from AND :to"),
		ExpressionAttributeNames: names("incident_key", "observation_id"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":key": text(key), ":from": text(first), ":to": text(last),
		},
	})
	return failed("read observations of "+key, each(rows, ObservationFromItem, yield))
}

// ObservationsSince yields the observations of all keys with a tick from the given
// one on, in no defined order. A row that cannot be read is yielded as its error. It
// reads the whole table, and stops at the first error of the table or of yield.
func (s *Store) ObservationsSince(ctx context.Context, from time.Time, yield func(observation.Observation, error) error) error {
	rows := s.scan(ctx, dynamodb.ScanInput{
		TableName: &s.tables.Observations, ConsistentRead: aws.Bool(true),
		FilterExpression:          aws.String("#observation_id >= :from"),
		ExpressionAttributeNames:  names("observation_id"),
		ExpressionAttributeValues: item{":from": text(observation.FormatTick(from))},
	})
	for it, err := range rows {
		if err != nil {
			return failed("read observations since "+observation.FormatTick(from), err)
		}
		if err := yield(ObservationFromItem(it)); err != nil {
			return err
		}
	}
	return nil
}

// observationsPage is the number of rows per page. DynamoDB's own limit of 1 MB would
// do, but for a page without a limit the local engine reads all remaining rows of a
// key.
const observationsPage = 1000

// lastID sorts behind every observation of the tick: "$" follows the "#" that
// separates tick and source.
func lastID(to time.Time) string {
	if to.IsZero() {
		return "9999-12-31T23:59:59Z$"
	}
	return observation.FormatTick(to) + "$"
}
