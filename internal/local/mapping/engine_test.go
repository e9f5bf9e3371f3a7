package mapping

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/ringonce/ringonce/internal/local/engine"
)

// table is a table with a stream on the real engine, and a mapping of it.
type table struct {
	t        *testing.T
	rows     *dynamodb.Client
	function *fakeFunction
	failures *MemoryFailures
	config   Config
}

func newTable(t *testing.T) *table {
	t.Helper()
	e, err := engine.Start(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Stop() })
	rows := dynamodb.NewFromConfig(e.Config())
	made, err := rows.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("rows"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
	})
	if err != nil {
		t.Fatal(err)
	}
	tb := &table{t: t, rows: rows, function: &fakeFunction{}, failures: &MemoryFailures{}}
	inserts, err := ParseFilter(`{"eventName": ["INSERT"]}`)
	if err != nil {
		t.Fatal(err)
	}
	tb.config = Config{
		StreamARN: *made.TableDescription.LatestStreamArn, Stream: dynamodbstreams.NewFromConfig(e.Config()),
		Function: tb.function, FunctionARN: "arn:f", Failures: tb.failures,
		Settings: Settings{
			BatchSize: 10, ParallelizationFactor: 2, Filter: inserts, ReportBatchItemFailures: true,
			BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1, MaximumRecordAge: time.Hour,
		},
		Backoff:   func(int) time.Duration { return 0 },
		PollEvery: time.Hour,
	}
	return tb
}

// put writes rows number from to to, but for the last.
func (tb *table) put(from, to int) {
	tb.t.Helper()
	for i := from; i < to; i++ {
		_, err := tb.rows.PutItem(tb.t.Context(), &dynamodb.PutItemInput{TableName: aws.String("rows"), Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: strconv.Itoa(i)},
			"n":  &types.AttributeValueMemberN{Value: strconv.Itoa(i)},
		}})
		if err != nil {
			tb.t.Fatal(err)
		}
	}
}

// drain runs a mapping from the checkpoints in a file until it has handled
// everything, and stops it.
func (tb *table) drain(checkpoints string) {
	tb.t.Helper()
	var err error
	if tb.config.Checkpoints, err = OpenCheckpoints(checkpoints, tb.config.StreamARN); err != nil {
		tb.t.Fatal(err)
	}
	m := New(tb.config)
	ctx, cancel := context.WithCancel(tb.t.Context())
	stopped := make(chan struct{})
	go func() {
		m.Run(ctx)
		close(stopped)
	}()
	if err := m.Drain(ctx); err != nil {
		tb.t.Fatal(err)
	}
	cancel()
	<-stopped
}

// Case O5 on the real engine, over a restart: of 25 rows one is poison, and
// one is written again, which is no insert.
func TestCaseO5OnTheLocalEngine(t *testing.T) {
	tb := newTable(t)
	checkpoints := filepath.Join(t.TempDir(), "t.json")
	var poison string
	tb.function.fails = func(seq string) bool {
		if poison == "" {
			poison = seq
		}
		return seq == poison
	}
	tb.put(0, 20)
	tb.put(0, 1)
	tb.drain(checkpoints)
	tb.put(20, 25)
	tb.drain(checkpoints)

	slices.Sort(tb.function.handled)
	if got := len(slices.Compact(tb.function.handled)); got != 24 {
		t.Errorf("%d rows handled, want every one of 25 but the poison", got)
	}
	all := tb.failures.All()
	if len(all) != 1 || all[0].Batch.StartSequence != poison {
		t.Errorf("given up: %+v, want the batch that starts at %s", all, poison)
	}
	last := tb.function.seen[len(tb.function.seen)-1]
	if len(last) > 5 {
		t.Errorf("after the restart %d records came again or at once, want the new five at most", len(last))
	}
}
