package dynamo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Usage returns the counters of the UTC days from that of from to that of to, both
// included, summed over shards and sorted by day, owner, cost center, channel and
// source. DeliveryID is empty, since a counter covers many deliveries.
func (s *Store) Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error) {
	first, last := from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly)
	if first > last {
		// DynamoDB refuses a range that ends before it starts.
		return nil, nil
	}
	sums := make(map[delivery.Usage]delivery.Usage)
	for month := monthOf(from); !month.After(to); month = month.AddDate(0, 1, 0) {
		if err := s.addMonth(ctx, month, first, last, sums); err != nil {
			return nil, failed("read usage of "+month.Format("2006-01"), err)
		}
	}
	return slices.SortedFunc(maps.Values(sums), byUsage), nil
}

func monthOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

func (s *Store) addMonth(ctx context.Context, month time.Time, first, last string, sums map[delivery.Usage]delivery.Usage) error {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Operations, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:   aws.String("#kind = :kind AND #id BETWEEN :first AND :last"),
		ExpressionAttributeNames: names("kind", "id"),
		ExpressionAttributeValues: item{
			":kind":  text(usageKind(month.Format(time.DateOnly))),
			":first": text(first), ":last": text(last + "$"),
		},
	})
	return each(rows, usageFromItem, func(u delivery.Usage) error {
		of := u.Subject()
		sums[of] = of.Plus(sums[of]).Plus(u)
		return nil
	})
}

func usageFromItem(it item) (delivery.Usage, error) {
	row, err := decode[usageRow](it)
	if err != nil {
		return delivery.Usage{}, fmt.Errorf("usage of %s: %w", row.Day, err)
	}
	return delivery.Usage(row), nil
}

func byUsage(a, b delivery.Usage) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Owner, b.Owner),
		cmp.Compare(a.CostCenter, b.CostCenter), cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Source, b.Source))
}
