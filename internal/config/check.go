package config

import (
	"fmt"
	"time"
)

// checkPolicy checks a source's resolved policy against its interval and the
// retention. A problem is placed where the value was set, which may be in another
// layer, or at the source for a built-in default.
func (b *builder) checkPolicy(f *fields, s Source, r ruling) {
	p := r.policy
	keep := b.cfg.Retention.Observations
	switch {
	case p.Cooldown == 0:
	case p.Cooldown < s.Interval:
		b.clash(f, s, r, "cooldown", p.Cooldown, "is shorter than the interval of "+FormatDuration(s.Interval),
			"a reminder can come no sooner than the next poll: set cooldown to "+FormatDuration(s.Interval)+" or more, or to never")
	case p.Cooldown > keep:
		b.clash(f, s, r, "cooldown", p.Cooldown, "is longer than observations are kept ("+FormatDuration(keep)+")",
			"shorten it, raise retention.observations, or write never")
	}
	if p.Cooldown > 0 && p.CooldownMax > 0 && p.CooldownMax < p.Cooldown {
		b.clash(f, s, r, "cooldown_max", p.CooldownMax, "is shorter than the cooldown of "+FormatDuration(p.Cooldown), "raise it, or write none for no limit")
	}
	if p.StaleAfter > 0 && p.StaleAfter <= s.Interval {
		b.clash(f, s, r, "stale_after", p.StaleAfter, "is not longer than the interval of "+FormatDuration(s.Interval),
			"a verdict would be stale before the next poll: set stale_after to "+FormatDuration(2*s.Interval)+" or more")
	}
	// An incident lapses only when the runs of all that time show that its sources
	// were answering.
	if runs := b.cfg.Retention.PollRuns; p.StaleAfter > runs {
		b.clash(f, s, r, "stale_after", p.StaleAfter, "is longer than poll runs are kept ("+FormatDuration(runs)+")",
			"nothing would lapse: shorten it, raise retention.poll_runs, or write never")
	}
	b.checkFlapping(f, s, r)
}

// checkPages warns where a single absence resolves although the list may only have
// moved: when an item ends on one numbered page, all items after it move up by one,
// and the first of the next page is then on no page that was read.
func (b *builder) checkPages(f *fields, s Source, r ruling) {
	numbered := s.Pagination.Type == PaginationPage || s.Pagination.Type == PaginationOffset
	if !numbered || s.Absent == AbsentUnknown || r.policy.HealthyRequired > 1 {
		return
	}
	at, _ := r.origin("healthy_required", f.at)
	b.r.warn(at, f.path+".policy.healthy_required", "1 lets source "+show(s.ID)+" resolve what only moved from one numbered page to another while they were read",
		"set healthy_required to 2 or more for it")
}

// checkFlapping requires either all fields of flap damping or none.
func (b *builder) checkFlapping(f *fields, s Source, r ruling) {
	p := r.policy
	if p.FlapEpisodes == 0 {
		return
	}
	at, _ := r.origin("flap_episodes", f.at)
	missing := func(name string) {
		b.r.fail(at, f.path+".policy."+name, "is missing: source "+show(s.ID)+" has flap_episodes",
			"set flap_episodes, flap_window and flap_stable_ticks together")
	}
	if p.FlapWindow == 0 {
		missing("flap_window")
	}
	if p.FlapStableTicks == 0 {
		missing("flap_stable_ticks")
	}
}

func (b *builder) clash(f *fields, s Source, r ruling, name string, value time.Duration, what, fix string) {
	at, layer := r.origin(name, f.place("interval"))
	from := ""
	if layer == LayerDefault {
		from = " (" + string(layer) + " default)"
	}
	path := f.path + ".policy." + name
	b.r.fail(at, path, fmt.Sprintf("%s%s of source %s %s", FormatDuration(value), from, show(s.ID), what), fix)
}
