package dynamo

import (
	"hash/fnv"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is one row as the SDK represents it.
type item = map[string]types.AttributeValue

// Indexes are sharded over partitions: a partition takes 1,000 writes a second ("Best
// practices for designing partition keys", DynamoDB Developer Guide), and a storm
// opens more incidents than that. Readers query every shard.
const (
	indexShards = 4
	usageShards = 8
)

// shard returns which of n shards a text belongs to, always the same for the same
// text.
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

// names maps each attribute to its placeholder, "#" and the name. Expressions use
// only placeholders, since many attribute names, such as state and source, are
// reserved words.
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
