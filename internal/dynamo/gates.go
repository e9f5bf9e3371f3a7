package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const gateKind = "gate"

type gateRow struct {
	ClosedUntil time.Time `dynamodbav:"closed_until"`
}

// Gate returns the time before which nothing may be sent to a destination; zero
// when it has never been closed. The time may have passed.
func (s *Store) Gate(ctx context.Context, destination string) (time.Time, error) {
	it, err := s.get(ctx, s.tables.Operations, operationKey(gateKind, destination))
	if err != nil {
		return time.Time{}, failed("read gate of destination "+destination, err)
	}
	row, err := decode[gateRow](it)
	return row.ClosedUntil, failed("read gate of destination "+destination, err)
}

// CloseGate lets nothing be sent to a destination before the given time. A gate
// that is closed for longer stays so.
func (s *Store) CloseGate(ctx context.Context, destination string, until time.Time) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.tables.Operations, Key: operationKey(gateKind, destination),
		UpdateExpression:          aws.String("SET #closed_until = :until"),
		ConditionExpression:       aws.String("attribute_not_exists(#closed_until) OR #closed_until < :until"),
		ExpressionAttributeNames:  names("closed_until"),
		ExpressionAttributeValues: item{":until": text(formatStamp(until))},
	})
	if _, later := conditionFailed(err); later {
		return nil
	}
	return failed(fmt.Sprintf("close gate of destination %s", destination), err)
}

func operationKey(kind, id string) item { return item{"kind": text(kind), "id": text(id)} }
