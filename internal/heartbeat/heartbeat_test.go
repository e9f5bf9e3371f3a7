package heartbeat

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/observation"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// left holds the traces of a stack's parts.
type left struct {
	runs  map[string][]observation.Run
	beats map[string]observation.Beat
	due   []delivery.Due
	usage []delivery.Usage
	depth int
	err   error
	// unkept is the error of writing a beat.
	unkept error
}

func (l *left) Runs(_ context.Context, source string, limit int) ([]observation.Run, error) {
	return l.runs[source][:min(limit, len(l.runs[source]))], l.err
}
func (l *left) Beats(context.Context) (map[string]observation.Beat, error) { return l.beats, nil }
func (l *left) PutBeat(_ context.Context, b observation.Beat) error {
	if l.beats == nil {
		l.beats = map[string]observation.Beat{}
	}
	l.beats[b.Part] = b
	return l.unkept
}

func (l *left) Due(context.Context, time.Time, int) ([]delivery.Due, error) {
	return l.due, nil
}

func (l *left) Usage(context.Context, time.Time, time.Time) ([]delivery.Usage, error) {
	return l.usage, nil
}
func (l *left) Depth(context.Context) (int, error) { return l.depth, nil }

func run(ago time.Duration, state observation.RunState, written int) observation.Run {
	return observation.Run{Tick: noon.Add(-ago), State: state, Written: written}
}

func beat(part string, tick, at time.Duration) observation.Beat {
	return observation.Beat{Part: part, Tick: noon.Add(-tick), At: noon.Add(-at)}
}

// well is a healthy stack whose newest finished tick is a minute old; the one at noon is
// still being polled.
func well() *left {
	return &left{
		runs: map[string][]observation.Run{"sentry": {
			run(0, observation.RunRunning, 0), run(time.Minute, observation.RunOK, 3), run(2*time.Minute, observation.RunOK, 3),
		}},
		beats: map[string]observation.Beat{
			observation.BeatDecide:  beat(observation.BeatDecide, time.Minute, 57*time.Second),
			observation.BeatTold:    beat(observation.BeatTold, 2*time.Minute, 118*time.Second),
			observation.BeatDeliver: beat(observation.BeatDeliver, 117*time.Second, 117*time.Second),
			observation.BeatSweep:   beat(observation.BeatSweep, time.Minute, time.Minute),
			observation.BeatHeartbeat: {
				Part: observation.BeatHeartbeat, Tick: noon.Add(-time.Minute), Since: noon.Add(-time.Hour), Config: "c1-a",
			},
		},
		due:   []delivery.Due{{Destination: "slack", DueAt: noon.Add(-time.Minute), CreatedAt: noon.Add(-time.Hour)}, {DueAt: noon.Add(time.Hour), CreatedAt: noon}},
		usage: []delivery.Usage{{Dead: 2, Held: 1}, {Dead: 1}},
	}
}

func check(l *left) Report {
	c := Checker{
		Config: &config.Config{Hash: "c1-a", Sources: []config.Source{{ID: "sentry", Interval: time.Minute, UnreachableAfter: 3}}},
		Store:  l, Queue: l, Now: func() time.Time { return noon },
	}
	return c.Check(context.Background(), noon)
}

func TestWhenAllIsWell(t *testing.T) {
	r := check(well())
	if !r.OK() {
		t.Errorf("problems %q", r.Problems)
	}
	if r.PollAge["sentry"] != time.Minute || r.DecideLag != 0 || r.DeliverLag != 0 || r.SweepAge != time.Minute {
		t.Errorf("ages %+v", r)
	}
	if r.Undelivered != 2 || r.OldestUndelivered != time.Hour || r.DeadToday != 3 || r.HeldToday != 1 {
		t.Errorf("messages %+v", r)
	}
}

// Case O2: each stopped part is named. Delays within bounds are not a problem.
func TestCaseO2EachPartThatStopsIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*left)
		want   string
	}{
		"one poll lost": {func(l *left) { l.runs["sentry"] = []observation.Run{run(2*time.Minute, observation.RunOK, 0)} }, ""},
		"polls stop": {func(l *left) {
			l.runs["sentry"] = []observation.Run{run(time.Minute, observation.RunRunning, 0), run(3*time.Minute, observation.RunOK, 0)}
		}, "source sentry was last polled 3m0s ago"},
		"never polled": {func(l *left) { l.runs = nil }, "source sentry has not been polled at all"},
		"a vendor that is out for a moment": {func(l *left) {
			l.runs["sentry"] = []observation.Run{run(time.Minute, observation.RunFailed, 0), run(2*time.Minute, observation.RunPartial, 0), run(3*time.Minute, observation.RunOK, 0)}
		}, ""},
		"a vendor that is out": {func(l *left) {
			l.runs["sentry"] = []observation.Run{run(time.Minute, observation.RunFailed, 0), run(4*time.Minute, observation.RunFailed, 0), run(5*time.Minute, observation.RunOK, 0)}
		}, "source sentry was last read whole 5m0s ago"},
		"a vendor that has long been out": {func(l *left) {
			l.runs["sentry"] = []observation.Run{run(time.Minute, observation.RunFailed, 0), run(5*time.Minute, observation.RunFailed, 0)}
		}, "source sentry has not been read whole for 5m0s or longer"},
		"decide is a tick behind": {func(l *left) { l.beats[observation.BeatDecide] = beat("", 2*time.Minute, 0) }, ""},
		"decide stops":            {func(l *left) { l.beats[observation.BeatDecide] = beat("", 3*time.Minute, 0) }, "decide has not folded observations that were written 2m0s ago"},
		"decide has nothing to do": {func(l *left) {
			delete(l.beats, observation.BeatDecide)
			for i := range l.runs["sentry"] {
				l.runs["sentry"][i].Written = 0
			}
		}, ""},
		"deliver stops":           {func(l *left) { l.beats[observation.BeatDeliver] = beat("", time.Hour, time.Hour) }, "deliver has not seen messages that were written 2m0s ago"},
		"sweep stops":             {func(l *left) { l.beats[observation.BeatSweep] = beat("", 3*time.Minute, 0) }, "sweep last ran 3m0s ago"},
		"sweep never ran":         {func(l *left) { delete(l.beats, observation.BeatSweep) }, "sweep has never run"},
		"a message is left lying": {func(l *left) { l.due[0].DueAt = noon.Add(-3 * time.Minute) }, "a message for slack has been due for 3m0s"},
		"records were given up":   {func(l *left) { l.depth = 2 }, "2 batches of records were given up"},
		"a table cannot be read":  {func(l *left) { l.err = errors.New("throttled") }, "cannot be read: throttled"},
		"a beat cannot be left":   {func(l *left) { l.unkept = errors.New("denied") }, "denied"},
	} {
		t.Run(name, func(t *testing.T) {
			l := well()
			c.change(l)
			r := check(l)
			if c.want == "" && !r.OK() {
				t.Errorf("problems %q, want none", r.Problems)
			}
			if c.want != "" && (len(r.Problems) != 1 || !strings.Contains(r.Problems[0], c.want)) {
				t.Errorf("problems %q, want one with %q", r.Problems, c.want)
			}
		})
	}
}

// A new deployment gets the time to do everything once, and no more: case O2 holds for a
// part that never starts, for any interval, and for checks that each run in a new process.
func TestANewStackIsGivenTimeToStart(t *testing.T) {
	for name, l := range map[string]*left{
		"never deployed before": {},
		"off since yesterday": {
			runs:  map[string][]observation.Run{"sentry": {run(24*time.Hour, observation.RunOK, 3)}},
			beats: map[string]observation.Beat{observation.BeatHeartbeat: {Tick: noon.Add(-24 * time.Hour), Since: noon.Add(-48 * time.Hour), Config: "c1-a"}},
			due:   []delivery.Due{{Destination: "slack", DueAt: noon.Add(-24 * time.Hour)}},
		},
		"deployed anew with a source more": {
			beats: map[string]observation.Beat{
				observation.BeatHeartbeat: {Tick: noon.Add(-time.Minute), Since: noon.Add(-48 * time.Hour), Config: "c1-before"},
				observation.BeatSweep:     beat("", time.Minute, time.Minute),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, interval := range []time.Duration{time.Minute, 24 * time.Hour} {
				fresh := *l
				fresh.beats = maps.Clone(l.beats)
				for minute := range 6 {
					at := noon.Add(time.Duration(minute) * time.Minute)
					c := Checker{
						Config: &config.Config{Hash: "c1-a", Sources: []config.Source{{ID: "sentry", Interval: interval, UnreachableAfter: 3}}},
						Store:  &fresh, Queue: &fresh, Now: func() time.Time { return at },
					}
					r := c.Check(context.Background(), at)
					if young := minute < 3; r.Settling != young || r.OK() != young {
						t.Errorf("every %s, minute %d: settling %v, problems %q", interval, minute, r.Settling, r.Problems)
					}
					if says := strings.Contains(strings.Join(r.Problems, " "), "sentry has not been polled"); l.runs == nil && says != (minute > 2) {
						t.Errorf("every %s, minute %d: never polled is among the problems: %v", interval, minute, says)
					}
				}
			}
		})
	}
}

// Records in the failure queue are a problem even while the stack is settling.
func TestSettlingExcusesNoLoss(t *testing.T) {
	if r := check(&left{depth: 1}); !r.Settling || len(r.Problems) != 1 {
		t.Errorf("%+v", r)
	}
}

// Case O2 under traffic: messages are written and mails sent every minute, so the newest
// is always recent. A part that handles none is still reported, until it has caught up.
func TestCaseO2APartIsMissedUnderTraffic(t *testing.T) {
	for part, before := range map[string]string{observation.BeatDeliver: observation.BeatTold, observation.BeatReceipts: observation.BeatMailed} {
		l := well()
		var ok []bool
		for minute := range 7 {
			at := noon.Add(time.Duration(minute) * time.Minute)
			l.beats[before] = observation.Beat{Part: before, Tick: at, At: at.Add(time.Second)}
			if minute == 0 || minute > 4 {
				l.beats[part] = observation.Beat{Part: part, Tick: at, At: at.Add(2 * time.Second)}
			}
			l.beats[observation.BeatSweep] = observation.Beat{Part: observation.BeatSweep, Tick: at, At: at}
			l.beats[observation.BeatDecide] = observation.Beat{Part: observation.BeatDecide, Tick: at, At: at}
			l.runs["sentry"] = []observation.Run{{Tick: at, State: observation.RunOK}}
			l.due = nil
			c := Checker{
				Config: &config.Config{Hash: "c1-a", Sources: []config.Source{{ID: "sentry", Interval: time.Minute}}},
				Store:  l, Queue: l, Now: func() time.Time { return at },
			}
			r := c.Check(context.Background(), at)
			ok = append(ok, r.OK())
		}
		want := []bool{true, true, true, part == observation.BeatReceipts, false, true, true}
		if !slices.Equal(ok, want) {
			t.Errorf("%s: well %v, want %v", part, ok, want)
		}
	}
}
