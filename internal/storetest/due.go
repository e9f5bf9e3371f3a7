package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

var dueChecks = []check{
	{"due items come oldest first, from every shard", dueOrder},
	{"a claimed item is due when its lease ends (case C4)", dueLease},
	{"only open items are due", dueSparse},
	{"an episode is read by sequence and destination", episodeOrder},
	{"deliveries are all there are", allDeliveries},
}

func dueOrder(t *testing.T, s Store) {
	keys := keysOf(20)
	var want []delivery.Due
	for i, k := range keys {
		d := pending(k, 1, "slack", at(10, (7*i)%20))
		inserted(t, s, d)
		want = append(want, d.Due())
	}
	slices.SortFunc(want, func(a, b delivery.Due) int { return a.DueAt.Compare(b.DueAt) })
	equal(t, "all", must(s.Due(ctx, at(11), 99))(t), want)
	equal(t, "five", must(s.Due(ctx, at(11), 5))(t), want[:5])
	equal(t, "by 10:03", must(s.Due(ctx, at(10, 3), 99))(t), want[:4])
	equal(t, "none", len(must(s.Due(ctx, at(11), 0))(t)), 0)
	equal(t, "too early", len(must(s.Due(ctx, at(9), 99))(t)), 0)
}

func dueLease(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	held := claimed(t, s, d, "w1", at(10))
	equal(t, "while held", len(must(s.Due(ctx, at(10, 0, 59), 9))(t)), 0)
	equal(t, "after the lease", must(s.Due(ctx, at(10, 1), 9))(t), []delivery.Due{held.Due()})
}

func dueSparse(t *testing.T, s Store) {
	items := []delivery.Delivery{pending("k", 1, "a", at(10)), pending("k", 1, "b", at(10)), pending("k", 1, "c", at(10))}
	items[1].State = delivery.Dead
	items[2].DueAt = time.Time{}
	inserted(t, s, items...)
	equal(t, "due", must(s.Due(ctx, at(23), 9))(t), []delivery.Due{items[2].Due(), items[0].Due()})
}

func episodeOrder(t *testing.T, s Store) {
	first, second := pending("k", 2, "slack", at(10)), pending("k", 10, "mail", at(10))
	other := pending("k", 1, "slack", at(10))
	other.Episode = 11
	inserted(t, s, second, first, other, pending("k2", 1, "slack", at(10)))
	equal(t, "episode 1", must(s.Episode(ctx, "k", 1))(t), []delivery.Delivery{first, second})
	equal(t, "episode 11", must(s.Episode(ctx, "k", 11))(t), []delivery.Delivery{other})
	episodes := func(from, to int) (slots []string) {
		ok(t, s.Episodes(ctx, "k", from, to, func(d delivery.Delivery) error {
			slots = append(slots, d.Ref().Slot)
			return nil
		}))
		return slots
	}
	equal(t, "episodes 1 to 11", episodes(1, 11), []string{first.Ref().Slot, second.Ref().Slot, other.Ref().Slot})
	equal(t, "episodes 1 to 10", episodes(1, 10), []string{first.Ref().Slot, second.Ref().Slot})
	equal(t, "episodes 2 to 11", episodes(2, 11), []string{other.Ref().Slot})
	equal(t, "back to front", len(episodes(11, 1)), 0)
}

func allDeliveries(t *testing.T, s Store) {
	want := map[delivery.Ref]string{}
	for _, k := range keysOf(30) {
		d := pending(k, 1, "slack", at(10))
		inserted(t, s, d)
		want[d.Ref()] = d.ID
	}
	found := map[delivery.Ref]string{}
	ok(t, s.Deliveries(ctx, func(d delivery.Delivery) error {
		found[d.Ref()] = d.ID
		return nil
	}))
	equal(t, "deliveries", found, want)
}
