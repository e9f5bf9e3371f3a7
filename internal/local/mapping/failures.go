package mapping

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

// The conditions under which records are given up, in AWS's words.
const (
	retriesExhausted  = "RetryAttemptsExhausted"
	recordAgeExceeded = "RecordAgeExceeded"
)

// Failure is a message to a failure destination: it says where the records are, not
// what they hold. Its form is that of Lambda's message for a stream's on-failure
// destination.
type Failure struct {
	RequestContext struct {
		FunctionARN            string `json:"functionArn"`
		Condition              string `json:"condition"`
		ApproximateInvokeCount int    `json:"approximateInvokeCount"`
	} `json:"requestContext"`
	Version   string    `json:"version"`
	Timestamp time.Time `json:"timestamp"`
	Batch     BatchInfo `json:"DDBStreamBatchInfo"`
}

// BatchInfo identifies the records of a stream that were given up.
type BatchInfo struct {
	ShardID       string    `json:"shardId"`
	StartSequence string    `json:"startSequenceNumber"`
	EndSequence   string    `json:"endSequenceNumber"`
	FirstArrival  time.Time `json:"approximateArrivalOfFirstRecord"`
	LastArrival   time.Time `json:"approximateArrivalOfLastRecord"`
	BatchSize     int       `json:"batchSize"`
	StreamARN     string    `json:"streamArn"`
}

// Failures stores failures. Add must not return before the failure is stored.
type Failures interface {
	Add(ctx context.Context, f Failure) error
}

func (m *Mapping) failure(shard string, records []record, condition string, invocations int) Failure {
	first, last := records[0], records[len(records)-1]
	f := Failure{Version: "1.0", Timestamp: m.Now().UTC(), Batch: BatchInfo{
		ShardID: shard, StreamARN: m.StreamARN, BatchSize: len(records),
		StartSequence: first.sequence(), EndSequence: last.sequence(),
		FirstArrival: first.created().UTC(), LastArrival: last.created().UTC(),
	}}
	f.RequestContext.FunctionARN = m.FunctionARN
	f.RequestContext.Condition = condition
	f.RequestContext.ApproximateInvokeCount = invocations
	return f
}

// MemoryFailures stores failures until the process ends.
type MemoryFailures struct {
	mu  sync.Mutex
	all []Failure
}

// Add stores a failure.
func (q *MemoryFailures) Add(_ context.Context, f Failure) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all = append(q.all, f)
	return nil
}

// All returns the failures, oldest first.
func (q *MemoryFailures) All() []Failure {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]Failure(nil), q.all...)
}

// FileFailures appends each failure to a file as one line of JSON.
type FileFailures struct {
	Path string
	mu   sync.Mutex
}

// Add appends a failure.
func (q *FileFailures) Add(_ context.Context, f Failure) error {
	line, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode a failure: %w", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	file, err := os.OpenFile(q.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the failure file: %w", err)
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		file.Close()
		return fmt.Errorf("append to the failure file: %w", err)
	}
	return file.Close()
}
