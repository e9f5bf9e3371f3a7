package engine

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// TestStreamsOverRestarts holds what the local event source mapping relies on:
// data, streams and their sequence numbers outlive the engine.
func TestStreamsOverRestarts(t *testing.T) {
	db := filepath.Join(t.TempDir(), "local.db")
	e := start(t, Options{DBPath: db})
	arn := createStreamed(t, e)
	putNumbers(t, e, 1, 2, 3)
	before := sequences(t, e, arn, "")
	if len(before) != 3 {
		t.Fatalf("%d records, want 3", len(before))
	}
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}

	e = start(t, Options{DBPath: db})
	putNumbers(t, e, 4, 5)
	after := sequences(t, e, arn, before[1])
	if len(after) != 3 || after[0] != before[2] {
		t.Errorf("after %s came %v, want %s and two more", before[1], after, before[2])
	}
	if all := sequences(t, e, arn, ""); !slices.Equal(all[2:], after) {
		t.Errorf("from the start %v, want it to end in %v", all, after)
	}
}

func createStreamed(t *testing.T, e *Engine) (streamARN string) {
	t.Helper()
	out, err := dynamodb.NewFromConfig(e.Config()).CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("numbers"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("n"), AttributeType: types.ScalarAttributeTypeN}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("n"), KeyType: types.KeyTypeHash}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
	})
	if err != nil {
		t.Fatal(err)
	}
	return *out.TableDescription.LatestStreamArn
}

func putNumbers(t *testing.T, e *Engine, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		_, err := dynamodb.NewFromConfig(e.Config()).PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("numbers"),
			Item:      map[string]types.AttributeValue{"n": &types.AttributeValueMemberN{Value: strconv.Itoa(n)}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sequences returns the sequence numbers of a stream's records, those after the
// given one if it is not empty.
func sequences(t *testing.T, e *Engine, arn, after string) (all []string) {
	t.Helper()
	client := dynamodbstreams.NewFromConfig(e.Config())
	described, err := client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: &arn})
	if err != nil {
		t.Fatal(err)
	}
	in := &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &arn, ShardId: described.StreamDescription.Shards[0].ShardId,
		ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	}
	if after != "" {
		in.ShardIteratorType, in.SequenceNumber = streamtypes.ShardIteratorTypeAfterSequenceNumber, &after
	}
	iterator, err := client.GetShardIterator(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	page, err := client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Records {
		all = append(all, aws.ToString(r.Dynamodb.SequenceNumber))
	}
	return all
}
