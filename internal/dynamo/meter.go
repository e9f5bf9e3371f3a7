package dynamo

import (
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Meter adds up the cost of reads. Its zero value is ready; it is safe for concurrent
// use.
type Meter struct {
	mu       sync.Mutex
	requests int
	units    float64
}

// CountReads makes m count every query, scan and read of one row.
func CountReads(m *Meter) Option { return func(s *Store) { s.meter = m } }

// Sum returns the number of requests so far, and the read units that DynamoDB charges
// for them.
func (m *Meter) Sum() (requests int, units float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests, m.units
}

// capacity returns the setting of a request that makes its answer include its cost.
func (m *Meter) capacity() types.ReturnConsumedCapacity {
	if m == nil {
		return ""
	}
	return types.ReturnConsumedCapacityTotal
}

func (m *Meter) add(c *types.ConsumedCapacity) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	if c != nil && c.CapacityUnits != nil {
		m.units += *c.CapacityUnits
	}
}
