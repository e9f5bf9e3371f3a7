package mapping

import "time"

// Settings are the properties of an event source mapping, named as in
// AWS::Lambda::EventSourceMapping.
type Settings struct {
	// BatchSize is the most records of one invocation; zero is 100, the default for
	// DynamoDB streams.
	BatchSize int
	// ParallelizationFactor is how many batches may be handled at once. If there are
	// several, only records of one item, by its whole key, stay in one batch and in
	// order. Zero is 1, which keeps a whole shard in order.
	ParallelizationFactor int
	// Filter selects the records that the function receives.
	Filter Filter
	// ReportBatchItemFailures makes the function's answer count: it names the failed
	// records.
	ReportBatchItemFailures bool
	// BisectBatchOnFunctionError halves a batch on which the function failed as a
	// whole, so that a poison record ends up alone.
	BisectBatchOnFunctionError bool
	// MaximumRetryAttempts is how often a batch is retried before it is given up;
	// less than zero is forever.
	MaximumRetryAttempts int
	// MaximumRecordAge is the age from which a record is given up; zero or
	// less is never.
	MaximumRecordAge time.Duration
}

func (s Settings) batchSize() int {
	if s.BatchSize > 0 {
		return s.BatchSize
	}
	return 100
}

// pageSize returns how many records are read at once: a batch for every lane, but no
// more than GetRecords returns.
func (s Settings) pageSize() int32 {
	return int32(min(s.batchSize()*s.lanes(), 1000))
}

func (s Settings) lanes() int { return max(s.ParallelizationFactor, 1) }
