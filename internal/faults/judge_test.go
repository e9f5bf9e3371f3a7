package faults_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// verdict collects what must not be.
type verdict struct {
	w     *world
	rows  []delivery.Delivery
	byID  map[string]delivery.Delivery
	wrong []string
}

func (v *verdict) complain(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

// judge compares what the services hold with what was decided, and lists what
// must not be.
func (w *world) judge() []string {
	v := &verdict{w: w, byID: map[string]delivery.Delivery{}}
	err := w.store.store.Deliveries(context.Background(), func(d delivery.Delivery) error {
		v.rows = append(v.rows, d)
		v.byID[d.ID] = d
		return nil
	})
	if err != nil {
		v.complain("%v", err)
	}
	for _, d := range v.rows {
		v.silent(d)
		v.row(d)
		v.order(d)
		v.looked(d)
		if d.For == "" && d.Action != delivery.Digest {
			v.lost(d)
		}
	}
	v.decided()
	v.found()
	v.watched()
	v.counters()
	v.attempts()
	v.wrong = append(v.wrong, w.foul...)
	return v.wrong
}

func name(d delivery.Delivery) string {
	return fmt.Sprintf("%s %s %d/%d to %s (for %q), %s (%s)", d.IncidentKey, d.Action, d.Episode, d.Sequence, d.Destination, d.For, d.State, d.Note)
}

// row judges one item by its own service.
func (v *verdict) row(d delivery.Delivery) {
	r := v.w.receivers[d.Destination]
	shown, unmarked := r.times(d.ID)
	if !d.State.Final() {
		v.complain("%s: not final", name(d))
	}
	switch {
	case d.State == delivery.Delivered && shown == 0 && !d.Receipt.Fate.Bad():
		v.complain("%s: never arrived", name(d))
	case d.State == delivery.Held && d.Action != incident.Remind && doubts(d) < 2:
		v.complain("%s: held at its first doubt", name(d))
	case d.State == delivery.Dead && !refusedForGood(d):
		v.complain("%s: dead without a refusal", name(d))
	}
	if r.honours && shown > 1 {
		v.complain("%s: shown %d times in spite of its key", name(d), shown)
	}
	if unmarked > 1 {
		v.complain("%s: arrived %d times without a word that it may be a repeat", name(d), unmarked)
	}
}

// doubts are the sends of an item that were answered by nothing.
func doubts(d delivery.Delivery) int {
	n := 0
	for _, a := range d.Attempts {
		if a.Class == delivery.Ambiguous && a.Code != "worker_lost" {
			n++
		}
	}
	return n
}

func refusedForGood(d delivery.Delivery) bool {
	n := len(d.Attempts)
	return strings.HasPrefix(d.Note, "the destination refuses everything") ||
		(n > 0 && d.Attempts[n-1].Class == delivery.Permanent)
}

// told reports whether anybody who should was told an item: at its destination,
// or at the fallback, there by itself or in a digest.
func (v *verdict) told(d delivery.Delivery) bool {
	return v.toldAt(d, d.Destination) || (v.w.cfg.Destinations[d.Destination].Fallback == backup && v.toldAt(d, backup))
}

func (v *verdict) toldAt(d delivery.Delivery, destination string) bool {
	r := v.w.receivers[destination]
	return r.first(d.ID) >= 0 || r.first(insteadOf(d)) >= 0
}

func insteadOf(d delivery.Delivery) string {
	return delivery.ID("test", d.IncidentKey, d.Episode, d.Sequence, backup+"!"+d.Destination)
}

// lost judges whether an item that nobody was told may be so.
func (v *verdict) lost(d delivery.Delivery) {
	open := v.byID[delivery.ID("test", d.IncidentKey, d.Episode, 1, d.Destination)]
	switch {
	case v.told(d), d.Action == incident.Remind, d.State == delivery.Silenced:
	case d.State == delivery.Held && doubts(d) > 1:
		// In doubt twice: it is listed for a person.
	case d.Action == delivery.Refused:
	case d.State == delivery.Dead && v.w.cfg.Destinations[d.Destination].Fallback == "":
		// Refused, with nowhere else to go: it is in the log and the metric.
	case v.deadAtFallback(d):
	case d.Action == incident.Resolve && !v.told(open) && !v.reminded(d, v.told):
		// Case R1: no end without a beginning.
	default:
		v.complain("%s: nobody was told", name(d))
	}
	here := v.w.receivers[d.Destination]
	hears := func(s delivery.Delivery) bool { return here.first(s.ID) >= 0 }
	// What may have arrived counts as told: its end is told rather than withheld.
	maybe := func(s delivery.Delivery) bool { return hears(s) || s.Doubtful() || v.cameBack(s) }
	if d.Action == incident.Resolve && hears(d) && !maybe(open) && !v.reminded(d, maybe) {
		v.complain("%s: resolved and never told of", name(d))
	}
}

// cameBack reports an item that was taken, and did not reach its reader, by itself or
// in a digest. It was told at the fallback then.
func (v *verdict) cameBack(d delivery.Delivery) bool {
	return d.Receipt.Fate.Bad() || v.byID[d.In].Receipt.Fate.Bad()
}

// reminded reports whether a reminder of a resolve's episode was told at its
// destination, which needs no open.
func (v *verdict) reminded(d delivery.Delivery, told func(delivery.Delivery) bool) bool {
	return slices.ContainsFunc(v.rows, func(s delivery.Delivery) bool {
		return s.IncidentKey == d.IncidentKey && s.Episode == d.Episode && s.Destination == d.Destination &&
			s.For == d.For && (s.Action == incident.Remind || s.Action == incident.SilenceEnded) && told(s)
	})
}

// deadAtFallback reports an item that the fallback refused as well, by itself,
// or because its open went there and was.
func (v *verdict) deadAtFallback(d delivery.Delivery) bool {
	for _, row := range v.rows {
		if row.For == d.Destination && row.State == delivery.Dead &&
			(row.IncidentKey == d.IncidentKey || row.Action == delivery.Digest) {
			return true
		}
	}
	return false
}

// order wants the first word of everything in the order of decisions, wherever
// it is told.
func (v *verdict) order(b delivery.Delivery) {
	for _, a := range v.rows {
		if a.IncidentKey != b.IncidentKey || a.Episode != b.Episode || a.Sequence >= b.Sequence ||
			a.Destination != b.Destination || a.For != b.For {
			continue
		}
		for _, r := range v.w.receivers {
			for _, ids := range [][2]string{{a.ID, b.ID}, {insteadOf(a), insteadOf(b)}, {a.ID, insteadOf(b)}} {
				if fa, fb := r.first(ids[0]), r.first(ids[1]); fa >= 0 && fb >= 0 && fa > fb {
					v.complain("%s: arrived at %s before its %s", name(b), r.name, a.Action)
				}
			}
		}
	}
}

// decided wants an item for every decision and destination.
func (v *verdict) decided() {
	for i := range v.w.keys {
		key := observed(i, noon, true).IncidentKey
		log, err := v.w.store.store.Decisions(context.Background(), key)
		if err != nil || len(log) == 0 {
			v.complain("%s: %d decisions, %v", key, len(log), err)
		}
		for _, d := range log {
			for _, to := range []string{keyed, plain} {
				if _, ok := v.byID[delivery.ID("test", key, d.Episode, d.Sequence, to)]; !ok && !v.waited(d, to) {
					v.complain("%s of episode %d has no item for %s", d.Action, d.Episode, to)
				}
			}
		}
		if n := len(log); n > 0 && log[n-1].Action != incident.Resolve {
			v.complain("%s: ended with %s", key, log[n-1].Action)
		}
	}
}

// waited reports a decision that was not for a destination: the end of a silence
// that was not its own, or a reminder while it knew nothing.
func (v *verdict) waited(d incident.Decision, to string) bool {
	return len(v.w.cfg.Silences) > 0 && (d.Action == incident.SilenceEnded || d.Action == incident.Remind)
}

// silent judges what a silence keeps back: it never goes out. The end of an
// episode is kept back from those, and only those, from whom all of it was.
func (v *verdict) silent(d delivery.Delivery) {
	if d.State == delivery.Silenced && (len(d.Attempts) > 0 || v.told(d)) {
		v.complain("%s: sent in spite of its silence", name(d))
	}
	if d.Action != incident.Resolve || d.For != "" {
		return
	}
	knows := slices.ContainsFunc(v.rows, func(s delivery.Delivery) bool {
		return s.IncidentKey == d.IncidentKey && s.Episode == d.Episode && s.Destination == d.Destination &&
			s.Sequence < d.Sequence && s.For == "" && s.State != delivery.Silenced
	})
	if knows == (d.State == delivery.Silenced) {
		v.complain("%s: its episode was told before: %v", name(d), knows)
	}
}

// counters wants them to be what the ledger and the services say.
func (v *verdict) counters() {
	all, err := v.w.store.store.Usage(context.Background(), noon, noon.Add(48*time.Hour))
	if err != nil {
		v.complain("%v", err)
	}
	var counted, ledger delivery.Usage
	for _, u := range all {
		counted.Attempted += u.Attempted
		counted.Delivered += u.Delivered
		counted.Held += u.Held
		counted.Dead += u.Dead
		counted.Digested += u.Digested
	}
	arrived := 0
	for _, d := range v.rows {
		ledger.Attempted += int64(len(d.Attempts))
		switch d.State {
		case delivery.Delivered:
			ledger.Delivered++
			if v.w.receivers[d.Destination].has(d.ID) {
				arrived++
			}
		case delivery.Held:
			ledger.Held++
		case delivery.Dead:
			ledger.Dead++
		}
	}
	ledger.Digested = v.digested()
	if counted != ledger {
		v.complain("counted %+v, the ledger has %+v", counted, ledger)
	}
	if int64(arrived) != counted.Delivered {
		v.complain("counted %d delivered, the services took %d of them", counted.Delivered, arrived)
	}
}

// digested counts the items of delivered digests, by the items.
func (v *verdict) digested() int64 {
	var n int64
	for _, digest := range v.rows {
		if digest.Action != delivery.Digest || digest.State != delivery.Delivered {
			continue
		}
		for _, d := range v.rows {
			in := d.In
			for in != "" && in != delivery.DigestOf(digest) {
				in = v.byID[in].In
			}
			if in != "" {
				n++
			}
		}
	}
	return n
}

// attempts wants every call that a service saw in the ledger.
func (v *verdict) attempts() {
	tries := map[string]int{}
	for _, d := range v.rows {
		tries[d.Destination] += len(d.Attempts)
	}
	for _, r := range v.w.receivers {
		if r.calls > tries[r.name] {
			v.complain("%s was called %d times, the ledger has %d attempts", r.name, r.calls, tries[r.name])
		}
	}
}
