package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/observation"
)

// PutObservation writes an observation unless one of the same key, tick and
// source is there: the first write wins. It reports whether this one did. The
// row may be removed after expires; a zero time keeps it. An observation that
// DynamoDB refuses for what it is gives observation.ErrUnwritable.
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
		// DynamoDB takes no range that ends before it starts.
		return nil
	}
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Observations, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:   aws.String("#incident_key = :key AND #observation_id BETWEEN :from AND :to"),
		ExpressionAttributeNames: names("incident_key", "observation_id"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":key": text(key), ":from": text(first), ":to": text(last),
		},
	})
	return failed("read observations of "+key, each(rows, ObservationFromItem, yield))
}

// lastID sorts behind every observation of the tick: "$" follows the "#" that
// separates tick and source.
func lastID(to time.Time) string {
	if to.IsZero() {
		return "9999-12-31T23:59:59Z$"
	}
	return observation.FormatTick(to) + "$"
}
