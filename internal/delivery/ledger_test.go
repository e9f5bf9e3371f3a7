package delivery_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

var (
	t0    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	retry = delivery.Retry{
		Backoff:       backoff.Schedule{Base: 10 * time.Second, Cap: 5 * time.Minute, Floor: time.Second},
		RetryAfterCap: time.Hour,
		GiveUpAfter:   24 * time.Hour,
	}
)

func fresh(a incident.Action) delivery.Delivery {
	return delivery.Delivery{
		ID: "d1-x", IncidentKey: "k1/error/a=b", Episode: 1, Sequence: 1, Action: a,
		Destination: "slack", Channel: "slack_webhook", Owner: "payments", CostCenter: "CC-1",
		Source: "s", CreatedAt: t0, State: delivery.Pending, DueAt: t0,
	}
}

func claimed(a incident.Action) delivery.Delivery {
	return fresh(a).Claim("worker-1", t0, t0.Add(time.Minute))
}

func TestSettle(t *testing.T) {
	for name, tc := range map[string]struct {
		outcome   delivery.Outcome
		ambiguity delivery.Ambiguity
		state     delivery.State
		due       time.Time
	}{
		"accepted":           {delivery.Outcome{Class: delivery.Accepted, Status: 200}, delivery.Resend, delivery.Delivered, time.Time{}},
		"temporary":          {delivery.Outcome{Class: delivery.Temporary, Status: 500}, delivery.Resend, delivery.Pending, t0.Add(15 * time.Second)},
		"case C1 rate limit": {delivery.Outcome{Class: delivery.RateLimited, Status: 429, RetryAfter: 30 * time.Second}, delivery.Resend, delivery.Pending, t0.Add(40 * time.Second)},
		"capped retry after": {delivery.Outcome{Class: delivery.RateLimited, Status: 429, RetryAfter: 48 * time.Hour}, delivery.Resend, delivery.Pending, t0.Add(time.Hour + 10*time.Second)},
		"case C3 permanent":  {delivery.Outcome{Class: delivery.Permanent, Status: 404, Code: "no_service"}, delivery.Resend, delivery.Dead, time.Time{}},
		"case D4 resend":     {delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}, delivery.Resend, delivery.Unknown, t0.Add(15 * time.Second)},
		"case D4 hold":       {delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}, delivery.Hold, delivery.Held, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			now := t0.Add(10 * time.Second)
			d := claimed(incident.Open).Settle(tc.outcome, false, now, retry, tc.ambiguity, 0.5)
			if d.State != tc.state || !d.DueAt.Equal(tc.due) {
				t.Errorf("state %s due %v, want %s due %v", d.State, d.DueAt, tc.state, tc.due)
			}
			a := d.Attempts[0]
			if a.Class != tc.outcome.Class || !a.Ended.Equal(now) || a.Status != tc.outcome.Status {
				t.Errorf("attempt is recorded as %+v", a)
			}
			if d.State.Final() != tc.due.IsZero() {
				t.Errorf("a state that is final=%v has due time %v", d.State.Final(), d.DueAt)
			}
		})
	}
}

func TestGivingUpIsBoundedByTimeNotByTries(t *testing.T) {
	d, now := fresh(incident.Open), t0
	for range 10_000 {
		if d.State.Final() {
			break
		}
		now = d.DueAt
		d = d.Claim("w", now, now.Add(time.Minute)).
			Settle(delivery.Outcome{Class: delivery.Temporary, Status: 503, Code: "http_503"}, false, now, retry, delivery.Resend, 1)
	}
	if d.State != delivery.Dead {
		t.Fatalf("after %d attempts the delivery is %s", len(d.Attempts), d.State)
	}
	if last := now.Sub(t0); last > retry.GiveUpAfter || last < retry.GiveUpAfter-retry.Backoff.Cap {
		t.Errorf("the last try was %v after the first; want just below %v", last, retry.GiveUpAfter)
	}
}

func TestClaimable(t *testing.T) {
	sending := claimed(incident.Open)
	delivered := sending.Settle(delivery.Outcome{Class: delivery.Accepted}, false, t0, retry, delivery.Resend, 0)
	for name, tc := range map[string]struct {
		d    delivery.Delivery
		at   time.Time
		want bool
	}{
		"due":                           {fresh(incident.Open), t0, true},
		"not due yet":                   {fresh(incident.Open), t0.Add(-time.Second), false},
		"held by a worker":              {sending, t0.Add(59 * time.Second), false},
		"case C4 the lease has run out": {sending, t0.Add(time.Minute), true},
		"delivered long ago":            {delivered, t0.Add(time.Hour), false},
	} {
		if got := tc.d.Claimable(tc.at); got != tc.want {
			t.Errorf("%s: Claimable = %v", name, got)
		}
	}
}

func TestALostWorkerIsAnAmbiguousAttempt(t *testing.T) {
	lost := claimed(incident.Open)
	again := lost.Claim("worker-2", t0.Add(time.Minute), t0.Add(2*time.Minute))
	if lost.MayHaveArrived() || !again.MayHaveArrived() {
		t.Fatal("only the second claim follows an attempt that may have arrived")
	}
	now := t0.Add(61 * time.Second)
	done := again.Settle(delivery.Outcome{Class: delivery.Accepted, Status: 200}, true, now, retry, delivery.Resend, 0)
	want := []delivery.Attempt{
		{Number: 1, Worker: "worker-1", Started: t0, Ended: now, Class: delivery.Ambiguous, Code: "worker_lost"},
		{Number: 2, Worker: "worker-2", Started: t0.Add(time.Minute), Ended: now, Class: delivery.Accepted, Status: 200, Repeat: true},
	}
	if diff := cmp.Diff(want, done.Attempts); diff != "" {
		t.Error(diff)
	}
	u := delivery.UsageOf(again, done)
	if u.Attempted != 2 || u.Delivered != 1 || u.Repeated != 1 {
		t.Errorf("case C4: counted %+v", u)
	}
	if again.Attempts[0].Class != "" {
		t.Error("settling changed the ledger that it was derived from")
	}
}

func TestHoldingALostAttemptSendsNothing(t *testing.T) {
	again := claimed(incident.Remind).Claim("worker-2", t0.Add(time.Minute), t0.Add(2*time.Minute))
	held := again.HoldLost(t0.Add(time.Minute))
	u := delivery.UsageOf(again, held)
	if held.State != delivery.Held || len(held.Attempts) != 1 || u.Attempted != 1 || u.Held != 1 || u.Delivered != 0 {
		t.Errorf("held as %s with %d attempts, counted %+v", held.State, len(held.Attempts), u)
	}
}

func TestDefaultAmbiguity(t *testing.T) {
	for a, want := range map[incident.Action]delivery.Ambiguity{
		incident.Open: delivery.Resend, incident.Resolve: delivery.Resend, incident.Remind: delivery.Hold,
	} {
		if got := delivery.DefaultAmbiguity(a); got != want {
			t.Errorf("%s: %s, want %s", a, got, want)
		}
	}
}

func TestAnItemKeepsABoundedNumberOfAttempts(t *testing.T) {
	d, now := fresh(incident.Open), t0
	var counted int64
	for n := range 3000 {
		held := d.Claim("w", now, now.Add(time.Minute))
		o := delivery.Outcome{Class: delivery.Temporary, Status: 503}
		if n == 20 {
			o.Class = delivery.Ambiguous
		}
		d = held.Settle(o, false, now, delivery.Retry{}, delivery.Resend, 0)
		counted += delivery.UsageOf(held, d).Attempted
	}
	if n := len(d.Attempts); n > 50 || d.Tries() != 3000 || counted != 3000 {
		t.Errorf("%d attempts are kept of %d; counted %d", n, d.Tries(), counted)
	}
	if d.Attempts[0].Number != 1 || d.Attempts[4].Number != 5 || d.Attempts[len(d.Attempts)-2].Number != 2999 || !d.Doubtful() {
		t.Errorf("kept are %+v", d.Attempts)
	}
}

// TestCaseD4TwoDoubtsAreTheLast checks that lost workers, which may never have sent
// anything, do not count as ambiguous sends.
func TestCaseD4TwoDoubtsAreTheLast(t *testing.T) {
	doubt := delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}
	lost := claimed(incident.Open).Claim("w", t0.Add(time.Minute), t0.Add(2*time.Minute))
	once := lost.Settle(doubt, true, t0.Add(time.Minute), retry, delivery.Resend, 0)
	if once.State != delivery.Unknown {
		t.Errorf("after a lost worker and one doubt it is %s", once.State)
	}
	twice := once.Claim("w", once.DueAt, once.DueAt.Add(time.Minute)).Settle(doubt, true, once.DueAt, retry, delivery.Resend, 0)
	if twice.State != delivery.Held {
		t.Errorf("after two doubts it is %s", twice.State)
	}
}

// TestARepeatThatDoesNoHarmGoesOn checks that ambiguous sends to a provider with an
// idempotency key are repeated.
func TestARepeatThatDoesNoHarmGoesOn(t *testing.T) {
	for a, want := range map[delivery.Ambiguity]delivery.State{delivery.Repeat: delivery.Unknown, delivery.Resend: delivery.Held} {
		d, now := fresh(incident.Open), t0
		for range 3 {
			if d.State.Final() {
				break
			}
			now = now.Add(10 * time.Minute)
			d = d.Claim("w", now, now.Add(time.Minute)).
				Settle(delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}, false, now, retry, a, 1)
		}
		if d.State != want {
			t.Errorf("%s: after three doubtful sends the delivery is %s, want %s", a, d.State, want)
		}
	}
}
