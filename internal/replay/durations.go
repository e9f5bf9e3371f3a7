package replay

import (
	"encoding/json"
	"math/bits"
	"slices"
	"time"
)

// Durations summarises measured times, in whole seconds, in bounded memory: means and
// the maximum are exact, percentiles within 2 %. The zero value is empty.
type Durations struct {
	count   int64
	sum     int64
	max     int64
	buckets map[int]bucket
}

// bucket counts times of nearly the same length; top is the longest of them.
type bucket struct{ count, top int64 }

func (d *Durations) add(v time.Duration) {
	sec := max(0, int64(v/time.Second))
	if d.buckets == nil {
		d.buckets = make(map[int]bucket)
	}
	d.count++
	d.sum += sec
	d.max = max(d.max, sec)
	b := d.buckets[bucketOf(sec)]
	b.count++
	b.top = max(b.top, sec)
	d.buckets[bucketOf(sec)] = b
}

// bucketOf splits every power of two into 64 parts.
func bucketOf(sec int64) int {
	if sec < 64 {
		return int(sec)
	}
	shift := bits.Len64(uint64(sec)) - 7
	return 64*(shift+1) + int(sec>>shift) - 64
}

// Count returns how many times were measured.
func (d *Durations) Count() int64 { return d.count }

// Mean returns the mean, zero if nothing was measured.
func (d *Durations) Mean() time.Duration {
	if d.count == 0 {
		return 0
	}
	return time.Duration(d.sum) * time.Second / time.Duration(d.count)
}

// Max returns the longest time.
func (d *Durations) Max() time.Duration { return time.Duration(d.max) * time.Second }

// Percentile returns the time that the given share (0 to 1) of all times do not
// exceed.
func (d *Durations) Percentile(share float64) time.Duration {
	indices := make([]int, 0, len(d.buckets))
	for i := range d.buckets {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	left := int64(share*float64(d.count) + 0.999999)
	for _, i := range indices {
		b := d.buckets[i]
		if left -= b.count; left <= 0 {
			return time.Duration(b.top) * time.Second
		}
	}
	return d.Max()
}

// MarshalJSON writes the summary in seconds, or null if nothing was measured.
func (d Durations) MarshalJSON() ([]byte, error) {
	if d.count == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(struct {
		Count int64   `json:"count"`
		Mean  float64 `json:"mean_s"`
		P50   float64 `json:"p50_s"`
		P95   float64 `json:"p95_s"`
		Max   float64 `json:"max_s"`
	}{d.count, d.Mean().Seconds(), d.Percentile(0.5).Seconds(), d.Percentile(0.95).Seconds(), d.Max().Seconds()})
}
