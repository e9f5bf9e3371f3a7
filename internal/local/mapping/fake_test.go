package mapping

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

const testARN = "arn:aws:dynamodb:local:000000000000:table/T/stream/1"

// testTime is when every test record is written.
var testTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// fakeStream is a stream in memory. Sequence numbers are global and grow;
// iterators name a shard and the place of the next record.
type fakeStream struct {
	mu     sync.Mutex
	order  []string
	shards map[string]*fakeShard
	next   int
	// age tells iterators apart: those of an earlier age have expired.
	age int
	// fail makes every call fail.
	fail bool
	// described counts the calls of DescribeStream.
	described int
}

type fakeShard struct {
	parent  string
	records []types.Record
	ended   bool
	// trimmed is how many records at the start are gone.
	trimmed int
}

func newFakeStream() *fakeStream {
	s := &fakeStream{shards: map[string]*fakeShard{}}
	s.open("shard-1", "")
	return s
}

func (s *fakeStream) open(id, parent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order = append(s.order, id)
	s.shards[id] = &fakeShard{parent: parent}
}

// write appends a record of an item and returns its sequence number.
func (s *fakeStream) write(shard, event, key string) string {
	return s.writeItem(shard, event, key, "1")
}

// writeItem appends a record of one of the items of a partition key.
func (s *fakeStream) writeItem(shard, event, key, sort string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	seq := fmt.Sprintf("%021d", s.next*100)
	s.shards[shard].records = append(s.shards[shard].records, types.Record{
		EventID: aws.String("e" + seq), EventName: types.OperationType(event), EventVersion: aws.String("1.1"),
		EventSource: aws.String("aws:dynamodb"), AwsRegion: aws.String("local"),
		Dynamodb: &types.StreamRecord{
			ApproximateCreationDateTime: aws.Time(testTime),
			Keys: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: key},
				"sk": &types.AttributeValueMemberN{Value: sort},
			},
			SequenceNumber: aws.String(seq), SizeBytes: aws.Int64(10), StreamViewType: types.StreamViewTypeNewImage,
		},
	})
	return seq
}

func (s *fakeStream) DescribeStream(_ context.Context, in *dynamodbstreams.DescribeStreamInput, _ ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.described++
	if s.fail {
		return nil, errors.New("the engine is down")
	}
	from := 0
	if in.ExclusiveStartShardId != nil {
		from = slices.Index(s.order, *in.ExclusiveStartShardId) + 1
	}
	d := &types.StreamDescription{StreamArn: in.StreamArn}
	// One shard a page, so that every test pages.
	for _, id := range s.order[from:min(from+1, len(s.order))] {
		shard := types.Shard{ShardId: aws.String(id)}
		if p := s.shards[id].parent; p != "" {
			shard.ParentShardId = aws.String(p)
		}
		d.Shards = append(d.Shards, shard)
		if from+1 < len(s.order) {
			d.LastEvaluatedShardId = aws.String(id)
		}
	}
	return &dynamodbstreams.DescribeStreamOutput{StreamDescription: d}, nil
}

func (s *fakeStream) GetShardIterator(_ context.Context, in *dynamodbstreams.GetShardIteratorInput, _ ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shard := s.shards[*in.ShardId]
	place := shard.trimmed
	if in.ShardIteratorType == types.ShardIteratorTypeAfterSequenceNumber {
		place = 0
		for place < len(shard.records) && *shard.records[place].Dynamodb.SequenceNumber <= *in.SequenceNumber {
			place++
		}
		if place < shard.trimmed {
			return nil, &types.TrimmedDataAccessException{}
		}
	}
	return &dynamodbstreams.GetShardIteratorOutput{ShardIterator: s.iterator(*in.ShardId, place)}, nil
}

func (s *fakeStream) iterator(shard string, place int) *string {
	return aws.String(fmt.Sprintf("%s/%d/%d", shard, place, s.age))
}

func (s *fakeStream) GetRecords(_ context.Context, in *dynamodbstreams.GetRecordsInput, _ ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail {
		return nil, errors.New("the engine is down")
	}
	part := strings.Split(*in.ShardIterator, "/")
	if part[2] != strconv.Itoa(s.age) {
		return nil, &types.ExpiredIteratorException{}
	}
	id := part[0]
	place, _ := strconv.Atoi(part[1])
	shard := s.shards[id]
	end := min(place+int(*in.Limit), len(shard.records))
	out := &dynamodbstreams.GetRecordsOutput{Records: slices.Clone(shard.records[place:end])}
	if !shard.ended || end < len(shard.records) {
		out.NextShardIterator = s.iterator(id, end)
	}
	return out, nil
}

// fakeFunction handles each record on its own: it fails the ones it is told
// to and reports them.
type fakeFunction struct {
	mu sync.Mutex
	// seen are the sequence numbers of each invocation; handled those that did
	// not fail, in order.
	seen    [][]string
	handled []string
	// fails decides whether a record fails; nil is never.
	fails func(seq string) bool
	// crash decides whether an invocation fails as a whole; nil is never.
	crash func(seqs []string) error
	// answer, when set, is the response whatever happened.
	answer string
}

func (f *fakeFunction) Invoke(_ context.Context, payload []byte) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seqs := sequences(payload)
	f.seen = append(f.seen, seqs)
	if f.crash != nil {
		if err := f.crash(seqs); err != nil {
			return nil, err
		}
	}
	failures := []map[string]string{}
	for _, seq := range seqs {
		if f.fails != nil && f.fails(seq) {
			failures = append(failures, map[string]string{"itemIdentifier": seq})
			continue
		}
		f.handled = append(f.handled, seq)
	}
	if f.answer != "" {
		return []byte(f.answer), nil
	}
	return encode(map[string]any{"batchItemFailures": failures}), nil
}

func sequences(payload []byte) []string {
	var event struct {
		Records []struct {
			Dynamodb struct{ SequenceNumber string } `json:"dynamodb"`
		}
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		panic(err)
	}
	seqs := make([]string, len(event.Records))
	for i, r := range event.Records {
		seqs[i] = r.Dynamodb.SequenceNumber
	}
	return seqs
}

// harness is a mapping over the fakes; change it before start.
type harness struct {
	t        *testing.T
	stream   *fakeStream
	function *fakeFunction
	failures *MemoryFailures
	config   Config
	mapping  *Mapping
	stop     func()
}

func newHarness(t *testing.T) *harness {
	h := &harness{t: t, stream: newFakeStream(), function: &fakeFunction{}, failures: &MemoryFailures{}}
	h.config = Config{
		StreamARN: testARN, Stream: h.stream, Function: h.function, FunctionARN: "arn:f",
		Settings:  Settings{BatchSize: 3, ReportBatchItemFailures: true, MaximumRetryAttempts: 2},
		Failures:  h.failures,
		PollEvery: time.Hour, // only a drain makes it read
		Backoff:   func(int) time.Duration { return 0 },
		Now:       func() time.Time { return testTime },
	}
	h.config.Checkpoints, _ = OpenCheckpoints("", testARN)
	return h
}

// drain starts the mapping if it does not run, and waits until it has handled
// everything.
func (h *harness) drain() {
	h.t.Helper()
	h.start()
	if err := h.mapping.Drain(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) start() {
	if h.mapping != nil {
		return
	}
	h.mapping = New(h.config)
	ctx, cancel := context.WithCancel(h.t.Context())
	done := make(chan struct{})
	go func() {
		h.mapping.Run(ctx)
		close(done)
	}()
	h.stop = func() {
		cancel()
		<-done
		h.mapping = nil
	}
}

// write writes n rows of different keys.
func (h *harness) write(n int) []string {
	seqs := make([]string, n)
	for i := range seqs {
		seqs[i] = h.stream.write("shard-1", "INSERT", "key-"+strconv.Itoa(i))
	}
	return seqs
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}
