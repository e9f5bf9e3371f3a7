package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

const gateKind = "gate"

type gateRow struct {
	ClosedUntil  time.Time `dynamodbav:"closed_until"`
	TurnAt       time.Time `dynamodbav:"turn_at"`
	RefusedSince time.Time `dynamodbav:"refused_since"`
	RefusedUntil time.Time `dynamodbav:"refused_until"`
	RefusedCode  string    `dynamodbav:"refused_code"`
}

// Gate returns the gate of a destination; the zero Gate when there is none. Its times
// may have passed.
func (s *Store) Gate(ctx context.Context, destination string) (delivery.Gate, error) {
	it, err := s.get(ctx, s.tables.Operations, operationKey(gateKind, destination))
	if err != nil {
		return delivery.Gate{}, failed("read gate of destination "+destination, err)
	}
	return gateFromItem(it, destination)
}

func gateFromItem(it item, destination string) (delivery.Gate, error) {
	row, err := decode[gateRow](it)
	return delivery.Gate(row), failed("read gate of destination "+destination, err)
}

// CloseGate forbids sends to a destination before the given time. A gate that is
// closed for longer stays so.
func (s *Store) CloseGate(ctx context.Context, destination string, until time.Time) error {
	_, _, err := s.updateGate(ctx, destination, "SET #closed_until = :until",
		"attribute_not_exists(#closed_until) OR #closed_until < :until",
		names("closed_until"), item{":until": text(formatStamp(until))})
	return failed(fmt.Sprintf("close gate of destination %s", destination), err)
}

// TakeTurn takes the turn to send one message to a destination and sets when the next
// one may be sent, unless the gate is closed or the turn is not due yet. It returns
// the resulting gate, and whether the turn was taken. One conditional write decides
// between all workers.
func (s *Store) TakeTurn(ctx context.Context, destination string, now, next time.Time) (delivery.Gate, bool, error) {
	g, taken, err := s.updateGate(ctx, destination, "SET #turn_at = :next",
		"(attribute_not_exists(#turn_at) OR #turn_at <= :now) AND (attribute_not_exists(#closed_until) OR #closed_until <= :now)",
		names("turn_at", "closed_until"), item{":now": text(formatStamp(now)), ":next": text(formatStamp(next))})
	return g, taken, failed("take a turn at destination "+destination, err)
}

// Refuse records that a destination refuses everything with the given code, and may
// be tried again at until; an empty code records that it takes messages again. It
// writes only while the gate's RefusedUntil is still seen, the value that the caller
// read, and returns the resulting gate and whether it wrote.
func (s *Store) Refuse(ctx context.Context, destination, code string, seen, now, until time.Time) (delivery.Gate, bool, error) {
	update, values := "REMOVE #refused_until, #refused_since, #refused_code", item{}
	if code != "" {
		update = "SET #refused_until = :until, #refused_since = if_not_exists(#refused_since, :now), #refused_code = :code"
		values = item{":until": text(formatStamp(until)), ":now": text(formatStamp(now)), ":code": text(code)}
	}
	condition := "attribute_not_exists(#refused_until)"
	if !seen.IsZero() {
		condition, values[":seen"] = "#refused_until = :seen", text(formatStamp(seen))
	}
	g, done, err := s.updateGate(ctx, destination, update, condition,
		names("refused_until", "refused_since", "refused_code"), values)
	return g, done, failed("note what destination "+destination+" refuses", err)
}

// updateGate updates a gate if the condition holds, and returns the resulting gate.
func (s *Store) updateGate(ctx context.Context, destination, update, condition string, names map[string]string, values item) (g delivery.Gate, done bool, err error) {
	if len(values) == 0 {
		values = nil
	}
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.tables.Operations, Key: operationKey(gateKind, destination),
		UpdateExpression: aws.String(update), ConditionExpression: aws.String(condition),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	found, refused := conditionFailed(err)
	switch {
	case refused:
		g, err = gateFromItem(found, destination)
		return g, false, err
	case err != nil:
		return g, false, err
	}
	g, err = gateFromItem(out.Attributes, destination)
	return g, true, err
}

func operationKey(kind, id string) item { return item{"kind": text(kind), "id": text(id)} }
