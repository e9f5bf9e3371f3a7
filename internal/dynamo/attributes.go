package dynamo

import (
	"hash/fnv"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is one row as DynamoDB speaks of it.
type item = map[string]types.AttributeValue

// Shards spread an index over partitions: a partition takes 1,000 writes a
// second ("Best practices for designing partition keys", DynamoDB Developer
// Guide), and a storm opens more than that. Readers ask every shard.
const (
	indexShards = 4
	usageShards = 8
)

// shard places a text in one of n shards; the same text always in the same.
func shard(text string, n uint32) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return strconv.FormatUint(uint64(h.Sum32()%n), 10)
}

func shards(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}

// names gives each attribute its placeholder, "#" and the name. Expressions use
// nothing else: many of our words, such as state and source, are reserved.
func names(attributes ...string) map[string]string {
	m := make(map[string]string, len(attributes))
	for _, a := range attributes {
		m["#"+a] = a
	}
	return m
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}
