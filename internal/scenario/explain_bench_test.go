package scenario_test

import (
	"fmt"
	"runtime/metrics"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/observation"
)

// BenchmarkExplain explains an incident of 100,000 observations on the local engine:
// ten weeks of polls, one a minute. Filling the tables takes a minute or two.
func BenchmarkExplain(b *testing.B) {
	const rows = 100_000
	tables := enginetest.Stack(b)
	client := dynamodb.NewFromConfig(enginetest.Config())
	// The stream is not needed, and the engine slows down as it grows.
	_, err := client.UpdateTable(b.Context(), &dynamodb.UpdateTableInput{
		TableName: &tables.Observations, StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
	})
	if err != nil {
		b.Fatal(err)
	}
	s := dynamo.New(client, tables)
	key := longHistory(b, s, rows)
	peak := watchHeap(b)
	before := processorTime()
	for b.Loop() {
		x := explain.Explainer{Store: s, Config: baseConfig()}
		rep, err := x.Explain(b.Context(), explain.Found{Key: key, By: explain.ByKey}, explain.Query{})
		if err != nil {
			b.Fatal(err)
		}
		if rep.Window.Stored != rows || len(rep.Differences) > 0 {
			b.Fatalf("%d observations, differences %v", rep.Window.Stored, rep.Differences)
		}
	}
	// On a busy machine this says more than the wall clock.
	b.ReportMetric((processorTime()-before).Seconds()/float64(b.N), "own-cpu-s/op")
	b.ReportMetric(peak()/(1<<20), "peak-heap-MB")
}

// processorTime returns the processor time of this process, which excludes the
// engine's.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// longHistory writes an incident that fails from the first tick to the last, with the
// log that decide would have written.
func longHistory(b *testing.B, s *dynamo.Store, rows int) string {
	b.Helper()
	at := func(n int) observation.Observation {
		return observation.Observation{
			IncidentKey: "k1/error/issue=1", Kind: "error", Parts: []observation.Part{{Name: "issue", Value: "1"}},
			Source: "vendor", Tick: noon.Add(time.Duration(n) * time.Minute), Verdict: observation.Failing,
			Status: "unresolved", Owner: "payments", Summary: "TypeError: cannot read properties of undefined",
			Evidence: observation.Evidence{Count: int64(n), Link: "https://vendor.example.com/issues/1", VendorID: "1"},
		}
	}
	policy := incident.DefaultPolicy()
	state := incident.State{Key: at(0).IncidentKey}
	for n := range rows {
		next, action, reason := incident.Decide(state, at(n), policy)
		state = next
		if action == incident.None {
			continue
		}
		state.DecisionSeq++
		d := incident.Decision{
			IncidentKey: state.Key, Seq: state.DecisionSeq, Episode: state.Episode, Sequence: state.Sequence, Action: action,
			Reason: reason.String(), Tick: at(n).Tick, Source: "vendor", PolicyHash: policy.Hash(), DecidedAt: at(n).Tick,
		}
		if err := s.Commit(b.Context(), state, d, nil); err != nil {
			b.Fatal(err)
		}
		state.Version++
	}
	if err := s.Save(b.Context(), state); err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	const writers = 16
	for w := range writers {
		wg.Go(func() {
			for n := w; n < rows; n += writers {
				if _, err := s.PutObservation(b.Context(), at(n), time.Time{}); err != nil {
					b.Error(fmt.Errorf("row %d: %w", n, err))
					return
				}
			}
		})
	}
	wg.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return state.Key
}

// watchHeap samples the heap until its result is called, which returns the largest
// sample.
func watchHeap(b *testing.B) func() float64 {
	b.Helper()
	stop, result := make(chan struct{}), make(chan float64)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		peak := 0.0
		for {
			select {
			case <-ticker.C:
				metrics.Read(sample)
				peak = max(peak, float64(sample[0].Value.Uint64()))
			case <-stop:
				result <- peak
				return
			}
		}
	}()
	return func() float64 {
		close(stop)
		return <-result
	}
}
