package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/observation"
)

// NewestObservation returns the unexpired observation of a key with the latest tick.
func (s *Store) NewestObservation(ctx context.Context, key string) (o observation.Observation, found bool, err error) {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Observations, ConsistentRead: aws.Bool(true),
		ScanIndexForward: aws.Bool(false), Limit: aws.Int32(1),
		KeyConditionExpression:    aws.String("#incident_key = :key"),
		ExpressionAttributeNames:  names("incident_key"),
		ExpressionAttributeValues: item{":key": text(key)},
	})
	newest, err := collect(rows, ObservationFromItem, 1)
	if err != nil || len(newest) == 0 {
		return o, false, failed("read the newest observation of "+key, err)
	}
	return newest[0], true, nil
}
