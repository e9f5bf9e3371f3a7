package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/observation"
)

// ClaimRun claims a source's tick for run.Worker: it writes the run as running if
// there is none, if the lease of a running one has expired, or if the run is
// repeatable. Otherwise it returns observation.ErrRunClaimed. The worker that holds
// the tick may claim it again, since the answer to its first claim may have been
// lost.
func (s *Store) ClaimRun(ctx context.Context, run observation.Run, now time.Time) error {
	run.State, run.Try = observation.RunRunning, 1
	held, err := s.putRun(ctx, run, now, "attribute_not_exists(#kind) OR (#state = :state AND "+
		"(attribute_not_exists(#lease_until) OR #lease_until <= :now OR #worker = :worker))",
		names("kind", "state", "lease_until", "worker"), item{
			":state": text(string(observation.RunRunning)), ":now": text(formatStamp(now)),
			":worker": text(run.Worker),
		})
	if before, unread := runFromItem(held); len(held) > 0 && unread == nil && before.Repeatable(now) {
		return s.claimAgain(ctx, run, before, now)
	}
	return runOutcome("claim", run, err)
}

// claimAgain claims a tick whose run read nothing, unless another worker has done so
// since.
func (s *Store) claimAgain(ctx context.Context, run, before observation.Run, now time.Time) error {
	run.Try = before.Try + 1
	held, err := s.putRun(ctx, run, now, "#state = :state AND #worker = :before", names("state", "worker"), item{
		":state": text(string(before.State)), ":before": text(before.Worker),
	})
	if after, unread := runFromItem(held); len(held) > 0 && unread == nil && after.Worker == run.Worker {
		return nil // it was done, and the answer was lost
	}
	return runOutcome("claim again", run, err)
}

// putRun writes a run if the condition holds, and otherwise returns the existing row.
func (s *Store) putRun(ctx context.Context, run observation.Run, now time.Time, condition string, attributes map[string]string, values item) (item, error) {
	it, err := runItem(run, s.runExpiry(now))
	if err != nil {
		return nil, err
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.tables.Operations, Item: it, ConditionExpression: &condition,
		ExpressionAttributeNames: attributes, ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	held, _ := conditionFailed(err)
	return held, err
}

// FinishRun writes the result of a run. It returns observation.ErrRunClaimed when
// another worker has claimed the tick since.
func (s *Store) FinishRun(ctx context.Context, run observation.Run) error {
	it, err := runItem(run, s.runExpiry(run.Ended))
	if err != nil {
		return failed(doingRun("finish", run), err)
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.tables.Operations, Item: it,
		ConditionExpression:       aws.String("#worker = :worker"),
		ExpressionAttributeNames:  names("worker"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":worker": text(run.Worker)},
	})
	return runOutcome("finish", run, err)
}

// ReleaseRun gives up a claimed tick, so that a retry may claim it at once. It does
// nothing when the run is finished or belongs to another worker by now.
func (s *Store) ReleaseRun(ctx context.Context, run observation.Run) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName:                &s.tables.Operations,
		Key:                      runKey(run.Source, run.Tick),
		ConditionExpression:      aws.String("#worker = :worker AND #state = :running"),
		ExpressionAttributeNames: names("worker", "state"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":worker": text(run.Worker), ":running": text(string(observation.RunRunning)),
		},
	})
	if _, taken := conditionFailed(err); taken {
		return nil
	}
	return failed(doingRun("release", run), err)
}

// Runs returns at most limit of a source's poll runs, newest first. A run that cannot
// be read counts as failed, so that it does not keep its source from being polled.
func (s *Store) Runs(ctx context.Context, source string, limit int) ([]observation.Run, error) {
	if limit <= 0 {
		return nil, nil
	}
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Operations, ConsistentRead: aws.Bool(true),
		ScanIndexForward: aws.Bool(false), Limit: aws.Int32(int32(min(limit, 1000))),
		KeyConditionExpression:    aws.String("#kind = :kind"),
		ExpressionAttributeNames:  names("kind"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":kind": text(runKind(source))},
	})
	runs, err := readable(ctx, "read poll runs of "+source, rows, runOrFailed, limit)
	return runs, failed("read poll runs of "+source, err)
}

// RunsBetween yields a source's poll runs with from ≤ tick ≤ to, oldest first, until
// an error.
func (s *Store) RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error {
	first, last := observation.FormatTick(from), observation.FormatTick(to)
	if first > last {
		// DynamoDB refuses a range that ends before it starts.
		return nil
	}
	rows := s.queryAhead(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Operations, Limit: aws.Int32(observationsPage),
		KeyConditionExpression:   aws.String("#kind = :kind AND #id BETWEEN :from AND :to"),
		ExpressionAttributeNames: names("kind", "id"),
		ExpressionAttributeValues: item{
			":kind": text(runKind(source)), ":from": text(first), ":to": text(last),
		},
	})
	return failed("read poll runs of "+source, each(rows, runFromItem, yield))
}

func runKey(source string, at time.Time) item {
	return item{"kind": text(runKind(source)), "id": text(observation.FormatTick(at))}
}

func (s *Store) runExpiry(from time.Time) time.Time {
	return expiry(from, s.runsKept)
}

func doingRun(verb string, run observation.Run) string {
	return fmt.Sprintf("%s poll of %s at %s", verb, run.Source, observation.FormatTick(run.Tick))
}

func runOutcome(verb string, run observation.Run, err error) error {
	if _, taken := conditionFailed(err); taken {
		err = observation.ErrRunClaimed
	}
	return failed(doingRun(verb, run), err)
}
