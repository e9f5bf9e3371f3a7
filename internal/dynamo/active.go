package dynamo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/incident"
)

const activeIndex = "active"

// ActiveKeys returns, sorted, the keys whose health polls must keep reporting, each
// with the sources that have reported on it. The index it reads may lag a write by a
// moment.
func (s *Store) ActiveKeys(ctx context.Context) ([]incident.Active, error) {
	found, err := byShard(func(shard string) ([]incident.Active, error) {
		rows := s.query(ctx, dynamodb.QueryInput{
			TableName: &s.tables.Incidents, IndexName: aws.String(activeIndex),
			KeyConditionExpression:    aws.String("#active = :shard"),
			ProjectionExpression:      aws.String("#incident_key, #sources"),
			ExpressionAttributeNames:  names("active", "incident_key", "sources"),
			ExpressionAttributeValues: item{":shard": text(shard)},
		})
		return readable(ctx, "read active incidents", rows, activeFromItem, 0)
	})
	slices.SortFunc(found, func(a, b incident.Active) int { return cmp.Compare(a.Key, b.Key) })
	return found, failed("read active incidents", err)
}

func activeFromItem(it item) (incident.Active, error) {
	r, err := decode[stateRow](it)
	slices.Sort(r.Sources)
	return incident.Active{Key: r.IncidentKey, Sources: r.Sources}, err
}

// byShard reads every shard of an index side by side.
func byShard[T any](read func(shard string) ([]T, error)) ([]T, error) {
	all := shards(indexShards)
	found, errs := make([][]T, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, shard := range all {
		wg.Go(func() { found[i], errs[i] = read(shard) })
	}
	wg.Wait()
	return slices.Concat(found...), errors.Join(errs...)
}
