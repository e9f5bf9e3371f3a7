package mapping

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// Every attribute type survives the way into aws-lambda-go's event type, whose
// decoder is what most functions in Go use.
func TestEventsAreWhatLambdaDelivers(t *testing.T) {
	h := newHarness(t)
	h.write(1)
	r := h.stream.shards["shard-1"].records[0]
	r.UserIdentity = &types.Identity{Type: aws.String("Service"), PrincipalId: aws.String("dynamodb.amazonaws.com")}
	r.Dynamodb.NewImage = map[string]types.AttributeValue{
		"s":  &types.AttributeValueMemberS{Value: "text"},
		"n":  &types.AttributeValueMemberN{Value: "12345678901234567890"},
		"b":  &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"t":  &types.AttributeValueMemberBOOL{Value: true},
		"z":  &types.AttributeValueMemberNULL{Value: true},
		"ss": &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"ns": &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
		"bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
		"m":  &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"in": &types.AttributeValueMemberN{Value: "1"}}},
		"l":  &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "x"}}},
	}
	r.Dynamodb.OldImage = map[string]types.AttributeValue{"s": &types.AttributeValueMemberS{Value: "before"}}
	payload := New(h.config).event([]record{{Record: r}})

	var event events.DynamoDBEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		t.Fatal(err)
	}
	got := event.Records[0]
	equal(t, "arn", got.EventSourceArn, testARN)
	equal(t, "name", got.EventName, "INSERT")
	equal(t, "source", got.EventSource, "aws:dynamodb")
	equal(t, "created", got.Change.ApproximateCreationDateTime.UTC(), testTime)
	equal(t, "who", got.UserIdentity.PrincipalID, "dynamodb.amazonaws.com")
	equal(t, "key", got.Change.Keys["pk"].String(), "key-0")
	equal(t, "old image", got.Change.OldImage["s"].String(), "before")
	image := got.Change.NewImage
	equal(t, "S", image["s"].String(), "text")
	equal(t, "N", image["n"].Number(), "12345678901234567890")
	equal(t, "B", image["b"].Binary(), []byte{0, 255})
	equal(t, "BOOL", image["t"].Boolean(), true)
	equal(t, "NULL", image["z"].IsNull(), true)
	equal(t, "SS", image["ss"].StringSet(), []string{"a", "b"})
	equal(t, "NS", image["ns"].NumberSet(), []string{"1", "2"})
	equal(t, "BS", image["bs"].BinarySet(), [][]byte{{1}, {2}})
	equal(t, "M", image["m"].Map()["in"].Number(), "1")
	equal(t, "L", image["l"].List()[0].String(), "x")
}
