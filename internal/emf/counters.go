package emf

import (
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// counters maps the message of a log line to what it counts.
var counters = map[string]func(*Recorder, line, time.Time){
	"poll": countPoll, "decision": countDecision, "delivery": countDelivery, "sweep": countSweep,
}

func countPoll(r *Recorder, l line, _ time.Time) {
	of := Of{Source: l.text("source")}
	if l.text("outcome") == "already_claimed" {
		r.Add(DuplicatesPrevented, 1, nil)
		return
	}
	unreadable := 1.0
	if l.text("outcome") == string(observation.RunOK) {
		unreadable = 0
	}
	r.Add(VendorRequests, l.number("requests"), of)
	r.Add(VendorRateLimited, l.number("rate_limited"), of)
	r.Add(VendorRetries, l.number("retries"), of)
	r.Add(VendorWait, l.number("waited_ms"), of)
	r.Add(VendorSkew, l.number("skew_ms"), of)
	r.Add(Observations, l.number("written"), of)
	r.Add(UnreadablePolls, unreadable, of)
}

func countDecision(r *Recorder, l line, at time.Time) {
	action := l.text("action")
	r.Add(Decisions, 1, Of{Action: action})
	if ms, ok := l.since(at); ok && action == string(incident.Open) {
		r.Add(TimeToDetect, ms, nil)
	}
	if strings.HasPrefix(l.text("reason"), string(incident.StaleObservation)) {
		r.Add(DuplicatesPrevented, 1, nil)
	}
}

// countDelivery counts settled attempts, which have an outcome, and lines about items
// that were not sent.
func countDelivery(r *Recorder, l line, at time.Time) {
	of := Of{Channel: l.text("channel"), Destination: l.text("destination"), Owner: l.text("owner")}
	if l.text("outcome") != "" {
		r.Add(Attempts, 1, of)
	}
	if l.text("outcome") == string(delivery.RateLimited) {
		r.Add(RateLimited, 1, of)
	}
	switch l.text("state") {
	case string(delivery.Delivered):
		r.Add(Deliveries, 1, of)
		if ms, ok := l.since(at); ok {
			r.Add(TimeToNotify, ms, nil)
		}
	case string(delivery.Dead):
		r.Add(DeadDeliveries, 1, of)
	case string(delivery.Held):
		r.Add(HeldDeliveries, 1, of)
	case "not_claimable", "already_written":
		r.Add(DuplicatesPrevented, 1, nil)
	}
}

func countSweep(r *Recorder, l line, _ time.Time) { r.Add(Swept, l.number("taken"), nil) }
