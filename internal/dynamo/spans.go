package dynamo

import (
	"context"
	"iter"
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/observation"
)

const (
	// spanReaders is how many spans of a long history are read side by side. Each
	// holds one page until its rows are yielded.
	spanReaders = 4
	// maxSpans bounds the cost of a wrong estimate of the density.
	maxSpans = 1000
)

// queryTicks yields a key's observations in tick order. A history of one page is one
// request. A longer one is cut into spans of time of about a page each, which are
// read side by side, since most of the time goes into waiting for the store, and
// yielded in order. in is a query by key alone that projects the observation id.
func (s *Store) queryTicks(ctx context.Context, in dynamodb.QueryInput) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		in.ReturnConsumedCapacity = s.meter.capacity()
		first, err := s.client.Query(ctx, &in)
		if err != nil {
			yield(nil, err)
			return
		}
		s.meter.add(first.ConsumedCapacity)
		if !yieldAll(first.Items, yield) || first.LastEvaluatedKey == nil {
			return
		}
		spans, err := s.spansAfter(ctx, in, first)
		if err != nil {
			yield(nil, err)
			return
		}
		s.inTurn(ctx, in, spans, yield)
	}
}

// span is a part of a key's history, from one observation id to another.
type span struct{ from, to string }

// spansAfter cuts the history after its first page into spans, assuming the density
// of that page.
func (s *Store) spansAfter(ctx context.Context, in dynamodb.QueryInput, first *dynamodb.QueryOutput) ([]span, error) {
	last, err := asText(first.LastEvaluatedKey["observation_id"])
	if err != nil {
		return nil, err
	}
	// " " sorts before every possible continuation of an id; "$" ends the last one.
	rest := span{last + " ", lastID(time.Time{})}
	in.ScanIndexForward, in.Limit = aws.Bool(false), aws.Int32(1)
	newest, err := s.client.Query(ctx, &in)
	if err != nil {
		return nil, err
	}
	if s.meter.add(newest.ConsumedCapacity); len(newest.Items) == 0 {
		return []span{rest}, nil
	}
	start, startErr := tickOf(first.Items[0])
	end, endErr := tickOf(newest.Items[0])
	from, fromErr := observation.ParseTick(last[:min(len(last), len(tickLayout))])
	page := from.Sub(start)
	if startErr != nil || endErr != nil || fromErr != nil || page <= 0 {
		// The reader of this row reports what is wrong with it.
		return []span{rest}, nil
	}
	return cut(rest, from, end, page), nil
}

// cut divides the time between two ticks into parts of about the given length.
func cut(rest span, from, to time.Time, length time.Duration) []span {
	n := min(int(to.Sub(from)/length)+1, maxSpans)
	spans := make([]span, 0, n)
	at := rest.from
	for i := 1; i < n; i++ {
		// A bare tick sorts before the observations of that tick.
		next := observation.FormatTick(from.Add(to.Sub(from) / time.Duration(n) * time.Duration(i)))
		if next <= at {
			continue
		}
		spans = append(spans, span{at, next})
		at = next
	}
	return append(spans, span{at, rest.to})
}

const tickLayout = "2006-01-02T15:04:05Z"

func tickOf(it item) (time.Time, error) {
	id, err := asText(it["observation_id"])
	if err != nil {
		return time.Time{}, err
	}
	return observation.ParseTick(id[:min(len(id), len(tickLayout))])
}

// inTurn yields the rows of the spans in order and reads a few spans ahead.
func (s *Store) inTurn(ctx context.Context, in dynamodb.QueryInput, spans []span, yield func(item, error) bool) {
	pages := make([]<-chan readPage, len(spans))
	start := func(i int) {
		if i < len(spans) {
			pages[i] = s.pagesAhead(ctx, within(in, spans[i]))
		}
	}
	for i := range spanReaders {
		start(i)
	}
	for i := range spans {
		for page := range pages[i] {
			if page.err != nil {
				yield(nil, page.err)
				return
			}
			if !yieldAll(page.items, yield) {
				return
			}
		}
		start(i + spanReaders)
	}
}

func within(in dynamodb.QueryInput, sp span) dynamodb.QueryInput {
	in.KeyConditionExpression = aws.String(*in.KeyConditionExpression + " AND #observation_id BETWEEN :from AND :to")
	in.ExpressionAttributeValues = maps.Clone(in.ExpressionAttributeValues)
	in.ExpressionAttributeValues[":from"], in.ExpressionAttributeValues[":to"] = text(sp.from), text(sp.to)
	return in
}
