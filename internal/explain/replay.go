package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// replay judges the stored observations again, in tick order, and holds what
// comes out against the log of decisions. Where the two differ the log is
// followed, because it is what people were told by.
type replay struct {
	rules *rules
	query Query
	// stored is the incident's row: what decide has folded so far.
	stored incident.State
	log    []incident.Decision
	next   int

	state incident.State
	// others are the states that it may be in as well; see worlds.
	others []incident.State
	// seen is the tick before the one that is judged.
	seen time.Time
	// came are the observations that wait for their turn, batch those whose it is.
	came  incident.Arrivals
	batch []observation.Observation
	fold  *folder
	diffs differences
	// doubted is set while what led to the state is not known for sure, late is the
	// last tick that something came after; doubts are what would be differences then.
	doubted bool
	late    time.Time
	doubts  differences

	episodes map[int]*Episode
	window   Window
	evidence Evidence
	// expired counts decisions whose observations are gone, undecided the
	// observations that nobody has decided on yet.
	expired, undecided int
	// gone counts decisions that have expired, unlogged the actions of stored
	// observations that belong to them.
	gone, unlogged int
	// untold counts messages that have expired, untoldLast is the last of them.
	untold     int
	untoldLast time.Time
}

func newReplay(r *rules, q Query, stored incident.State, log []incident.Decision) *replay {
	return &replay{
		rules: r, query: q, stored: stored, log: log, state: incident.State{Key: stored.Key},
		fold: newFolder(), episodes: map[int]*Episode{}, window: Window{Episode: q.Episode, From: q.From, To: q.To},
	}
}

// observe takes the stored observations one by one.
func (r *replay) observe(ctx context.Context, o observation.Observation) error {
	if r.window.Stored == 0 {
		r.window.First = o.Tick
	}
	r.window.Stored++
	r.window.Last = o.Tick
	return r.tick(ctx, r.came.Take(o))
}

// end judges what is left and takes the rest of the log.
func (r *replay) end(ctx context.Context) error {
	for batch := range r.came.Rest() {
		if err := r.tick(ctx, batch); err != nil {
			return err
		}
	}
	return r.followLog(ctx, time.Time{})
}

// late is how long after others of its tick an observation is too late to be folded in
// one batch with them for sure.
const late = 30 * time.Second

// tick judges all observations of one tick, and what came only after some of them, in
// the order in which decide folds them.
func (r *replay) tick(ctx context.Context, batch []observation.Observation) error {
	if len(batch) == 0 {
		return nil
	}
	at := incident.NewestOf(batch)
	r.batch = batch
	if err := r.followLog(ctx, at); err != nil {
		return err
	}
	order, ends, told, err := r.ordered(ctx, batch)
	if err != nil {
		return err
	}
	for r.batch = order; len(r.batch) > 0; r.batch = r.batch[1:] {
		if o := r.batch[0]; !told && (o.Tick.Before(at) || o.ObservedAt.Sub(batch[0].ObservedAt) > late) {
			// Had decide been behind, it would have folded it in the order of ticks.
			r.doubted, r.late = true, at
		}
		if err := r.one(ctx, r.batch); err != nil {
			return err
		}
	}
	r.alsoAt(ends)
	r.seen = at
	return r.followLog(ctx, at.Add(time.Nanosecond))
}

// one judges the first of the observations that are left of a tick. Two that did
// not come together were folded as they came: where the first leads to what the log
// does not have of it, and has of another, that one came before.
func (r *replay) one(ctx context.Context, left []observation.Observation) error {
	if err := r.followSaid(ctx, left[0]); err != nil {
		return err
	}
	j, err := r.judged(ctx, left[0])
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(left, r.decidedOn); i > 0 && j.action != incident.None {
		left[0], left[i] = left[i], left[0]
		if j, err = r.judged(ctx, left[0]); err != nil {
			return err
		}
	}
	r.others, j.others = j.others, nil
	r.doubted = r.doubted || !j.known && j.observation.Verdict != observation.Unknown
	return r.judge(ctx, j)
}

// followSaid takes over what was said before the decision on an observation.
func (r *replay) followSaid(ctx context.Context, o observation.Observation) error {
	from := r.next
	for r.next < len(r.log) && !r.log[r.next].Action.Observed() {
		r.next++
	}
	to, of := r.next, r.decidedOn(o)
	r.next = from
	for of && r.next < to {
		if err := r.follow(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) judged(ctx context.Context, o observation.Observation) (judgement, error) {
	policies, known, err := r.rules.at(ctx, o)
	if err != nil {
		return judgement{}, err
	}
	worlds, err := r.worlds(ctx, o, policies)
	if err != nil {
		return judgement{}, err
	}
	j := r.fitting(worlds, o, policies)
	j.known = known
	return j, nil
}

// differ notes that the log and the replay are not one. Where it is not known by
// which policy, or in which order, the state came about, that says nothing.
func (r *replay) differ(tick time.Time, log, replay string) {
	if r.doubted {
		r.doubts.add(tick, log, replay)
		return
	}
	r.diffs.add(tick, log, replay)
}

// settled forgets doubts with the end of an episode: after it nothing fails by
// anybody's last word, and all streaks are over, by whatever policy.
func (r *replay) settled(d incident.Decision) {
	if d.Action == incident.Resolve && d.Left == 0 && d.Tick.After(r.late) {
		r.doubted = false
	}
}

// wanted is what the log has of an observation.
func (r *replay) wanted(o observation.Observation) incident.Action {
	if r.decidedOn(o) {
		return r.log[r.next].Action
	}
	return incident.None
}

// likeliest judges an observation by the first policy that gives what is wanted at
// its tick; by the first of all when none does.
func (r *replay) likeliest(from incident.State, o observation.Observation, policies []incident.Policy, want incident.Action) judgement {
	var first judgement
	for i, p := range policies {
		after, action, reason := incident.Decide(from, o, p)
		j := judgement{observation: o, state: after, policy: p, action: action, reason: reason, episode: episodeOf(after, action)}
		if action == want {
			return j
		}
		if i == 0 {
			first = j
		}
	}
	return first
}

func (r *replay) judge(ctx context.Context, j judgement) error {
	o, after, action := j.observation, j.state, j.action
	if action == incident.None {
		r.state = after
		r.silent(j)
		return nil
	}
	ok := r.decidedOn(o)
	switch {
	case ok && r.log[r.next].Action == action:
		logged := r.log[r.next]
		r.next++
		if r.next > 1 || r.gone == 0 {
			// Before the first one, what expired is not known.
			r.compare(j, logged)
		}
		after.Episode, after.Sequence = logged.Episode, logged.Sequence
		if logged.Left > 0 {
			return r.part(ctx, j, logged)
		}
		r.state, j.state = after, after
		r.settled(logged)
		r.acted(j, logged)
	case !ok && r.gone > 0 && r.next == 0:
		r.unlogged++
		r.state = after
		r.silent(j)
	case !ok && r.isUndecided(o):
		r.undecided++
	case r.spokenFor(o.Tick):
		// Folded only after somebody had spoken, whose word came with this tick.
		if err := r.follow(ctx); err != nil {
			return err
		}
		return r.judge(ctx, r.again(j))
	default:
		// The log did nothing here, or something else, which follows.
		r.differ(o.Tick, "no "+string(action), fmt.Sprintf("%s, %s, by policy %s", action, j.reason.Code, j.policy.Hash()))
	}
	return nil
}

// part takes a decision that told the end to some only. The state stays as it was,
// but for the number that is used; the observation is judged again by the decision on
// the others, if it was on the same.
func (r *replay) part(ctx context.Context, j judgement, d incident.Decision) error {
	r.acted(j, d)
	if !r.decidedOn(j.observation) {
		r.state = adopt(r.state, d)
		return nil
	}
	if r.log[r.next].Sequence > d.Sequence {
		// A worker was lost in between.
		r.state = adopt(r.state, d)
	}
	return r.judge(ctx, r.again(j))
}

// decidedOn reports whether the next decision of the log was made on an observation.
func (r *replay) decidedOn(o observation.Observation) bool {
	if r.next == len(r.log) {
		return false
	}
	d := r.log[r.next]
	return d.Tick.Equal(o.Tick) && d.Source == o.Source && d.Action.Observed() && incident.ParseReason(d.Reason).Code != incident.Lapsed
}

// spokenFor reports whether the next decision of the log was made at the tick
// and not by an observation.
func (r *replay) spokenFor(tick time.Time) bool {
	return r.next < len(r.log) && r.log[r.next].Tick.Equal(tick) && !r.log[r.next].Action.Observed()
}

func (r *replay) again(j judgement) judgement {
	j.state, j.action, j.reason = incident.Decide(r.state, j.observation, j.policy)
	j.episode = episodeOf(j.state, j.action)
	return j
}

func (r *replay) compare(j judgement, d incident.Decision) {
	got := fmt.Sprintf("%s %d.%d, %s", j.action, j.state.Episode, j.state.Sequence, j.reason)
	want := fmt.Sprintf("%s %d.%d, %s", d.Action, d.Episode, d.Sequence, d.Reason)
	if got != want {
		r.differ(d.Tick, want, got)
	}
}

// isUndecided reports whether an observation is newer than what decide has
// folded of its source: it is on its way.
func (r *replay) isUndecided(o observation.Observation) bool {
	v, ok := r.stored.Sources[o.Source]
	if ok {
		return o.Tick.After(v.Tick)
	}
	return o.Tick.After(r.stored.LastFailing) && o.Tick.After(r.stored.LastHealthy)
}

// followLog takes over decisions that no stored observation accounts for: of
// ticks before the given one, or all that are left. Those from before the first
// observation have outlived their evidence; a lapse is made by silence, which is
// not stored, and a person and the end of a silence speak for themselves.
func (r *replay) followLog(ctx context.Context, before time.Time) error {
	for r.next < len(r.log) {
		d := r.log[r.next]
		if !before.IsZero() && !d.Tick.Before(before) {
			return nil
		}
		if d.Action.Observed() && (r.came.Holds(d.Source, d.Tick) || slices.ContainsFunc(r.batch, r.decidedOn)) {
			return nil
		}
		if err := r.follow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// follow takes over the next decision of the log.
func (r *replay) follow(ctx context.Context) error {
	d := r.log[r.next]
	var p incident.Policy
	if d.PolicyHash != "" || d.Action.Observed() {
		var err error
		if p, err = r.rules.of(ctx, d.Source, d.PolicyHash); err != nil {
			return err
		}
	}
	reason := incident.ParseReason(d.Reason)
	switch {
	case r.window.Stored == 0 || d.Tick.Before(r.window.First):
		r.expired++
	case r.gone > 0 && r.next == 0:
		// What led up to it is not known.
	case d.Action.Observed() && reason.Code != incident.Lapsed:
		r.differ(d.Tick, fmt.Sprintf("%s %d.%d, %s", d.Action, d.Episode, d.Sequence, d.Reason), "no "+string(d.Action))
	}
	r.next++
	r.state = adopt(r.state, d)
	r.adoptOthers(d)
	r.settled(d)
	r.acted(judgement{
		observation: observation.Observation{Tick: d.Tick, Source: d.Source, Verdict: observation.Unknown},
		state:       r.state, policy: p, action: d.Action, reason: reason, episode: d.Episode,
	}, d)
	return nil
}
