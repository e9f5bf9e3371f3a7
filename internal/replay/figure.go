package replay

// figure is one side of a chart.
type figure struct {
	label  string
	isTime bool
	of     func(*Tally) (float64, bool)
}

var (
	noise  = figure{"noise: reminders, duplicate and false opens", false, func(t *Tally) (float64, bool) { return float64(t.Noise()), true }}
	missed = figure{"real failures missed or told late", false, func(t *Tally) (float64, bool) { return float64(t.MissedOrLate()), true }}
	told   = figure{"notices in all", false, func(t *Tally) (float64, bool) { return float64(t.Told()), true }}
	wrong  = figure{"premature resolves and duplicate opens", false, func(t *Tally) (float64, bool) {
		return float64(t.PrematureResolves + t.DuplicateOpens), true
	}}
	openDelay    = figure{"mean time from real failure to open", true, ofMean(func(t *Tally) *Durations { return &t.TruthToOpen })}
	resolveDelay = figure{"mean time from real health to resolve", true, ofMean(func(t *Tally) *Durations { return &t.TruthToResolve })}
	streakDelay  = figure{"mean time from failing verdict to open", true, ofMean(func(t *Tally) *Durations { return &t.FailureToOpen })}
	calmDelay    = figure{"mean time from healthy verdict to resolve", true, ofMean(func(t *Tally) *Durations { return &t.HealthToResolve })}
	silence      = figure{"longest silence while open", true, func(t *Tally) (float64, bool) { return t.LongestSilence.Seconds(), t.Opens > 0 }}
)

func ofMean(of func(*Tally) *Durations) func(*Tally) (float64, bool) {
	return func(t *Tally) (float64, bool) { return of(t).Mean().Seconds(), of(t).Count() > 0 }
}
