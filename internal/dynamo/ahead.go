package dynamo

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// queryAhead is query for long histories: it reads the next page while the caller
// handles the rows of the last one. At most two pages are in memory.
func (s *Store) queryAhead(ctx context.Context, in dynamodb.QueryInput) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for page := range s.pagesAhead(ctx, in) {
			if page.err != nil {
				yield(nil, page.err)
				return
			}
			if !yieldAll(page.items, yield) {
				return
			}
		}
	}
}

type readPage struct {
	items []item
	err   error
}

// pagesAhead reads until the last page, an error or the end of the context.
func (s *Store) pagesAhead(ctx context.Context, in dynamodb.QueryInput) <-chan readPage {
	in.ReturnConsumedCapacity = s.meter.capacity()
	out := make(chan readPage)
	go func() {
		defer close(out)
		for pages := dynamodb.NewQueryPaginator(s.client, &in); pages.HasMorePages(); {
			next, err := pages.NextPage(ctx)
			page := readPage{err: err}
			if err == nil {
				s.meter.add(next.ConsumedCapacity)
				page.items = next.Items
			}
			select {
			case out <- page:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}
