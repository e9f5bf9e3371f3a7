package delivery_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

func item(seq int, a incident.Action, s delivery.State) delivery.Delivery {
	return delivery.Delivery{ID: string(a), Episode: 1, Sequence: seq, Action: a, Destination: "slack", State: s, DueAt: t0.Add(time.Minute)}
}

func TestPlaceOf(t *testing.T) {
	resolve, remind := item(3, incident.Resolve, delivery.Pending), item(2, incident.Remind, delivery.Pending)
	elsewhere := item(1, incident.Open, delivery.Pending)
	elsewhere.Destination = "mail"
	before := item(1, incident.Open, delivery.Dead)
	before.Episode = 0
	for name, tc := range map[string]struct {
		d        delivery.Delivery
		siblings []delivery.Delivery
		goes     bool
		super    bool
	}{
		"an open goes": {item(1, incident.Open, delivery.Pending), nil, true, false},
		"case R5 resolve waits for a pending open":    {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Pending)}, false, false},
		"resolve waits for an open that may be there": {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Unknown)}, false, false},
		"resolve waits for an open in flight":         {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Sending)}, false, false},
		"resolve follows a delivered open":            {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Delivered)}, true, false},
		"resolve follows a held open":                 {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Held)}, true, false},
		"no resolve without a delivered open":         {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Dead)}, false, true},
		"a reminder overtaken by its resolve":         {remind, []delivery.Delivery{item(1, incident.Open, delivery.Delivered), resolve}, false, true},
		"another destination is another order":        {resolve, []delivery.Delivery{elsewhere}, true, false},
		"another episode is another order":            {resolve, []delivery.Delivery{before}, true, false},
		"resolve follows a superseded reminder":       {resolve, []delivery.Delivery{item(1, incident.Open, delivery.Delivered), item(2, incident.Remind, delivery.Superseded)}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := delivery.PlaceOf(tc.d, tc.siblings, t0.Add(20*time.Second))
			if p.Go != tc.goes || (p.Superseded != "") != tc.super {
				t.Errorf("got %+v", p)
			}
			if !p.Go && p.Superseded == "" && p.Wait.Before(t0.Add(20*time.Second)) {
				t.Errorf("waits until %v, before it makes sense to look again", p.Wait)
			}
		})
	}
}

func TestSlotsSortByEpisodeAndSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 999_999)
		e1, s1, e2, s2 := n.Draw(t, "e1"), n.Draw(t, "s1"), n.Draw(t, "e2"), n.Draw(t, "s2")
		before := e1 < e2 || (e1 == e2 && s1 < s2)
		if before && delivery.Slot(e1, s1, "z") >= delivery.Slot(e2, s2, "a") {
			t.Fatalf("(%d,%d) does not sort before (%d,%d)", e1, s1, e2, s2)
		}
	})
}

func TestIDsDoNotCollideAcrossFieldBorders(t *testing.T) {
	ids := map[string]bool{}
	for _, key := range []string{"a", "a|1", "1|a", "3:a|1"} {
		for _, n := range []int{1, 11, 111} {
			for _, dest := range []string{"x", "1|x", "11|x"} {
				ids[delivery.ID(key, n, 1, dest)] = true
				ids[delivery.ID(key, 1, n, dest)] = true
			}
		}
	}
	// For n=1 both spellings name the same delivery.
	if want := 4*3*3*2 - 4*3; len(ids) != want {
		t.Errorf("%d distinct ids, want %d", len(ids), want)
	}
	if got := delivery.ID("k1/error/a=b", 1, 1, "slack"); got != "d1-"+got[3:] || len(got) != 23 {
		t.Errorf("id %q", got)
	}
}
