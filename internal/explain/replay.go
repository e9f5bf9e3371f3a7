package explain

import (
	"context"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// replay decides again on the stored observations of one incident and compares the
// result with the log of decisions. Where they differ it continues from the log,
// because the log is what people were told.
type replay struct {
	policies *policyFinder
	query    Query
	// stored is the incident's row: what decide has folded so far.
	stored incident.State
	log    []incident.Decision
	// next is the index in log of the first decision that is not reached yet.
	next int

	state incident.State
	// alternatives are other states that fit everything so far; see possibleStates.
	alternatives []incident.State
	// lastTick is the tick of the batch before the current one.
	lastTick time.Time
	arrivals incident.Arrivals
	// batch is what is left of the current batch.
	batch    []observation.Observation
	timeline *timelineBuilder

	differences differences
	// doubted is set while the state rests on a policy or an order that is not known
	// for certain; doubts then takes what would be differences. doubtedUntil is the
	// last tick of which the order is not certain.
	doubted      bool
	doubtedUntil time.Time
	doubts       differences

	episodes map[int]*Episode
	window   Window
	evidence Evidence
	// withoutEvidence counts decisions whose observations have expired, undecided
	// the observations that decide has not folded yet.
	withoutEvidence, undecided int
	// expiredDecisions counts decisions that have expired, unloggedActions the
	// actions of stored observations whose decisions are among them.
	expiredDecisions, unloggedActions int
	// expiredMessages counts messages that have expired; lastExpiredMessage is the
	// tick of the last one.
	expiredMessages    int
	lastExpiredMessage time.Time
}

func newReplay(policies *policyFinder, q Query, stored incident.State, log []incident.Decision) *replay {
	return &replay{
		policies: policies, query: q, stored: stored, log: log, state: incident.State{Key: stored.Key},
		timeline: newTimelineBuilder(), episodes: map[int]*Episode{}, window: Window{Episode: q.Episode, From: q.From, To: q.To},
	}
}

// observe takes the next stored observation, in order of ticks.
func (r *replay) observe(ctx context.Context, o observation.Observation) error {
	if r.window.Stored == 0 {
		r.window.First = o.Tick
	}
	r.window.Stored++
	r.window.Last = o.Tick
	return r.replayBatch(ctx, r.arrivals.Take(o))
}

// end replays the remaining observations and follows the rest of the log.
func (r *replay) end(ctx context.Context) error {
	for batch := range r.arrivals.Rest() {
		if err := r.replayBatch(ctx, batch); err != nil {
			return err
		}
	}
	return r.followLog(ctx, time.Time{})
}

// doubtfulAfter is how long after the first observation of a batch another one is
// written if it is no longer certain that decide folded them together.
const doubtfulAfter = 30 * time.Second

// replayBatch replays a batch of Arrivals, in the order in which decide folded it.
func (r *replay) replayBatch(ctx context.Context, batch []observation.Observation) error {
	if len(batch) == 0 {
		return nil
	}
	tick := incident.NewestTick(batch)
	r.batch = batch
	if err := r.followLog(ctx, tick); err != nil {
		return err
	}
	order, ends, certain, err := r.foldingOrder(ctx, batch)
	if err != nil {
		return err
	}
	for r.batch = order; len(r.batch) > 0; r.batch = r.batch[1:] {
		if o := r.batch[0]; !certain && (o.Tick.Before(tick) || o.ObservedAt.Sub(batch[0].ObservedAt) > doubtfulAfter) {
			// If decide was behind, it folded this one in the order of ticks.
			r.doubted, r.doubtedUntil = true, tick
		}
		if err := r.replayFirst(ctx, r.batch); err != nil {
			return err
		}
	}
	r.addAlternatives(ends)
	r.lastTick = tick
	return r.followLog(ctx, tick.Add(time.Nanosecond))
}

// replayFirst replays the first observation that is left of a batch. If it leads to
// an action, and the next decision of the log is on another observation of the
// batch, decide folded that one first: the two change places.
func (r *replay) replayFirst(ctx context.Context, left []observation.Observation) error {
	if err := r.followUnobserved(ctx, left[0]); err != nil {
		return err
	}
	j, err := r.judge(ctx, left[0])
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(left, r.decidedOn); i > 0 && j.action != incident.None {
		left[0], left[i] = left[i], left[0]
		if j, err = r.judge(ctx, left[0]); err != nil {
			return err
		}
	}
	r.alternatives, j.alternatives = j.alternatives, nil
	r.doubted = r.doubted || !j.policyKnown && j.observation.Verdict != observation.Unknown
	return r.reconcile(ctx, j)
}

// judge decides on an observation by the policies that may have been in force, from
// the states that are possible.
func (r *replay) judge(ctx context.Context, o observation.Observation) (judgement, error) {
	policies, known, err := r.policies.policiesFor(ctx, o)
	if err != nil {
		return judgement{}, err
	}
	states, err := r.possibleStates(ctx, o, policies)
	if err != nil {
		return judgement{}, err
	}
	j := r.judgeFrom(states, o, policies)
	j.policyKnown = known
	return j, nil
}

// addDifference records that the log and the replay disagree. While the state is
// doubted this is no evidence that the log is wrong, and counts as a doubt.
func (r *replay) addDifference(tick time.Time, log, replay string) {
	if r.doubted {
		r.doubts.add(tick, log, replay)
		return
	}
	r.differences.add(tick, log, replay)
}

// clearDoubts ends the doubts when an episode is resolved: every streak is over
// then, and no source's last verdict is failing, whatever the policy.
func (r *replay) clearDoubts(d incident.Decision) {
	if d.Action == incident.Resolve && d.Left == 0 && d.Tick.After(r.doubtedUntil) {
		r.doubted = false
	}
}
