package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// timeLines say, tick by tick, who is told what; "-" is nobody.
var timeLines = []struct {
	name   string
	policy func(*incident.Policy)
	absent config.Absent
	// real runs the line over DynamoDB as well as in memory.
	real  bool
	ticks string
	want  string
}{
	{
		real: true, name: "case F5 fail, fail, retry of the same tick, healthy, fail, healthy, healthy",
		ticks: "F F f H F H H",
		want:  "open - - - - - resolve",
	},
	{
		real: true, name: "case R2 failing and recovered below the threshold",
		policy: func(p *incident.Policy) { p.FailingRequired = 3 },
		ticks:  "F F H H H F F H H",
		want:   "- - - - - - - - -",
	},
	{
		real: true, name: "case R4 twenty healthy ticks after the resolve",
		ticks: "F H H " + strings.Repeat("H ", 20),
		want:  "open - resolve " + strings.Repeat("- ", 20),
	},
	{
		name:   "case F1 only an unbroken healthy streak resolves",
		policy: func(p *incident.Policy) { p.HealthyRequired = 3 },
		ticks:  "F H F H H H",
		want:   "open - - - - resolve",
	},
	{
		name:  "case U1 a vendor outage moves nothing but its own alarm",
		ticks: "F E E A A",
		want:  "open - - - resolve",
	},
	{
		real: true, name: "case U1 three polls in a row that fail are told once, and end by themselves",
		ticks: "A E E E E E A A",
		want:  "- - - open - - resolve -",
	},
	{
		name:  "case U1 an outage in the middle of an incident resolves nothing",
		ticks: "F E E E E A A A",
		want:  "open - - open - resolve resolve -",
	},
	{
		name:  "case U2 absent from a complete listing is the recovery of a list of problems",
		ticks: "F A A A",
		want:  "open - resolve -",
	},
	{
		real: true, name: "case U2 absent because page 2 failed is nothing",
		ticks: "F A P P A A",
		want:  "open - - - resolve -",
	},
	{
		name:   "case U2 absence means nothing where the source says so",
		absent: config.AbsentUnknown,
		ticks:  "F A A A A H H",
		want:   "open - - - - - resolve",
	},
	{
		name:  "case U4 unknown moves no streak",
		ticks: "F H U U H F",
		want:  "open - - - resolve open",
	},
	{
		name:  "case F3 failing again inside the cooldown is a new episode",
		ticks: "F H H F",
		want:  "open - resolve open",
	},
	{
		name:   "a reminder when the cooldown is over, and not before",
		policy: func(p *incident.Policy) { p.Cooldown = 3 * time.Minute; p.MaxReminders = 2 },
		ticks:  "F F F F F F F F F F F H H",
		want:   "open - - remind - - remind - - - - - resolve",
	},
	{
		name:   "case D7 failing for an hour of minutes inside the cooldown",
		policy: func(p *incident.Policy) { p.Cooldown = 4 * time.Hour },
		ticks:  strings.Repeat("F ", 60),
		want:   "open " + strings.Repeat("- ", 59),
	},
	{
		name:   "case F2 alternating each tick for four hours",
		policy: func(p *incident.Policy) { p.Cooldown = 0 },
		ticks:  strings.Repeat("F H ", 120),
		want:   "open - " + strings.Repeat("- - ", 119),
	},
	{
		real: true, name: "case R7 gone for stale_after from a source that answers, where absence means nothing",
		policy: staleAfterFive, absent: config.AbsentUnknown,
		ticks: "F F A A A A A A A A",
		want:  "open - - - - - resolve - - -",
	},
	{
		real: true, name: "case R7 an outage in between is no silence: it has to last from its end",
		policy: staleAfterFive, absent: config.AbsentUnknown,
		ticks: "F A A E A A A A A A",
		want:  "open - - - - - - - - resolve",
	},
	{
		name:   "case R7 an outage that lasts resolves nothing",
		policy: staleAfterFive, absent: config.AbsentUnknown,
		ticks: "F E E E E E E E E E E E",
		want:  "open - - open - - - - - - - -",
	},
	{
		name:   "case R7 half of the pages is no answer",
		policy: staleAfterFive, absent: config.AbsentUnknown,
		ticks: "F P P P P P P P P P",
		want:  "open - - open - - - - - -",
	},
	{
		name:   "case R7 listed with a status that means nothing is still listed",
		policy: staleAfterFive, absent: config.AbsentUnknown,
		ticks: "F U U U U U U U U A A A A A",
		want:  "open - - - - - - - - - - - - resolve",
	},
	{
		name:   "case R7 a streak that did not open is forgotten without a word",
		policy: func(p *incident.Policy) { staleAfterFive(p); p.FailingRequired = 2 }, absent: config.AbsentUnknown,
		ticks: "F A A A A A A F A F",
		want:  "- - - - - - - - - open",
	},
	{
		name:   "nothing lapses where the policy says never",
		policy: func(p *incident.Policy) { p.StaleAfter = 0 }, absent: config.AbsentUnknown,
		ticks: "F A A A A A A A A A A A H H",
		want:  "open - - - - - - - - - - - - resolve",
	},
	{
		real: true, name: "case D8 the schedule fires twice for each tick",
		ticks: "F f H h H h A",
		want:  "open - - - resolve - -",
	},
}

func staleAfterFive(p *incident.Policy) { p.StaleAfter = 5 * time.Minute }

func TestTimeLines(t *testing.T) {
	for _, tc := range timeLines {
		onStores(t, tc.name, tc.real, func(t *testing.T, s store) {
			v := newVendor()
			r := newRig(t, s, v)
			p := incident.DefaultPolicy()
			if tc.policy != nil {
				tc.policy(&p)
			}
			r.setPolicy(p)
			if tc.absent != "" {
				r.cfg.Sources[0].Absent = tc.absent
			}
			got := r.play(v, tc.ticks)
			if want := strings.Fields(tc.want); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("ticks %s\n got %s\nwant %s", tc.ticks, strings.Join(got, " "), strings.Join(want, " "))
			}
		})
	}
}
