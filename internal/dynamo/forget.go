package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Forget deletes a key's observations and decisions and returns the number of rows.
// Its deliveries stay, since owners are charged for them. It is for keys that no
// source reports any more.
func (s *Store) Forget(ctx context.Context, key string) (rows int, err error) {
	for table, sort := range map[string]string{s.tables.Observations: "observation_id", s.tables.Incidents: "record"} {
		found, err := collect(s.query(ctx, dynamodb.QueryInput{
			TableName: &table, ConsistentRead: aws.Bool(true),
			KeyConditionExpression:    aws.String("#incident_key = :key"),
			ProjectionExpression:      aws.String("#incident_key, #" + sort),
			ExpressionAttributeNames:  names("incident_key", sort),
			ExpressionAttributeValues: item{":key": text(key)},
		}), func(it item) (item, error) { return it, nil }, 0)
		for _, it := range found {
			if err == nil {
				_, err = s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: it})
				rows++
			}
		}
		if err != nil {
			return rows, failed("forget "+key, err)
		}
	}
	return rows, nil
}
