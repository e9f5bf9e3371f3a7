package mapping

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// shardList is the last known list of a stream's shards, in the order in which they
// must be read.
type shardList struct {
	shards []types.Shard
	readAt time.Time
	// drain is the number of the newest drain that the list takes into account.
	drain uint64
	// stale asks for a new list: a shard has ended and may have children.
	stale bool
}

// list returns the stream's shards. It reads them again if the list is old, a shard
// has ended, or a drain has begun: a drain must know every shard that existed at its
// call.
func (m *Mapping) list(ctx context.Context, drain uint64) ([]types.Shard, error) {
	l := &m.shards
	if l.shards != nil && !l.stale && l.drain == drain && m.Now().Sub(l.readAt) < m.ShardsEvery {
		return l.shards, nil
	}
	shards, err := m.describe(ctx)
	if err != nil {
		return nil, err
	}
	*l = shardList{shards: shards, readAt: m.Now(), drain: drain}
	return shards, m.Checkpoints.Keep(shardIDs(shards))
}

func (m *Mapping) describe(ctx context.Context) ([]types.Shard, error) {
	shards := []types.Shard{}
	var after *string
	for {
		out, err := m.Stream.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{
			StreamArn: &m.StreamARN, ExclusiveStartShardId: after,
		})
		if err != nil {
			return nil, fmt.Errorf("list the shards of stream %s: %w", m.StreamARN, err)
		}
		shards = append(shards, out.StreamDescription.Shards...)
		after = out.StreamDescription.LastEvaluatedShardId
		if after == nil {
			return shards, nil
		}
	}
}

// ready reports whether a shard may be read: it has not ended, and its parent, whose
// records come first, has ended or is gone.
func (m *Mapping) ready(shard types.Shard, known []types.Shard) bool {
	if m.Checkpoints.Ended(aws.ToString(shard.ShardId)) {
		return false
	}
	parent := aws.ToString(shard.ParentShardId)
	for _, s := range known {
		if aws.ToString(s.ShardId) == parent {
			return m.Checkpoints.Ended(parent)
		}
	}
	return true
}

func shardIDs(shards []types.Shard) []string {
	ids := make([]string, len(shards))
	for i, s := range shards {
		ids[i] = aws.ToString(s.ShardId)
	}
	return ids
}
