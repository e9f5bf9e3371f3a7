package explain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Ledger derives the usage counters from the deliveries themselves, for the UTC days of
// the two times and all between them. It reads the whole outbox.
func Ledger(ctx context.Context, s Store, from, to time.Time) ([]delivery.Usage, error) {
	first, last := from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly)
	sums := map[delivery.Usage]delivery.Usage{}
	add := func(u delivery.Usage) {
		if of := u.Subject(); u.Day >= first && u.Day <= last {
			sums[of] = of.Plus(sums[of]).Plus(u)
		}
	}
	index := digestIndex{toldIn: map[string]string{}, digests: map[string][]delivery.Usage{}}
	err := s.Deliveries(ctx, func(d delivery.Delivery) error {
		all := usagesOf(d)
		for _, u := range all {
			add(u)
		}
		index.add(d, all)
		return nil
	})
	for _, u := range index.usages() {
		add(u)
	}
	return slices.SortedFunc(maps.Values(sums), byUsage), err
}

// digestIndex records which message told which item. It relies on the items, not on the
// entries of a digest.
type digestIndex struct {
	// toldIn maps an item to the message that told it. digests holds the usage subjects
	// of each delivered digest, one for each destination, by the digest's first id.
	toldIn  map[string]string
	digests map[string][]delivery.Usage
}

func (t digestIndex) add(d delivery.Delivery, counted []delivery.Usage) {
	if d.In != "" {
		t.toldIn[d.ID] = d.In
	}
	if d.Action == delivery.Digest && d.State == delivery.Delivered && len(counted) > 0 {
		id := delivery.DigestOf(d)
		t.digests[id] = append(t.digests[id], counted[len(counted)-1].Subject())
	}
}

// usages counts each item for the digest that told it, directly or through another
// message that was told in a digest.
func (t digestIndex) usages() []delivery.Usage {
	var all []delivery.Usage
	for _, in := range t.toldIn {
		for ; in != ""; in = t.toldIn[in] {
			for _, u := range t.digests[in] {
				u.Digested = 1
				all = append(all, u)
			}
		}
	}
	return all
}

// Checkable returns the first day of a period of which every message is still stored,
// and whether there is one. Messages are kept for a time after their last attempt, or
// for ever if it is zero. Part of the day on which that time begins has expired.
func Checkable(from, to, now time.Time, kept time.Duration) (first time.Time, ok bool) {
	if kept > 0 {
		if day := now.UTC().Add(-kept).Truncate(24*time.Hour).AddDate(0, 0, 1); day.After(from) {
			from = day
		}
	}
	return from, !from.After(to)
}

// usagesOf returns what a delivery adds to the counters: each attempt on the day it
// ended, and last the final state on the day of the last attempt.
func usagesOf(d delivery.Delivery) []delivery.Usage {
	var all []delivery.Usage
	on := func(day string) *delivery.Usage {
		all = append(all, delivery.Usage{
			Day: day, Owner: d.Owner, CostCenter: d.CostCenter, Channel: d.Channel, Source: d.Source,
		})
		return &all[len(all)-1]
	}
	for _, l := range d.LeftOut {
		u := on(l.Day)
		u.Attempted, u.Repeated = l.Attempted, l.Repeated
	}
	for _, a := range d.Attempts {
		if a.Class == "" {
			continue
		}
		u := on(a.Ended.UTC().Format(time.DateOnly))
		u.Attempted = 1
		if a.Repeat {
			u.Repeated = 1
		}
	}
	end := on(d.CountedAt().UTC().Format(time.DateOnly))
	switch d.State {
	case delivery.Delivered:
		end.Delivered = 1
	case delivery.Held:
		end.Held = 1
	case delivery.Dead:
		end.Dead = 1
	default:
		return all[:len(all)-1]
	}
	return all
}

func byUsage(a, b delivery.Usage) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Owner, b.Owner),
		cmp.Compare(a.CostCenter, b.CostCenter), cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Source, b.Source))
}

// Audit compares the counters of a period with the ledger's and returns one text for
// each difference.
func Audit(counters, ledger []delivery.Usage) []string {
	both := map[delivery.Usage][2]delivery.Usage{}
	for i, all := range [][]delivery.Usage{counters, ledger} {
		for _, u := range all {
			of := u.Subject()
			of.Day = ""
			pair := both[of]
			pair[i] = pair[i].Plus(u)
			both[of] = pair
		}
	}
	var wrong []string
	for of, pair := range both {
		c, l := numbers(pair[0]), numbers(pair[1])
		if c != l {
			wrong = append(wrong, fmt.Sprintf("owner %s, cost center %s, channel %s, source %s: counted %v, the ledger gives %v (attempted, delivered, repeated, held, dead, digested)",
				of.Owner, of.CostCenter, of.Channel, of.Source, c, l))
		}
	}
	slices.Sort(wrong)
	return wrong
}

func numbers(u delivery.Usage) [6]int64 {
	return [6]int64{u.Attempted, u.Delivered, u.Repeated, u.Held, u.Dead, u.Digested}
}
