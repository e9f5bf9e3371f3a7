package replay

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

func mustRun(t *testing.T, rows trace.Rows, p incident.Policy) *Tally {
	t.Helper()
	r, err := Run(rows, []Candidate{{Policy: p}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Tallies[0]
}

func defaults(change func(*incident.Policy)) incident.Policy {
	p := incident.DefaultPolicy()
	if change != nil {
		change(&p)
	}
	return p
}

func TestTally(t *testing.T) {
	quick := defaults(func(p *incident.Policy) { p.HealthyRequired = 1 })
	patient := defaults(func(p *incident.Policy) { p.FailingRequired = 3 })
	for _, c := range []struct {
		name             string
		policy           incident.Policy
		verdicts, truths string
		want             Tally
	}{
		{
			"clean", defaults(nil),
			"HHFFFFHHHH",
			"HHFFFFHHHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 1},
		},
		{
			"missed for being short", patient,
			"HHFFHHHHHH",
			"HHFFHHHHHH",
			Tally{RealFailures: 1, MissedOpens: 1},
		},
		{
			"missed for lack of evidence, at the end of the trace", defaults(nil),
			"HHUUUU",
			"HHFFFF",
			Tally{RealFailures: 1, MissedOpens: 1},
		},
		{
			"opened late, after the failure had ended", patient,
			"HFFFFHHH",
			"HFFHHHHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 1},
		},
		{
			"opened late, in time's own words", patient,
			"HUUUUUUUFFFFHH",
			"HFFFFFFFFFFFHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 1, LateOpens: 1},
		},
		{
			"five minutes is not yet late", defaults(nil),
			"HUUUUUFFHH",
			"HFFFFFFFHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 1},
		},
		{
			"six minutes are", defaults(nil),
			"HUUUUUUFHH",
			"HFFFFFFFHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 1, LateOpens: 1},
		},
		{
			"a false alarm", quick,
			"HHFHHH",
			"HHHHHH",
			Tally{Opens: 1, Resolves: 1, FalseOpens: 1},
		},
		{
			"resolved too early, then opened again", quick,
			"FFHFFHH",
			"FFFFFHH",
			Tally{Opens: 2, Resolves: 2, RealFailures: 1, DuplicateOpens: 1, PrematureResolves: 1},
		},
		{
			"the incident was open already", defaults(nil),
			"FFHFFHH",
			"FFHFFHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 2},
		},
		{
			"a false alarm that a real failure joins", defaults(nil),
			"FHFFFHH",
			"HHFFFHH",
			Tally{Opens: 1, Resolves: 1, RealFailures: 1, FalseOpens: 1},
		},
		{
			"truth that nobody knows defines nothing", quick,
			"FHFHFH",
			"------",
			Tally{Opens: 3, Resolves: 3},
		},
		{
			"still open at the end", defaults(nil),
			"HHF",
			"HHF",
			Tally{Opens: 1, RealFailures: 1, StillOpen: 1},
		},
		{
			"reminders", defaults(func(p *incident.Policy) { p.Cooldown = 2 * time.Minute }),
			"FFFFF",
			"FFFFF",
			Tally{Opens: 1, Reminders: 2, RealFailures: 1, StillOpen: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := *mustRun(t, line("k", c.verdicts, c.truths), c.policy)
			got.Notices, got.Reasons, got.LongestSilence = nil, nil, 0
			got.TruthToOpen, got.TruthToResolve, got.FailureToOpen, got.HealthToResolve = Durations{}, Durations{}, Durations{}, Durations{}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	p := defaults(func(p *incident.Policy) { p.FailingRequired = 2 })
	// The vendor is two ticks late on both sides, and doubts in between.
	got := mustRun(t, line("k",
		"HHHHFFFUFHFFHUHHH",
		"HHFFFFFFFFHHHHHHH"), p)
	for _, c := range []struct {
		name string
		d    *Durations
		want time.Duration
	}{
		{"from the real failure to the open", &got.TruthToOpen, 3 * time.Minute},
		{"from the first failing verdict to the open", &got.FailureToOpen, time.Minute},
		{"from the end of the failure to the resolve", &got.TruthToResolve, 4 * time.Minute},
		{"from the first healthy verdict to the resolve", &got.HealthToResolve, 2 * time.Minute},
	} {
		if c.d.Count() != 1 || c.d.Mean() != c.want || c.d.Max() != c.want || c.d.Percentile(0.5) != c.want {
			t.Errorf("%s: got %s (%d measured), want %s", c.name, c.d.Mean(), c.d.Count(), c.want)
		}
	}
	if want := 9 * time.Minute; got.LongestSilence != want {
		t.Errorf("longest silence: got %s, want %s", got.LongestSilence, want)
	}
}

// A resolve only measures the failure whose incident it ends.
func TestTruthToResolve(t *testing.T) {
	for _, c := range []struct {
		name             string
		policy           incident.Policy
		verdicts, truths string
		count            int64
		mean             time.Duration
	}{
		{"the open came after the end", defaults(func(p *incident.Policy) { p.FailingRequired = 3 }), "HFFFFHHH", "HFFHHHHH", 1, 3 * time.Minute},
		{"resolved before the end, and a false alarm later", defaults(nil), "FHHHHHFHH", "FFFFHHHHH", 0, 0},
		{"the next failure begins before the resolve", defaults(nil), "FFHFFHH", "FFHFFHH", 1, time.Minute},
	} {
		got := mustRun(t, line("k", c.verdicts, c.truths), c.policy).TruthToResolve
		if got.Count() != c.count || got.Mean() != c.mean {
			t.Errorf("%s: %d measured, mean %s; want %d, %s", c.name, got.Count(), got.Mean(), c.count, c.mean)
		}
	}
}

// outOfOrder gives the rows of a line in another order, by their minutes.
func outOfOrder(rows trace.Rows, minutes ...int) trace.Rows {
	var all []trace.Row
	for row := range rows {
		all = append(all, row)
	}
	return func(yield func(trace.Row, error) bool) {
		for _, m := range minutes {
			if !yield(all[m], nil) {
				return
			}
		}
	}
}

// What comes late or twice moves neither the truth nor the measured times.
func TestLateRowsAreNotBooked(t *testing.T) {
	got := mustRun(t, outOfOrder(line("k", "FHHHHH", "FHHHHH"), 0, 1, 0, 2, 3), defaults(nil))
	if got.RealFailures != 1 || got.HealthToResolve.Mean() != time.Minute || got.Reasons[incident.StaleObservation] != 1 {
		t.Errorf("got %d failures, %s from health to resolve, %v", got.RealFailures, got.HealthToResolve.Mean(), got.Reasons)
	}
}

func TestLongestSilenceToTheEnd(t *testing.T) {
	got := mustRun(t, line("k", strings.Repeat("F", 50), ""), defaults(func(p *incident.Policy) { p.Cooldown = 20 * time.Minute }))
	if want := 20 * time.Minute; got.LongestSilence != want {
		t.Errorf("got %s, want %s", got.LongestSilence, want)
	}
	got = mustRun(t, line("k", strings.Repeat("F", 50), ""), defaults(func(p *incident.Policy) { p.Cooldown = 0 }))
	if want := 49 * time.Minute; got.LongestSilence != want {
		t.Errorf("without reminders: got %s, want %s", got.LongestSilence, want)
	}
}

// The notices are those of the first candidate, in the trace's order, and
// whatever runs beside it changes nothing.
func TestNotices(t *testing.T) {
	p := defaults(nil)
	for _, candidates := range [][]Candidate{
		{{Policy: p}},
		{{Policy: p}, {Policy: defaults(func(p *incident.Policy) { p.FailingRequired = 9 })}, {}},
	} {
		var got []Notice
		if _, err := Run(line("k", "FHHFHHF", ""), candidates, Options{OnNotice: func(n Notice) { got = append(got, n) }}); err != nil {
			t.Fatal(err)
		}
		if want := "open@0 resolve@2 open@3 resolve@5 open@6"; actions(got) != want {
			t.Fatalf("got %s, want %s", actions(got), want)
		}
		want := Notice{Tick: "2026-01-02T12:03:00Z", IncidentKey: "k", Episode: 2, Sequence: 1, Action: incident.Open, Reason: "reopened last_episode=1 last_resolved=2026-01-02T12:02:00Z", Owner: "unowned"}
		if got[2] != want {
			t.Errorf("got %+v, want %+v", got[2], want)
		}
	}
}

// Each observation is judged by the policy of its own source where there are
// several.
func TestPolicyPerObservation(t *testing.T) {
	c := Candidate{For: func(o observation.Observation) incident.Policy {
		if o.IncidentKey == "slow" {
			return defaults(func(p *incident.Policy) { p.FailingRequired = 5 })
		}
		return defaults(nil)
	}}
	for key, want := range map[string]int{"slow": 0, "quick": 1} {
		r, err := Run(line(key, "FFF", ""), []Candidate{c}, Options{})
		if err != nil || r.Tallies[0].Opens != want {
			t.Errorf("%s: %d opens, %v; want %d", key, r.Tallies[0].Opens, err, want)
		}
	}
}

func TestRunStopsAtABadRow(t *testing.T) {
	rows := trace.CSV("bad.csv", strings.NewReader("tick,key,verdict\n2026-01-02T12:00:00Z,k,failing\nx,k,failing\n"))
	if _, err := Run(rows, []Candidate{{}}, Options{}); err == nil || !strings.Contains(err.Error(), "bad.csv:3") {
		t.Errorf("got %v", err)
	}
}

// However many processors there are, the result is the same.
func TestWorkersDoNotMatter(t *testing.T) {
	grid := []Candidate{{Policy: defaults(nil)}}
	for n := range 7 {
		grid = append(grid, Candidate{Policy: defaults(func(p *incident.Policy) { p.FailingRequired = n + 1 })})
	}
	var results []*Result
	for _, workers := range []int{1, 3, 50} {
		r, err := Run(endless(30_000, 11, "HHFFUFHFHHHH"), grid, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	for _, r := range results[1:] {
		if !reflect.DeepEqual(r.Tallies, results[0].Tallies) {
			t.Error("the tallies depend on the number of workers")
		}
	}
}

// A trace twenty times as long needs no more memory.
func TestMemoryDoesNotGrowWithTheTrace(t *testing.T) {
	held := func(rows int) int64 {
		f := newFolder(Candidate{Policy: defaults(nil)}, DefaultLateAfter)
		before := heap()
		batch := make([]trace.Row, 0, batchSize)
		for row := range endless(rows, 10, "HHFFUFHFHHHHFFFFFF") {
			if batch = append(batch, row); len(batch) == batchSize {
				f.fold(batch)
				batch = batch[:0]
			}
		}
		after := heap()
		runtime.KeepAlive(f)
		runtime.KeepAlive(batch)
		return after - before
	}
	short, long := held(20_000), held(400_000)
	if long > short+64*1024 {
		t.Errorf("20,000 rows hold %d bytes, 400,000 rows %d", short, long)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkRunMillion(b *testing.B) {
	for b.Loop() {
		if _, err := Run(endless(1_000_000, 100, "HHHHHHFFFFUFFHFHHHHH"), []Candidate{{Policy: defaults(nil)}}, Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
