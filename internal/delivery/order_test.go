package delivery_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

func item(seq int, a incident.Action, s delivery.State) delivery.Delivery {
	return delivery.Delivery{ID: string(a), Episode: 1, Sequence: seq, Action: a, Destination: "slack", State: s, DueAt: t0.Add(time.Minute)}
}

func with(d delivery.Delivery, attempts ...delivery.Class) delivery.Delivery {
	for _, c := range attempts {
		d.Attempts = append(d.Attempts, delivery.Attempt{Class: c})
	}
	return d
}

func TestNext(t *testing.T) {
	due := func(d delivery.Delivery) delivery.Delivery { d.DueAt = t0; return d }
	open, remind, resolve := due(item(1, incident.Open, delivery.Pending)), due(item(2, incident.Remind, delivery.Pending)), due(item(3, incident.Resolve, delivery.Pending))
	ended := due(item(2, incident.SilenceEnded, delivery.Pending))
	in := func(d delivery.Delivery, s delivery.State) delivery.Delivery { d.State = s; return d }
	inFlight := in(open, delivery.Sending)
	inFlight.LeaseUntil = t0.Add(time.Hour)
	lost := in(remind, delivery.Sending)
	toldElsewhere := in(open, delivery.Superseded)
	toldElsewhere.In = "d1-digest"
	later := item(1, incident.Open, delivery.Pending)
	for name, tc := range map[string]struct {
		lane    []delivery.Delivery
		gathers bool
		send    string
		fold    string
		closed  string
		away    bool
	}{
		"an open goes": {[]delivery.Delivery{open}, true, "open", "", "", false},
		"case R5 the open goes before the resolve":           {[]delivery.Delivery{open, resolve}, false, "open", "", "", false},
		"case R5 one message says both":                      {[]delivery.Delivery{open, resolve}, true, "open", "resolve", "", false},
		"case R6 a resolve waits for an open that comes":     {[]delivery.Delivery{later, resolve}, true, "", "", "", false},
		"an open that goes on is told as it is now":          {[]delivery.Delivery{open, remind}, true, "open", "remind", "", false},
		"a reminder between them is overtaken":               {[]delivery.Delivery{open, remind, resolve}, true, "open", "resolve", "remind", false},
		"an open that may be there is not changed":           {[]delivery.Delivery{with(in(open, delivery.Unknown), delivery.Ambiguous), resolve}, true, "open", "", "", false},
		"nor one that was doubtful before":                   {[]delivery.Delivery{with(open, delivery.Ambiguous, delivery.Temporary), resolve}, true, "open", "", "", false},
		"one that was refused for now is":                    {[]delivery.Delivery{with(open, delivery.RateLimited), resolve}, true, "open", "resolve", "", false},
		"a doubtful resolve is not hidden":                   {[]delivery.Delivery{open, with(resolve, delivery.Ambiguous)}, true, "open", "", "", false},
		"resolve waits for an open in flight":                {[]delivery.Delivery{inFlight, resolve}, true, "", "", "", false},
		"resolve follows a delivered open":                   {[]delivery.Delivery{in(open, delivery.Delivered), resolve}, true, "resolve", "", "", false},
		"resolve follows a held open":                        {[]delivery.Delivery{in(open, delivery.Held), resolve}, true, "resolve", "", "", false},
		"resolve follows an open told in another message":    {[]delivery.Delivery{toldElsewhere, resolve}, true, "resolve", "", "", false},
		"no resolve without a delivered open":                {[]delivery.Delivery{in(open, delivery.Dead), resolve}, true, "", "", "resolve", false},
		"nor after one that was never sent":                  {[]delivery.Delivery{in(open, delivery.Superseded), remind, resolve}, true, "", "", "remind resolve", false},
		"a reminder stands by itself":                        {[]delivery.Delivery{in(open, delivery.Dead), remind}, true, "remind", "", "", false},
		"it goes to where the open went":                     {[]delivery.Delivery{in(open, delivery.Dead), remind}, true, "", "", "remind", true},
		"the end of what a reminder told is told":            {[]delivery.Delivery{in(open, delivery.Dead), in(remind, delivery.Delivered), resolve}, true, "resolve", "", "", false},
		"the end of what may have arrived is told":           {[]delivery.Delivery{with(in(open, delivery.Dead), delivery.Ambiguous, delivery.Permanent), resolve}, true, "resolve", "", "", false},
		"what follows a silence is told, and its end":        {[]delivery.Delivery{in(open, delivery.Silenced), ended, resolve}, true, "silence_ended", "", "", false},
		"the end of what was told after a silence is told":   {[]delivery.Delivery{in(open, delivery.Silenced), in(ended, delivery.Delivered), resolve}, true, "resolve", "", "", false},
		"no resolve where what followed a silence was lost":  {[]delivery.Delivery{in(open, delivery.Silenced), in(ended, delivery.Dead), resolve}, true, "", "", "resolve", false},
		"nothing waits for what a silence keeps back":        {[]delivery.Delivery{in(open, delivery.Delivered), in(remind, delivery.Silenced), resolve}, true, "resolve", "", "", false},
		"a reminder overtaken by its resolve":                {[]delivery.Delivery{in(open, delivery.Delivered), remind, resolve}, true, "resolve", "", "remind", false},
		"a reminder of a lost worker, overtaken (case D10)":  {[]delivery.Delivery{in(open, delivery.Delivered), lost, resolve}, true, "resolve", "", "remind", false},
		"resolve follows a superseded reminder":              {[]delivery.Delivery{in(open, delivery.Delivered), in(remind, delivery.Superseded), resolve}, true, "resolve", "", "", false},
		"nothing is left to do":                              {[]delivery.Delivery{in(open, delivery.Delivered)}, true, "", "", "", false},
		"a fallback's resolve alone, its open went in a mix": {[]delivery.Delivery{resolve}, true, "resolve", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			step := delivery.Next(tc.lane, delivery.Options{Gathers: tc.gathers, OpenedElsewhere: tc.away}, t0, t0.Add(20*time.Second))
			var send, fold, closed []string
			if step.Send != nil {
				send = append(send, step.Send.ID)
			}
			for _, d := range step.Fold {
				fold = append(fold, d.ID)
			}
			for _, c := range step.Close {
				closed = append(closed, c.Delivery.ID)
			}
			got := [3]string{strings.Join(send, " "), strings.Join(fold, " "), strings.Join(closed, " ")}
			if want := [3]string{tc.send, tc.fold, tc.closed}; got != want {
				t.Errorf("send, fold and close %q, want %q", got, want)
			}
			waits := tc.send == "" && !tc.lane[len(tc.lane)-1].State.Final() && tc.closed == ""
			if waits != !step.Wait.IsZero() || (waits && step.Wait.Before(t0.Add(20*time.Second))) {
				t.Errorf("waits until %v", step.Wait)
			}
		})
	}
}

func TestLaneKeepsOrdersApart(t *testing.T) {
	d := item(2, incident.Remind, delivery.Pending)
	first, elsewhere, before, instead := item(1, incident.Open, delivery.Pending), item(1, incident.Open, delivery.Pending),
		item(1, incident.Open, delivery.Dead), item(1, incident.Open, delivery.Pending)
	elsewhere.Destination, before.Episode, instead.For = "mail", 0, "pager"
	lane := delivery.Lane(d, []delivery.Delivery{d, elsewhere, before, instead, first})
	if len(lane) != 2 || lane[0].Sequence != 1 || lane[1].Sequence != 2 || lane[0].For != "" {
		t.Errorf("the lane is %+v", lane)
	}
}

func TestADigestIsTheSameForWhoeverGathersIt(t *testing.T) {
	a, b := item(1, incident.Open, delivery.Pending), item(2, incident.Open, delivery.Pending)
	a.ID, b.ID, b.CreatedAt = "d1-a", "d1-b", t0
	one, two := delivery.NewDigest([]delivery.Delivery{a, b}, t0), delivery.NewDigest([]delivery.Delivery{b, a}, t0.Add(time.Hour))
	if one.ID != two.ID || one.Ref() != two.Ref() || one.Ref() != delivery.DigestRef(one.ID, "slack", "") || !one.CreatedAt.Equal(t0) {
		t.Errorf("gathered as %+v and %+v", one, two)
	}
	if three := delivery.NewDigest([]delivery.Delivery{a}, t0); three.ID == one.ID {
		t.Error("another digest has the same id")
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
	for _, stage := range []string{"", "1", "1|1:a", "0:|1:a"} {
		for _, key := range []string{"a", "a|1", "1|a", "3:a|1"} {
			for _, n := range []int{1, 11, 111} {
				for _, dest := range []string{"x", "1|x", "11|x"} {
					ids[delivery.ID(stage, key, n, 1, dest)] = true
					ids[delivery.ID(stage, key, 1, n, dest)] = true
				}
			}
		}
	}
	// For n=1 both spellings name the same delivery.
	if want := 4 * (4*3*3*2 - 4*3); len(ids) != want {
		t.Errorf("%d distinct ids, want %d", len(ids), want)
	}
	if got := delivery.ID("production", "k1/error/a=b", 1, 1, "slack"); got != "d1-"+got[3:] || len(got) != 23 {
		t.Errorf("id %q", got)
	}
}
