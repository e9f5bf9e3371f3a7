package dynamo_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/observation"
)

type item = map[string]types.AttributeValue

func s(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }
func n(text string) types.AttributeValue { return &types.AttributeValueMemberN{Value: text} }

func observationItem() item {
	return item{
		"incident_key": s("k"), "observation_id": s("2026-03-14T10:00:00Z#sentry"), "source": s("sentry"),
		"tick": s("2026-03-14T10:00:00Z"), "verdict": s("failing"),
		"evidence": &types.AttributeValueMemberM{Value: item{"count": n("3"), "last_seen": s("2026-03-14T09:59:58.250Z")}},
	}
}

func dueItem() item {
	return item{
		"incident_key": s("k"), "slot": s("000001#000001#slack"), "episode": n("1"), "sequence": n("1"),
		"action": s("open"), "destination": s("slack"), "due_at": s("2026-03-14T10:00:00.000Z"),
	}
}

func observed(it item) error { _, err := dynamo.ObservationFromItem(it); return err }
func due(it item) error      { _, err := dynamo.DueFromItem(it); return err }

// TestStrictItems: what a stream record holds is read strictly, and an error
// says which attribute is wrong.
func TestStrictItems(t *testing.T) {
	null := &types.AttributeValueMemberNULL{Value: true}
	for _, c := range []struct {
		name  string
		read  func(item) error
		from  item
		set   string
		value types.AttributeValue
		want  string
	}{
		{"no key", observed, observationItem(), "incident_key", nil, "attribute incident_key"},
		{"an empty key", observed, observationItem(), "incident_key", s(""), "attribute incident_key"},
		{"a numeric key", observed, observationItem(), "incident_key", n("1"), "attribute incident_key"},
		{"a null key", observed, observationItem(), "incident_key", null, "attribute incident_key"},
		{"no source", observed, observationItem(), "source", nil, "attribute source"},
		{"no tick", observed, observationItem(), "tick", nil, "attribute tick"},
		{"a tick that is no time", observed, observationItem(), "tick", s("yesterday"), "attribute tick"},
		{"a numeric tick", observed, observationItem(), "tick", n("1"), "attribute tick"},
		{"a null tick", observed, observationItem(), "tick", null, "attribute tick"},
		{"no verdict", observed, observationItem(), "verdict", nil, "attribute verdict"},
		{"an unheard-of verdict", observed, observationItem(), "verdict", s("green"), "attribute verdict"},
		{"an id of another tick", observed, observationItem(), "observation_id", s("2026-03-14T10:01:00Z#sentry"), "attribute observation_id"},
		{"evidence that is text", observed, observationItem(), "evidence", s("{}"), "attribute evidence"},
		{"a bad time in evidence", observed, observationItem(), "evidence", &types.AttributeValueMemberM{Value: item{"first_seen": s("x")}}, "attribute evidence"},
		{"parts that are text", observed, observationItem(), "parts", s("a=b"), "attribute parts"},
		{"no attributes at all", observed, nil, "", nil, "attribute incident_key"},

		{"no slot", due, dueItem(), "slot", nil, "attribute slot"},
		{"no episode", due, dueItem(), "episode", nil, "attribute episode"},
		{"an episode in words", due, dueItem(), "episode", s("one"), "attribute episode"},
		{"a sequence that overflows", due, dueItem(), "sequence", n("1e30"), "attribute sequence"},
		{"no action", due, dueItem(), "action", nil, "attribute action"},
		{"no destination", due, dueItem(), "destination", nil, "attribute destination"},
		{"a due time in seconds", due, dueItem(), "due_at", s("2026-03-14T10:00:00Z"), "attribute due_at"},
		{"a null episode", due, dueItem(), "episode", null, "attribute episode"},
		{"a numeric due time", due, dueItem(), "due_at", n("1"), "attribute due_at"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.set != "" {
				c.from[c.set] = c.value
			}
			if c.set != "" && c.value == nil {
				delete(c.from, c.set)
			}
			if err := c.read(c.from); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
	if err := observed(observationItem()); err != nil {
		t.Errorf("a good observation: %v", err)
	}
	final := dueItem()
	delete(final, "due_at")
	if d, err := dynamo.DueFromItem(final); err != nil || !d.DueAt.IsZero() {
		t.Errorf("a final item is due at %v, error %v, want the zero time", d.DueAt, err)
	}
}

// TestStreamsCarryWhatWasWritten reads both streams as the event source mapping
// does.
func TestStreamsCarryWhatWasWritten(t *testing.T) {
	tables := enginetest.Stack(t)
	store := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), tables)
	wrote := observation.Observation{
		IncidentKey: "k", Source: "sentry", Tick: now, Verdict: observation.Healthy, Missing: true,
		Parts: []observation.Part{{Name: "issue", Value: "1"}}, Evidence: observation.Evidence{Count: 3, LastSeen: now, Samples: []string{"x"}},
	}
	for range 2 {
		if _, err := store.PutObservation(t.Context(), wrote, now); err != nil {
			t.Fatal(err)
		}
	}
	images := inserts(t, tables.Observations)
	if len(images) != 1 {
		t.Fatalf("%d inserts, want 1", len(images))
	}
	read, err := dynamo.ObservationFromItem(images[0])
	if diff := cmp.Diff(wrote, read); err != nil || diff != "" {
		t.Errorf("error %v, observation differs (- want, + got):\n%s", err, diff)
	}

	state, decision := open("k")
	item := pending("k", "slack")
	fatal(t, store.Commit(t.Context(), state, decision, []delivery.Delivery{item}))
	_, err = store.Claim(t.Context(), item.Ref(), "w", now, now)
	fatal(t, err)
	images = inserts(t, tables.Outbox)
	if len(images) != 1 {
		t.Fatalf("%d inserts, want 1", len(images))
	}
	if d, err := dynamo.DueFromItem(images[0]); err != nil || d != item.Due() {
		t.Errorf("due is %+v, error %v, want %+v", d, err, item.Due())
	}
}

// inserts returns the new images of a table's inserts.
func inserts(t *testing.T, table string) (images []item) {
	t.Helper()
	ctx := t.Context()
	streams := dynamodbstreams.NewFromConfig(enginetest.Config())
	list, err := streams.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: &table})
	fatal(t, err)
	arn := list.Streams[0].StreamArn
	stream, err := streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	fatal(t, err)
	from, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: stream.StreamDescription.Shards[0].ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	fatal(t, err)
	page, err := streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: from.ShardIterator})
	fatal(t, err)
	for _, r := range page.Records {
		if r.EventName != streamtypes.OperationTypeInsert {
			continue
		}
		image, err := attributevalue.FromDynamoDBStreamsMap(r.Dynamodb.NewImage)
		fatal(t, err)
		images = append(images, image)
	}
	return images
}
