package dynamo

import (
	"context"
	"iter"
	"log/slog"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// query yields the rows of a query page by page, so that memory stays bounded. It
// stops at an error.
func (s *Store) query(ctx context.Context, in dynamodb.QueryInput) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		in.ReturnConsumedCapacity = s.meter.capacity()
		pages := dynamodb.NewQueryPaginator(s.client, &in)
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			s.meter.add(page.ConsumedCapacity)
			if !yieldAll(page.Items, yield) {
				return
			}
		}
	}
}

// scan yields every row of a table that passes the filter, if there is one.
func (s *Store) scan(ctx context.Context, in dynamodb.ScanInput) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		in.ReturnConsumedCapacity = s.meter.capacity()
		pages := dynamodb.NewScanPaginator(s.client, &in)
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			s.meter.add(page.ConsumedCapacity)
			if !yieldAll(page.Items, yield) {
				return
			}
		}
	}
}

func yieldAll(items []item, yield func(item, error) bool) bool {
	for _, it := range items {
		if !yield(it, nil) {
			return false
		}
	}
	return true
}

// each decodes rows and yields them until either fails.
func each[T any](rows iter.Seq2[item, error], from func(item) (T, error), yield func(T) error) error {
	for it, err := range rows {
		if err != nil {
			return err
		}
		v, err := from(it)
		if err != nil {
			return err
		}
		if err := yield(v); err != nil {
			return err
		}
	}
	return nil
}

// readable decodes at most limit of the rows that can be decoded; zero is all. A row
// that cannot is logged with its key and skipped, so that it does not hide the
// others.
func readable[T any](ctx context.Context, doing string, rows iter.Seq2[item, error], from func(item) (T, error), limit int) ([]T, error) {
	var all []T
	bad := 0
	for it, err := range rows {
		if err != nil {
			return nil, err
		}
		v, bent := from(it)
		if bent != nil {
			bad++
			slog.ErrorContext(ctx, "a row cannot be read and is passed over; correct or delete it",
				"doing", doing, "incident_key", keyOf(it), "passed_over", bad, "error", bent)
			continue
		}
		if all = append(all, v); len(all) == limit {
			break
		}
	}
	return all, nil
}

// collect decodes rows into a slice, at most limit of them; zero is all.
func collect[T any](rows iter.Seq2[item, error], from func(item) (T, error), limit int) ([]T, error) {
	var all []T
	for it, err := range rows {
		if err != nil {
			return nil, err
		}
		v, err := from(it)
		if err != nil {
			return nil, err
		}
		if all = append(all, v); len(all) == limit {
			break
		}
	}
	return all, nil
}

// get reads one row, strongly consistent; nil when there is none.
func (s *Store) get(ctx context.Context, table string, key item) (item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &table, Key: key, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: s.meter.capacity(),
	})
	if err != nil {
		return nil, err
	}
	s.meter.add(out.ConsumedCapacity)
	return out.Item, nil
}
