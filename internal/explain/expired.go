package explain

import (
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// retention returns how long rows are kept, by the configuration or by default.
func (x *Explainer) retention() config.Retention {
	if x.Config == nil {
		return config.Retention{Decisions: config.DefaultKept, Deliveries: config.DefaultKept}
	}
	return x.Config.Retention
}

// mayHaveExpired reports whether a row written at a time, and kept for a time, may
// have expired.
func (x *Explainer) mayHaveExpired(at time.Time, kept time.Duration) bool {
	return x.Now.IsZero() || kept > 0 && !at.Add(kept).After(x.Now)
}

// dropExpired returns the log without its expired part, and the number of decisions
// that have expired. DynamoDB deletes expired rows in no exact order. A decision that
// is due to expire and stands before a gap is therefore dropped too: the state after
// the gap does not follow from it.
func (x *Explainer) dropExpired(log []incident.Decision) ([]incident.Decision, int) {
	first := 0
	for i := 1; i < len(log); i++ {
		if log[i].Seq != log[i-1].Seq+1 && !x.Now.IsZero() && x.mayHaveExpired(log[i-1].DecidedAt, x.retention().Decisions) {
			first = i
		}
	}
	log = log[first:]
	if len(log) == 0 {
		return log, 0
	}
	return log, int(max(0, log[0].Seq-1))
}

// checkLog adds a difference for decisions that are missing and cannot have expired.
// The incident's row counts all decisions, and was read before the log.
func (r *replay) checkLog() {
	for i := 1; i < len(r.log); i++ {
		if before, d := r.log[i-1], r.log[i]; d.Seq != before.Seq+1 {
			r.differences.add(d.Tick, "no decision of the numbers "+seqRange(before.Seq+1, d.Seq-1), "they came between others that are there")
		}
	}
	last := int64(0)
	tick := r.stored.LastNotified
	if n := len(r.log); n > 0 {
		last, tick = r.log[n-1].Seq, r.log[n-1].Tick
	}
	switch {
	case r.stored.DecisionSeq <= last:
	case last == 0 && !r.stored.Open:
		r.expiredDecisions = int(r.stored.DecisionSeq)
	default:
		r.differences.add(tick, "no decision of the numbers "+seqRange(last+1, r.stored.DecisionSeq), "the incident's row counts them")
	}
}

func seqRange(from, to int64) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// nothingLogged reports whether the decisions on everything shown have expired.
func (r *replay) nothingLogged() bool {
	if r.expiredDecisions == 0 || len(r.log) == 0 {
		return r.expiredDecisions > 0
	}
	first, q := r.log[0], r.query
	return q.Episode > 0 && q.Episode < first.Episode || !q.To.IsZero() && q.To.Before(first.Tick)
}

// expiredText says which decisions have expired.
func (r *replay) expiredText() string {
	text := fmt.Sprintf("%s of this incident's key have expired", count(r.expiredDecisions, "decision"))
	if len(r.log) > 0 {
		text = fmt.Sprintf("%s from before %s have expired", count(r.expiredDecisions, "decision"), stamp(r.log[0].Tick))
	}
	if r.unloggedActions > 0 {
		text += fmt.Sprintf("; %s of the stored observations cannot be held against them", count(r.unloggedActions, "action"))
	}
	return text
}

// checkMessages looks for the message of each decision to each of its destinations.
// It counts one that may have expired, and adds a difference for any other that is
// missing.
func (x *Explainer) checkMessages(rep *Report, r *replay) {
	for _, d := range r.log {
		if !r.query.includes(d.Tick, d.Episode) {
			continue
		}
		for _, to := range d.To {
			if slices.ContainsFunc(rep.Deliveries, func(m Delivery) bool {
				return m.Episode == d.Episode && m.Sequence == d.Sequence && m.Destination == to && m.For == ""
			}) {
				continue
			}
			open := r.stored.Open && r.stored.Episode == d.Episode
			if !open && x.mayHaveExpired(d.DecidedAt, x.retention().Deliveries) {
				r.expiredMessages++
				r.lastExpiredMessage = d.Tick
				continue
			}
			r.differences.add(d.Tick, fmt.Sprintf("%s %d.%d was committed with a message to %s", d.Action, d.Episode, d.Sequence, to), "the ledger has none")
		}
	}
}
