package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/silence"
)

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

// quietFor returns a silence of everything between two ticks.
func quietFor(id string, from, until int) silence.Silence {
	return silence.Silence{
		ID: id, Match: silence.Match{Key: "*"}, From: minute(from), Until: minute(until), Reason: "maintenance", Author: "alice",
	}
}

// silenceLines say, tick by tick, who is told what while silences begin and end.
var silenceLines = []struct {
	name     string
	cooldown time.Duration
	most     int
	silences []silence.Silence
	ticks    string
	want     string
}{
	{
		name: "open told, silenced, recovered: the resolve is told", silences: []silence.Silence{quietFor("s", 1, 60)},
		ticks: "F F F H H H", want: "open - - - resolve -",
	},
	{
		name: "silenced and still failing at its end: told once, at once", silences: []silence.Silence{quietFor("s", 0, 4)},
		ticks: "F F F F F F F F H H", want: "- - - - silence_ended - - - - resolve",
	},
	{
		name: "silenced and recovered inside of it: nobody is told of either", silences: []silence.Silence{quietFor("s", 0, 9)},
		ticks: "F F H H H H H H H H H H", want: "- - - - - - - - - - - -",
	},
	{
		name: "on its way to recover when the silence ends: told only if it goes on", silences: []silence.Silence{quietFor("s", 0, 2)},
		ticks: "F F H H H F H F H H", want: "- - - - - open - - - resolve",
	},
	{
		name: "a healthy tick that was none", silences: []silence.Silence{quietFor("s", 0, 2)},
		ticks: "F F H F F H H", want: "- - - silence_ended - - resolve",
	},
	{
		name: "a reminder that was kept back is made up for, by the clock of that message", cooldown: 3 * time.Minute,
		silences: []silence.Silence{quietFor("s", 1, 5)},
		ticks:    "F F F F F F F F F F H H", want: "open - - - - silence_ended - - - remind - resolve",
	},
	{
		name: "the reminders that it used up begin anew", cooldown: time.Minute, most: 2,
		silences: []silence.Silence{quietFor("s", 1, 6)},
		ticks:    "F F F F F F F F F F F", want: "open - - - - - silence_ended - remind remind -",
	},
	{
		name: "no reminder comes in the minute in which the end of the silence is told", cooldown: time.Minute,
		silences: []silence.Silence{quietFor("s", 0, 2)},
		ticks:    "F F F F F F", want: "- - silence_ended - remind remind",
	},
	{
		name: "a silence between two reminders keeps nothing back", cooldown: 5 * time.Minute,
		silences: []silence.Silence{quietFor("s", 1, 4)},
		ticks:    "F F F F F F F", want: "open - - - - remind -",
	},
	{
		name:     "of silences that overlap the last one counts",
		silences: []silence.Silence{quietFor("a", 0, 3), quietFor("b", 2, 6), quietFor("c", 1, 5)},
		ticks:    "F F F F F F F F", want: "- - - - - - silence_ended -",
	},
	{
		name:     "a second silence after the first, in one episode",
		silences: []silence.Silence{quietFor("a", 0, 2), quietFor("b", 4, 8)}, cooldown: 3 * time.Minute,
		ticks: "F F F F F F F F F F", want: "- - silence_ended - - - - - silence_ended -",
	},
	{
		name:     "the next episode is told",
		silences: []silence.Silence{quietFor("a", 0, 3)},
		ticks:    "F H H F H H", want: "- - - open - resolve",
	},
	{
		name:     "what ends while its source is out is told: nobody knows that it is over",
		silences: []silence.Silence{quietFor("a", 0, 2)},
		ticks:    "F U U U", want: "- - silence_ended -",
	},
}

func TestSilences(t *testing.T) {
	for i, tc := range silenceLines {
		onStores(t, tc.name, i < 3, func(t *testing.T, s store) {
			v := newVendor()
			r := newRig(t, s, v)
			p := incident.DefaultPolicy()
			if tc.cooldown > 0 {
				p.Cooldown = tc.cooldown
			}
			p.MaxReminders = tc.most
			r.setPolicy(p)
			for _, one := range tc.silences {
				if err := s.PutSilence(t.Context(), one); err != nil {
					t.Fatal(err)
				}
			}
			got := strings.Join(r.play(v, tc.ticks), " ")
			if got != tc.want {
				t.Errorf("ticks %s\n got %s\nwant %s", tc.ticks, got, tc.want)
			}
			r.checkSilenced(tc.silences)
			if rep := r.explained(r.state().Key, explain.Query{}); len(rep.Differences) > 0 {
				t.Errorf("the replay differs from the log: %+v", rep.Differences)
			}
		})
	}
}

// checkSilenced checks the suppressed messages in the ledger: each names its silence,
// was never tried and is charged to nobody.
func (r *rig) checkSilenced(all silence.Set) {
	r.t.Helper()
	log, err := r.tap.Decisions(r.t.Context(), r.state().Key)
	if err != nil {
		r.t.Fatal(err)
	}
	kept := map[string]string{}
	for _, d := range log {
		for to, by := range d.Silenced {
			kept[delivery.ID("test", d.IncidentKey, d.Episode, d.Sequence, to)] = by
		}
	}
	found := 0
	for _, d := range r.ledger() {
		if d.State != delivery.Silenced {
			continue
		}
		found++
		one, known := all.ByID(d.SilencedBy)
		if !known || d.Tries() > 0 || kept[d.ID] != d.SilencedBy || d.Note != "kept back by silence "+one.ID {
			r.t.Errorf("kept back: %+v; the log has %v", d, kept)
		}
		_, holds := one.Holds(d.CreatedAt)
		if !holds && d.Action != incident.Resolve {
			r.t.Errorf("%s at %v is kept back by %+v", d.Action, d.CreatedAt, one)
		}
	}
	if found == 0 && len(kept) > 0 {
		r.t.Error("nothing was kept back")
	}
}

// TestAMessageAfterASilenceSaysSo: the first message after a silence says what the
// incident is, how long it has been open and which silence ended.
func TestAMessageAfterASilenceSaysSo(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		if err := s.PutSilence(t.Context(), quietFor("s-moving", 0, 4)); err != nil {
			t.Fatal(err)
		}
		r.play(v, "FFFFF")
		text := r.posts()[0]
		for _, want := range []string{"STILL FAILING, NO LONGER SILENCED", "silence s-moving keeps this back no more, and it has been failing for 4 minutes", "next reminder"} {
			if !strings.Contains(text, want) {
				t.Errorf("the message does not say %q:\n%s", want, text)
			}
		}
		log, err := s.Decisions(t.Context(), r.state().Key)
		if err != nil || len(log) != 2 || log[1].Action != incident.SilenceEnded || log[1].Reason != "silence_ended silence=s-moving" {
			t.Errorf("the log: %+v, %v", log, err)
		}
	})
}

// TestEachDestinationIsToldOfItsOwnSilence: two silences end in the same minute, and
// each destination is told of its own.
func TestEachDestinationIsToldOfItsOwnSilence(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		for id, to := range map[string]string{"s-of-slack": slackDest, "s-of-mail": mailDest} {
			one := quietFor(id, 0, 2)
			one.Match = silence.Match{Destination: to}
			if err := s.PutSilence(t.Context(), one); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(r.play(v, "FFFF"), " "); got != "- - silence_ended -" {
			t.Errorf("told %s", got)
		}
		post, mail := strings.Join(r.posts(), "\n"), strings.Join(r.mails(), "\n")
		if !strings.Contains(post, "silence s-of-slack keeps this back no more") || strings.Contains(post, "s-of-mail") {
			t.Errorf("Slack is told:\n%s", post)
		}
		if !strings.Contains(mail, "silence s-of-mail keeps this back no more") || strings.Contains(mail, "s-of-slack") {
			t.Errorf("mail is told:\n%s", mail)
		}
	})
}

// TestASilenceOfADestination: only the destination is silenced. The other is told as
// usual, and its reminders continue.
func TestASilenceOfADestination(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		p := incident.DefaultPolicy()
		p.Cooldown = 2 * time.Minute
		r.setPolicy(p)
		mail := quietFor("s", 0, 5)
		mail.Match = silence.Match{Destination: "mail-*"}
		if err := s.PutSilence(t.Context(), mail); err != nil {
			t.Fatal(err)
		}
		var got []string
		for n, letter := range "FFFFFFFHH" {
			v.set("vendor", listingFor(t, byte(letter)))
			r.tick(n)
			told := r.told()
			got = append(got, fmt.Sprintf("%s/%s", strings.Join(told[slackDest], "+"), strings.Join(told[mailDest], "+")))
		}
		if want := "open/ / remind/ / remind/ /silence_ended / / resolve/resolve"; strings.Join(got, " ") != want {
			t.Errorf("Slack and mail were told %s, want %s", strings.Join(got, " "), want)
		}
	})
}

// TestANightlyWindowOverBothChangesOfTheClocks: a silence planned in the
// configuration, from 22:00 to 07:00 in Berlin, over the nights in which the clocks go
// forward and back.
func TestANightlyWindowOverBothChangesOfTheClocks(t *testing.T) {
	for _, night := range []struct{ before, opens, closes string }{
		{"2026-03-28 20:59", "2026-03-28 21:00", "2026-03-29 05:00"},
		{"2026-10-24 19:59", "2026-10-24 20:00", "2026-10-25 06:00"},
	} {
		onStores(t, night.closes, false, func(t *testing.T, s store) {
			at := func(text string) int {
				day, err := time.Parse("2006-01-02 15:04", text)
				if err != nil {
					t.Fatal(err)
				}
				return int(day.Sub(noon) / time.Minute)
			}
			v := newVendor()
			r := newRig(t, s, v)
			r.cfg.Silences = silence.Set{{
				ID: "nights", Match: silence.Match{Owner: "payments"}, Zone: "Europe/Berlin", Planned: true, Reason: "nights", Author: "alice",
				Windows: []silence.Window{{From: 22 * 60, To: 7 * 60}},
			}}
			told := func(n int, letter byte) string {
				v.set("vendor", listingFor(t, letter))
				r.tick(n)
				return r.toldEqually()
			}
			opens, closes := at(night.opens), at(night.closes)
			got := []string{
				told(at(night.before)-3, 'F'), told(at(night.before)-2, 'H'), told(at(night.before)-1, 'H'), told(at(night.before), 'U'),
				told(opens, 'F'), told(closes-1, 'F'), told(closes, 'F'), told(closes+1, 'F'),
			}
			if want := "open - resolve - - - silence_ended -"; strings.Join(got, " ") != want {
				t.Errorf("told %v, want %s", got, want)
			}
		})
	}
}

// TestASilenceThatIsEndedEarly: a silence that a person ends early is over from then
// on.
func TestASilenceThatIsEndedEarly(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		if err := s.PutSilence(t.Context(), quietFor("s", 0, 600)); err != nil {
			t.Fatal(err)
		}
		v.set("vendor", listingFor(t, 'F'))
		got := []string{}
		for n := range 4 {
			if n == 2 {
				if err := s.EndSilence(t.Context(), "s", "bob", r.now); err != nil {
					t.Fatal(err)
				}
			}
			r.tick(n)
			got = append(got, r.toldEqually())
		}
		if want := "- - silence_ended -"; strings.Join(got, " ") != want {
			t.Errorf("told %v, want %s", got, want)
		}
	})
}

// TestASilenceThatBeginsWhileAMessageWaits: what was decided before a silence began is
// delivered, however long that takes.
func TestASilenceThatBeginsWhileAMessageWaits(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.inbox.Script(slackDest, inbox.ServerError(), inbox.ServerError())
		if err := s.PutSilence(t.Context(), quietFor("s", 1, 60)); err != nil {
			t.Fatal(err)
		}
		var slack, mail []string
		for n, letter := range "FFFFHH" {
			v.set("vendor", listingFor(t, byte(letter)))
			r.tick(n)
			told := r.told()
			slack, mail = append(slack, told[slackDest]...), append(mail, told[mailDest]...)
		}
		if a, b := strings.Join(slack, " "), strings.Join(mail, " "); a != "open resolve" || b != "open resolve" {
			t.Errorf("Slack was told %s, mail %s", a, b)
		}
	})
}

// TestTheEndOfASilenceIsToldOnce: sweeps and deciders run concurrently, and everything
// is replayed. What a silence suppressed is told exactly once after its end.
func TestTheEndOfASilenceIsToldOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		if err := s.PutSilence(t.Context(), quietFor("s", 0, 2)); err != nil {
			t.Fatal(err)
		}
		obs := []observation.Observation{}
		for n := range 2 {
			obs = append(obs, observedKey(0, minute(n), observation.Failing))
		}
		r.now = minute(1)
		r.decideOnly(obs...)
		r.now = minute(2)
		obs = append(obs, observedKey(0, minute(2), observation.Failing))
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if err := r.lapseAsOf(minute(2)); err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() {
				if failed := r.decider().Decide(t.Context(), obs); len(failed) > 0 {
					t.Error(failed)
				}
			})
		}
		wg.Wait()
		for n := 2; n < 5; n++ {
			r.lapse(minute(n))
			r.decideOnly(obs...)
		}
		var actions []string
		for _, d := range r.ledger() {
			if d.Destination == slackDest {
				actions = append(actions, string(d.Action)+" "+string(d.State))
			}
		}
		slices.Sort(actions)
		if got := strings.Join(actions, ", "); got != "open silenced, silence_ended delivered" {
			t.Errorf("the ledger has %s", got)
		}
	})
}

// TestAnAcknowledgementStopsRemindersAndNotTheResolve: an acknowledgement stops
// reminders until the incident resolves, and nothing else.
func TestAnAcknowledgementStopsRemindersAndNotTheResolve(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		p := incident.DefaultPolicy()
		p.Cooldown = 2 * time.Minute
		r.setPolicy(p)
		var got []string
		for n, letter := range "FFFFFFFHHFFFFFFHH" {
			v.set("vendor", listingFor(t, byte(letter)))
			r.tick(n)
			got = append(got, r.toldEqually())
			var err error
			if s := r.state(); n == 9 && s.Acked() {
				t.Errorf("the next episode begins acknowledged: %+v", s.Ack)
			}
			switch n {
			case 2:
				_, err = r.decider().Acknowledge(t.Context(), r.state().Key, "alice", "rolling back")
			case 10:
				_, err = r.decider().Acknowledge(t.Context(), r.state().Key, "bob", "")
			case 13:
				_, err = r.decider().Unacknowledge(t.Context(), r.state().Key, "bob")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := "open - remind - - - - - resolve open - - - - remind - resolve"; strings.Join(got, " ") != want {
			t.Errorf("\n got %s\nwant %s", strings.Join(got, " "), want)
		}
		if s := r.state(); s.Acked() {
			t.Errorf("still acknowledged: %+v", s.Ack)
		}
		rep := r.explained(r.state().Key, explain.Query{})
		if len(rep.Differences) > 0 || !strings.Contains(line(rep), "unknown×0 ack ack; failing×4 none acknowledged") {
			t.Errorf("explained: %s, %+v", line(rep), rep.Differences)
		}
		if _, err := r.decider().Acknowledge(t.Context(), r.state().Key, "bob", ""); err == nil || !strings.Contains(err.Error(), "it is resolved") {
			t.Errorf("a resolved incident is acknowledged: %v", err)
		}
	})
}

// TestTheEndOfASilenceAndAnAcknowledgement: a destination that was told of an
// acknowledged incident is not told that a silence has ended; one that was not told
// is. Everybody is once the acknowledgement is taken back.
func TestTheEndOfASilenceAndAnAcknowledgement(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.Cooldown = time.Minute
	r.setPolicy(p)
	mail, all := quietFor("mail", 0, 4), quietFor("all", 1, 4)
	mail.Match = silence.Match{Destination: mailDest}
	for _, s := range []silence.Silence{mail, all} {
		if err := r.tap.PutSilence(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	v.set("vendor", listingFor(t, 'F'))
	for n := range 9 {
		r.tick(n)
		told := r.told()
		got = append(got, fmt.Sprintf("%s/%s", strings.Join(told[slackDest], "+"), strings.Join(told[mailDest], "+")))
		var err error
		switch n {
		case 2:
			_, err = r.decider().Acknowledge(t.Context(), r.state().Key, "alice", "")
		case 5:
			_, err = r.decider().Unacknowledge(t.Context(), r.state().Key, "alice")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := "open/ / / / /silence_ended / silence_ended/remind / remind/remind"; strings.Join(got, " ") != want {
		t.Errorf("Slack and mail were told %s, want %s", strings.Join(got, " "), want)
	}
}

// TestASilentFallbackHearsWhatIsForAnother: what a destination cannot be told goes to
// its fallback even if the fallback itself is silenced, so that somebody is told.
func TestASilentFallbackHearsWhatIsForAnother(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
	s := quietFor("s", 0, 60)
	s.Match = silence.Match{Destination: mailDest}
	if err := r.tap.PutSilence(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	r.inbox.Script(slackDest, inbox.Gone())
	r.play(v, "FF")
	mails := r.mails()
	if len(mails) == 0 || !strings.Contains(strings.Join(mails, "\n"), "destination "+slackDest+" could not be told") {
		t.Errorf("mails: %q", mails)
	}
	for _, d := range r.ledger() {
		if d.Destination == mailDest && d.For == "" && d.Action == incident.Open && d.State != delivery.Silenced {
			t.Errorf("its own message: %+v", d)
		}
	}
}

// TestADestinationThatIsRenamedInsideASilence: the open was suppressed, and the
// destination is renamed during the silence. Nobody was told of the open, so nobody is
// told of the resolve.
func TestADestinationThatIsRenamedInsideASilence(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		if err := s.PutSilence(t.Context(), quietFor("s", 0, 60)); err != nil {
			t.Fatal(err)
		}
		r.play(v, "FF")
		to := r.cfg.Destinations[slackDest]
		delete(r.cfg.Destinations, slackDest)
		to.ID = "slack-new"
		r.cfg.Destinations[to.ID] = to
		r.audience(to.ID)
		v.set("vendor", listingFor(t, 'H'))
		for n := 2; n < 6; n++ {
			r.tick(n)
		}
		if posts := r.posts(); len(posts) > 0 {
			t.Errorf("told %q", posts)
		}
		if rep := r.explained(r.state().Key, explain.Query{}); rep.State.Status != "resolved" || len(rep.Differences) > 0 {
			t.Errorf("explained: %s, %+v", rep.State.Status, rep.Differences)
		}
	})
}
