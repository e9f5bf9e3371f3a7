package replay

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// truth tracks the real failures of one key.
type truth struct {
	known bool
	// failing says that a real failure is in progress, since began; otherwise began
	// and ended are those of the last one, if any.
	failing      bool
	began, ended time.Time
	// told: an open reported it, or it found the incident open. waiting: it has ended
	// unreported, and a late open may still come.
	told, waiting bool
	// unresolved: it ended while the incident was open.
	unresolved bool
}

// move applies the truth of a new tick. open is whether the incident is open before
// that tick's verdict is judged.
func (h *truth) move(v observation.Verdict, tick time.Time, open bool, t *Tally) {
	if v == "" {
		return
	}
	h.known = true
	switch failing := v == observation.Failing; {
	case failing && !h.failing:
		h.giveUp(t)
		*h = truth{known: true, failing: true, began: tick, told: open}
		t.RealFailures++
	case !failing && h.failing:
		h.failing, h.ended = false, tick
		h.waiting, h.unresolved = !h.told, open
	}
}

// giveUp counts a failure that ended unreported, once no open can be about it any
// more.
func (h *truth) giveUp(t *Tally) {
	if h.waiting {
		t.MissedOpens++
		h.waiting = false
	}
}

// opened attributes an open whose failing streak began at since.
func (h *truth) opened(tick, since time.Time, lateAfter time.Duration, t *Tally) {
	if !h.known {
		return
	}
	if about := h.failing || (!h.ended.IsZero() && since.Before(h.ended)); !about {
		t.FalseOpens++
		return
	}
	if h.told {
		t.DuplicateOpens++
		return
	}
	h.told, h.waiting = true, false
	h.unresolved = !h.failing
	took := tick.Sub(h.began)
	t.TruthToOpen.add(took)
	if took > lateAfter {
		t.LateOpens++
	}
}

func (h *truth) resolved(tick time.Time, t *Tally) {
	switch {
	case h.failing:
		t.PrematureResolves++
	case h.unresolved:
		h.unresolved = false
		t.TruthToResolve.add(tick.Sub(h.ended))
	}
}

// end counts what is unfinished at the end of the trace.
func (h *truth) end(t *Tally) {
	h.giveUp(t)
	if h.failing && !h.told {
		t.MissedOpens++
	}
}
