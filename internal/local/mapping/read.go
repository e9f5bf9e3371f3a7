package mapping

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// pass reads each shard once and handles what it finds. found says whether there may
// be more: a shard had records, or ended and may have children.
func (m *Mapping) pass(ctx context.Context, drain uint64) (found bool, err error) {
	shards, err := m.list(ctx, drain)
	if err != nil {
		return false, err
	}
	for _, shard := range shards {
		if !m.ready(shard, shards) {
			continue
		}
		more, err := m.advance(ctx, aws.ToString(shard.ShardId))
		if err != nil {
			return false, err
		}
		found = found || more
	}
	return found, nil
}

// advance reads and handles one page of a shard. Only handled records move the
// checkpoint; an error drops the iterator, so that the next pass reads again from the
// checkpoint.
func (m *Mapping) advance(ctx context.Context, shard string) (found bool, err error) {
	defer func() {
		if err != nil {
			delete(m.iterators, shard)
		}
	}()
	iterator, err := m.iterator(ctx, shard)
	if err != nil {
		return false, err
	}
	page, err := m.Stream.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{
		ShardIterator: &iterator, Limit: aws.Int32(m.Settings.pageSize()),
	})
	if expired(err) {
		delete(m.iterators, shard)
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read shard %s of stream %s: %w", shard, m.StreamARN, err)
	}
	if err := m.handle(ctx, shard, page.Records); err != nil {
		return false, err
	}
	if page.NextShardIterator == nil {
		m.shards.stale = true
		delete(m.iterators, shard)
		return true, m.Checkpoints.End(shard)
	}
	m.iterators[shard] = *page.NextShardIterator
	return len(page.Records) > 0, nil
}

// iterator returns where to continue: at the last page's iterator, else at the
// checkpoint, else at the oldest record (TRIM_HORIZON).
func (m *Mapping) iterator(ctx context.Context, shard string) (string, error) {
	if it, ok := m.iterators[shard]; ok {
		return it, nil
	}
	in := &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &m.StreamARN, ShardId: &shard, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
	}
	if after, ok := m.Checkpoints.After(shard); ok {
		in.ShardIteratorType = types.ShardIteratorTypeAfterSequenceNumber
		in.SequenceNumber = &after
	}
	out, err := m.Stream.GetShardIterator(ctx, in)
	var trimmed *types.TrimmedDataAccessException
	if errors.As(err, &trimmed) {
		in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeTrimHorizon, nil
		out, err = m.Stream.GetShardIterator(ctx, in)
	}
	if err != nil {
		return "", fmt.Errorf("find the place to read shard %s of stream %s from: %w", shard, m.StreamARN, err)
	}
	return aws.ToString(out.ShardIterator), nil
}

// expired reports that an iterator is too old (15 minutes) or points before what the
// stream still holds; reading then starts again from the checkpoint.
func expired(err error) bool {
	var old *types.ExpiredIteratorException
	var trimmed *types.TrimmedDataAccessException
	return errors.As(err, &old) || errors.As(err, &trimmed)
}
