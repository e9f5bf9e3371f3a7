package explain

import (
	"cmp"
	"fmt"
	"time"
)

// findProblems adds the problems of sources and destinations.
func (rep *StatusReport) findProblems(now time.Time) {
	problem := func(format string, args ...any) { rep.Problems = append(rep.Problems, fmt.Sprintf(format, args...)) }
	if len(rep.Sources) == 0 {
		problem("no poll is stored: is poll's schedule on?")
	}
	for _, s := range rep.Sources {
		switch {
		case s.Tick.IsZero():
			problem("source %s was never polled: is the schedule on?", s.Source)
		case s.Late:
			problem("source %s was last polled at %s: is the schedule on?", s.Source, stamp(s.Tick))
		case s.Bad > 0:
			problem("source %s: the %s did not bring everything; %s", s.Source, lastOf(s.Bad, "poll"), cmp.Or(s.Problem, "its run says no more"))
		}
	}
	for _, d := range rep.Destinations {
		if d.RefusedCode != "" {
			problem("destination %s has refused every message since %s (%s): mend its address or credentials; it is tried once an hour", d.Destination, stamp(d.RefusedSince), d.RefusedCode)
		}
		switch {
		case d.Oldest.IsZero():
		case !d.secretFailedAt.IsZero():
			problem("destination %s: %s waiting: a secret of it could not be read at %s; %s", d.Destination, count(d.Waiting, "message"), stamp(d.secretFailedAt), d.secretRemedy())
		case now.Sub(d.Oldest) > stuckAfter:
			problem("destination %s: %s waiting, the oldest since %s%s", d.Destination, count(d.Waiting, "message"), stamp(d.Oldest), d.answerText("; its last try: "))
		}
		if !d.LastDead.IsZero() && now.Sub(d.LastDead) < deadNewsFor {
			problem("destination %s: %s given up, the last at %s: %s", d.Destination, count(d.Dead, "message"), stamp(d.LastDead), cmp.Or(d.LastReason, "no reason noted"))
		}
	}
}
