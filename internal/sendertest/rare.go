package sendertest

import (
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// zoned is a reminder for people in a time zone other than UTC.
func zoned() notice.Notice {
	in := input()
	in.Action, in.State.Sequence, in.State.Reminders = incident.Remind, 5, 4
	in.State.LastNotified, in.Observation.Tick = clock("23:08"), clock("23:08")
	in.State.Evidence.LastSeen = clock("23:07")
	in.Reason = incident.Reason{Code: incident.CooldownElapsed, N: 4}
	in.Zone = "Europe/Berlin"
	return made(in)
}

// silenceEnded reports what a silence held back.
func silenceEnded() notice.Notice {
	in := input()
	in.Action, in.State.Sequence = incident.SilenceEnded, 2
	in.State.LastNotified, in.Observation.Tick = clock("14:08"), clock("14:08")
	in.Reason = incident.Reason{Code: incident.SilenceOver, By: "deploy-friday"}
	return made(in)
}

// overflow is a flood of new failures, reported as one.
func overflow(a incident.Action) notice.Notice {
	in := input()
	in.Action, in.State.Kind, in.State.Key = a, "overflow", "k1/overflow/source=sentry-checkout"
	in.State.Title = "Source sentry-checkout: 412 new failures at once, more than its 100; they are not told one by one"
	in.State.Summary = in.State.Title
	in.State.Evidence.Count, in.State.Evidence.Link, in.State.Evidence.VendorID = 412, "", ""
	in.State.Evidence.Samples = []string{"Error: Tool is already registered", "TypeError: undefined is not a function"}
	in.State.Evidence.CorrelationID, in.State.Evidence.Deployment = "", ""
	in.State.Evidence.FirstSeen, in.State.Evidence.LastSeen = time.Time{}, time.Time{}
	in.OperatorAction = "See whether the source went wild, or a part of its key changes each time: `ringonce keys` tells."
	in.Reason = incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1}
	if a == incident.Resolve {
		in.State.Sequence, in.State.Open, in.State.ResolvedAt, in.Observation.Tick = 2, false, clock("12:20"), clock("12:20")
		in.Reason = incident.Reason{Code: incident.Recovered, N: 2, Of: 2}
	}
	return made(in)
}

// cameAndWent is an open that could not be sent before its incident was over.
func cameAndWent() notice.Notice {
	open := opened(incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1})
	return notice.Together(open, []notice.Notice{resolved(incident.Reason{Code: incident.Recovered, N: 2, Of: 2})})
}

// digest reports many items at once.
func digest() notice.Notice {
	var all []notice.Notice
	for i := range 5 {
		n := opened(incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1})
		n.Summary = fmt.Sprintf("Payment method %d fails", i+1)
		all = append(all, n)
	}
	all = append(all, reminded(), resolved(incident.Reason{Code: incident.Recovered, N: 2, Of: 2}), cameAndWent())
	return notice.Digest("d1-00112233445566778899", all)
}

// restored reports that a destination accepts messages again.
func restored() notice.Notice {
	return notice.Restored(refused(), "d1-99887766554433221101", "slack-payments", clock("13:04"))
}

// refused reports that a destination accepts no messages any more.
func refused() notice.Notice {
	n := opened(incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1})
	return notice.Refusal(n, "d1-99887766554433221100", "slack-payments", "no_service", clock("12:04"))
}
