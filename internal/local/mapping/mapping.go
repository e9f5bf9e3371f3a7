package mapping

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// Stream is the part of *dynamodbstreams.Client that a mapping calls.
type Stream interface {
	DescribeStream(context.Context, *dynamodbstreams.DescribeStreamInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error)
	GetShardIterator(context.Context, *dynamodbstreams.GetShardIteratorInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error)
	GetRecords(context.Context, *dynamodbstreams.GetRecordsInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error)
}

// Function receives the records. An error means that it failed as a whole; the
// response is a batch item failure report.
type Function interface {
	Invoke(ctx context.Context, payload []byte) (response []byte, err error)
}

// Config is one mapping from a stream to a function.
type Config struct {
	StreamARN string
	Stream    Stream

	Function    Function
	FunctionARN string
	Settings    Settings

	Checkpoints *Checkpoints
	Failures    Failures

	// PollEvery is the pause after a read without records; zero is 250 ms, AWS's own
	// pace. ShardsEvery is how often the list of shards is read again; zero is ten
	// seconds.
	PollEvery   time.Duration
	ShardsEvery time.Duration
	// Backoff is the pause after a number of failures in a row, from 1.
	Backoff func(failures int) time.Duration
	// Now is the clock for record ages; nil is the machine's.
	Now func() time.Time
	// Problem is called with what went wrong while reading or invoking, each time it
	// changes; the mapping recovers on its own. May be nil.
	Problem func(error)
}

// Mapping invokes a function with what is written to a stream.
type Mapping struct {
	Config
	shards    shardList
	iterators map[string]string

	mu      sync.Mutex
	handled int64
	drains  drains
}

// New returns a mapping that has not started yet.
func New(c Config) *Mapping {
	if c.PollEvery <= 0 {
		c.PollEvery = 250 * time.Millisecond
	}
	if c.ShardsEvery <= 0 {
		c.ShardsEvery = 10 * time.Second
	}
	if c.Backoff == nil {
		c.Backoff = defaultBackoff
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Problem == nil {
		c.Problem = func(error) {}
	}
	return &Mapping{Config: c, iterators: map[string]string{}, drains: newDrains()}
}

// defaultBackoff doubles from 100 ms and stays at ten seconds.
func defaultBackoff(failures int) time.Duration {
	return min(100*time.Millisecond<<min(failures-1, 10), 10*time.Second)
}

// Run handles records until the context ends. It then waits for invocations in
// progress and counts them, and starts no new ones. Run may be called once.
func (m *Mapping) Run(ctx context.Context) {
	defer m.drains.end()
	var last string
	for ctx.Err() == nil {
		wanted := m.drains.wanted()
		found, err := m.pass(ctx, wanted)
		if err != nil && ctx.Err() == nil && err.Error() != last {
			last = err.Error()
			m.Problem(err)
		}
		if err == nil {
			last = ""
		}
		if err != nil || !found {
			if err == nil {
				m.drains.reached(wanted)
			}
			m.pause(ctx)
		}
	}
}

// Drain returns when everything that was written to the stream before the call has
// been handled or given up. It returns early with an error if the context or the
// mapping ends.
//
// An empty read counts as the end of a shard, which is true of the local engine; AWS
// may return an empty page before the end.
func (m *Mapping) Drain(ctx context.Context) error { return m.drains.wait(ctx) }

// Handled returns how many records have been handled or given up since New, not
// counting those that the filter dropped.
func (m *Mapping) Handled() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.handled
}

func (m *Mapping) count(records int) {
	m.mu.Lock()
	m.handled += int64(records)
	m.mu.Unlock()
}

// pause waits for the next poll, or for a call of Drain.
func (m *Mapping) pause(ctx context.Context) {
	timer := time.NewTimer(m.PollEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.drains.wake:
	case <-ctx.Done():
	}
}
