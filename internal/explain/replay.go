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
	seen  time.Time
	batch []observation.Observation
	fold  *folder
	diffs differences

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
	if len(r.batch) > 0 && !r.batch[0].Tick.Equal(o.Tick) {
		if err := r.tick(ctx); err != nil {
			return err
		}
	}
	if r.window.Stored == 0 {
		r.window.First = o.Tick
	}
	r.window.Stored++
	r.window.Last = o.Tick
	r.batch = append(r.batch, o)
	return nil
}

// end judges what is left and takes the rest of the log.
func (r *replay) end(ctx context.Context) error {
	if err := r.tick(ctx); err != nil {
		return err
	}
	return r.followLog(ctx, time.Time{})
}

// tick judges all observations of one tick in the order in which decide folds
// them.
func (r *replay) tick(ctx context.Context) error {
	if len(r.batch) == 0 {
		return nil
	}
	at := r.batch[0].Tick
	if err := r.followLog(ctx, at); err != nil {
		return err
	}
	slices.SortStableFunc(r.batch, incident.InOrder)
	for _, o := range r.batch {
		policies, err := r.rules.at(ctx, o.Source, o.Tick)
		if err != nil {
			return err
		}
		if err := r.judge(ctx, r.fitting(o, policies)); err != nil {
			return err
		}
	}
	r.batch, r.seen = r.batch[:0], at
	return r.followLog(ctx, at.Add(time.Nanosecond))
}

// wanted is what the log has at a tick, by an observation.
func (r *replay) wanted(tick time.Time) incident.Action {
	if d, ok := r.logged(tick); ok {
		return d.Action
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
	logged, ok := r.logged(o.Tick)
	switch {
	case ok && logged.Action == action:
		r.next++
		if r.next > 1 || r.gone == 0 {
			// Before the first one, what expired is not known.
			r.compare(j, logged)
		}
		after.Episode, after.Sequence = logged.Episode, logged.Sequence
		r.state, j.state = after, after
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
		r.diffs.add(o.Tick, "no "+string(action), fmt.Sprintf("%s, %s, by policy %s", action, j.reason.Code, j.policy.Hash()))
	}
	return nil
}

// logged is the next decision of the log if it was made at the tick, by an
// observation.
func (r *replay) logged(tick time.Time) (incident.Decision, bool) {
	if r.next < len(r.log) && r.log[r.next].Tick.Equal(tick) && r.log[r.next].Action.Observed() {
		return r.log[r.next], true
	}
	return incident.Decision{}, false
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
		r.diffs.add(d.Tick, want, got)
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
		if d := r.log[r.next]; !before.IsZero() && !d.Tick.Before(before) {
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
		r.diffs.add(d.Tick, fmt.Sprintf("%s %d.%d, %s", d.Action, d.Episode, d.Sequence, d.Reason), "no "+string(d.Action))
	}
	r.next++
	r.state = adopt(r.state, d)
	r.adoptOthers(d)
	r.acted(judgement{
		observation: observation.Observation{Tick: d.Tick, Source: d.Source, Verdict: observation.Unknown},
		state:       r.state, policy: p, action: d.Action, reason: reason, episode: d.Episode,
	}, d)
	return nil
}
