package scenario_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/recorded"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay"
	"github.com/ringonce/ringonce/internal/silence"
)

// history is the life of one incident, minute by minute, with a decider that keeps
// nothing in memory between two minutes.
type history struct {
	t     rapid.TB
	ctx   context.Context
	store *memory.Store
	cfg   *config.Config
	now   time.Time
	key   string
	log   *slog.Logger
}

// ofHistory are the sources that report the incident.
var ofHistory = []string{"vendor", "other", "third"}

func newHistory(t rapid.TB, ctx context.Context, p incident.Policy) *history {
	cfg := baseConfig()
	for _, id := range ofHistory[1:] {
		other := cfg.Sources[0]
		other.ID = id
		cfg.Sources = append(cfg.Sources, other)
	}
	for i := range cfg.Sources {
		cfg.Sources[i].Policy = p
	}
	return &history{
		t: t, ctx: ctx, store: memory.New(), cfg: cfg, key: observedKey(0, noon, observation.Failing).IncidentKey,
		log: slog.New(slog.NewJSONHandler(io.Discard, nil)),
	}
}

func (h *history) lapser() *decide.Lapser {
	return &decide.Lapser{Evidence: h.store, Decider: &decide.Decider{
		Config: h.cfg, Store: h.store, Render: channels.Render, Log: h.log, Now: func() time.Time { return h.now },
		Sleep: func(context.Context, time.Duration) error { return nil }, Jitter: func() float64 { return 0 },
	}}
}

// said is what a source reports of the incident at a minute.
type said struct {
	minute  int
	source  string
	verdict observation.Verdict
}

// minute plays one minute: what is reported in it, in this order and perhaps twice,
// and a sweep. A report of an earlier minute is late.
func (h *history) minute(n int, all []said, again bool) {
	var obs [][]observation.Observation
	for i, s := range all {
		o := observedKey(0, minute(s.minute), s.verdict)
		o.Source, o.ObservedAt = s.source, minute(n).Add(time.Duration(3+i)*time.Second)
		h.now = o.ObservedAt
		if _, err := h.store.PutObservation(h.ctx, o, time.Time{}); err != nil {
			h.t.Fatal(err)
		}
		if i > 0 && s.minute == all[i-1].minute {
			obs[len(obs)-1] = append(obs[len(obs)-1], o)
			continue
		}
		obs = append(obs, []observation.Observation{o})
	}
	for range map[bool]int{false: 1, true: 2}[again] {
		for _, batch := range obs {
			if failed := h.lapser().Decide(h.ctx, slices.Clone(batch)); len(failed) > 0 {
				h.t.Fatal(failed)
			}
		}
		if err := h.lapser().Lapse(h.ctx, minute(n+1)); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *history) state() incident.State {
	states, err := h.store.States(h.ctx, []string{h.key})
	if err != nil {
		h.t.Fatal(err)
	}
	return states[h.key]
}

func (h *history) decisions() []incident.Decision {
	log, err := h.store.Decisions(h.ctx, h.key)
	if err != nil {
		h.t.Fatal(err)
	}
	return log
}

// items returns the messages to one destination, in order.
func (h *history) items(destination string) []delivery.Delivery {
	var all []delivery.Delivery
	err := h.store.Deliveries(h.ctx, func(d delivery.Delivery) error {
		if d.Destination == destination {
			all = append(all, d)
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b delivery.Delivery) int { return strings.Compare(a.Ref().Slot, b.Ref().Slot) })
	return all
}

func drawSilences(t *rapid.T, minutes int) silence.Set {
	var all silence.Set
	for i := range rapid.IntRange(0, 4).Draw(t, "silences") {
		s := quietFor(fmt.Sprint("s-", i), rapid.IntRange(0, minutes).Draw(t, "from"), 0)
		s.Until = s.From.Add(time.Duration(rapid.IntRange(1, minutes/2).Draw(t, "long")) * time.Minute)
		s.Match = rapid.SampledFrom([]silence.Match{
			{Key: "*"}, {Owner: "payments"}, {Destination: slackDest}, {Destination: mailDest}, {Source: "vendor"}, {Owner: "nobody"},
		}).Draw(t, "match")
		if rapid.Bool().Draw(t, "ended") {
			s.EndedAt = s.From.Add(s.Until.Sub(s.From) / 2).Truncate(time.Minute)
		}
		all = append(all, s)
	}
	return all
}

// drawPolicy changes settings that may also change while an incident is open.
func drawPolicy(t *rapid.T, p incident.Policy) incident.Policy {
	p.FailingRequired, p.HealthyRequired = rapid.IntRange(1, 3).Draw(t, "failing"), rapid.IntRange(1, 3).Draw(t, "healthy")
	p.Cooldown = time.Duration(rapid.IntRange(0, 6).Draw(t, "cooldown")) * time.Minute
	p.MaxReminders = rapid.IntRange(0, 3).Draw(t, "reminders")
	p.FlapEpisodes = rapid.SampledFrom([]int{0, 2}).Draw(t, "flaps")
	p.StaleAfter = rapid.SampledFrom([]time.Duration{0, 4 * time.Minute}).Draw(t, "stale")
	return p
}

// TestRandomHistoriesWithSilences plays random histories with failures and recoveries,
// silences, acknowledgements, changed policies, removed sources and late observations.
// Each destination is told of an episode in order and once, and nothing while it is
// silenced; nothing that goes on afterwards is lost.
func TestRandomHistoriesWithSilences(t *testing.T) {
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		const minutes = 40
		p := incident.DefaultPolicy()
		p.FlapWindow, p.FlapStableTicks, p.ReopenWithin = 15*time.Minute, 3, 5*time.Minute
		p = drawPolicy(t, p)
		h, bare := newHistory(t, ctx, p), newHistory(t, ctx, p)
		silences := drawSilences(t, minutes)
		for _, s := range silences {
			if err := h.store.PutSilence(ctx, s); err != nil {
				t.Fatal(err)
			}
		}
		verdicts := rapid.SampledFrom([]observation.Verdict{
			observation.Failing, observation.Failing, observation.Failing, observation.Healthy, observation.Healthy, observation.Unknown,
		})
		left := len(ofHistory)
		changes := drawChanges(t, minutes)
		tardy := rapid.Bool().Draw(t, "tardy")
		var late []said
		for n := range minutes {
			for _, c := range changes[n] {
				left = min(left, c.left)
				if c.source != "" {
					p = drawPolicy(t, p)
				}
				h.configure(p, c.source, left)
				bare.configure(p, c.source, left)
			}
			// Decide folds no observation of a source that is no longer configured.
			late = slices.DeleteFunc(late, func(s said) bool { return slices.Index(ofHistory, s.source) >= left })
			var all, later []said
			for i, source := range ofHistory[:left] {
				if i > 0 && rapid.IntRange(0, 3).Draw(t, "too") > 0 {
					continue
				}
				report := said{n, source, verdicts.Draw(t, source)}
				if tardy && rapid.IntRange(0, 9).Draw(t, "late") == 0 {
					later = append(later, report)
				} else {
					all = append(all, report)
				}
			}
			all, late = append(all, late...), later
			h.minute(n, all, rapid.Bool().Draw(t, "again"))
			bare.minute(n, all, false)
			h.speak(n, rapid.IntRange(0, 12).Draw(t, "says"))
			h.checkNow(silences)
		}
		for _, to := range []string{slackDest, mailDest} {
			h.checkMessages(to, silences)
		}
		h.checkDecisions(bare)
		h.checkExplained(tardy)
		if len(changes) == 0 && !tardy {
			h.checkReplayed()
		}
	})
}

// change is a change of the configuration: a source has a new policy, or only the
// first few sources are left.
type change struct {
	source string
	left   int
}

func drawChanges(t *rapid.T, minutes int) map[int][]change {
	all := map[int][]change{}
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		n := rapid.IntRange(0, minutes-1).Draw(t, "changed at")
		all[n] = append(all[n], change{rapid.SampledFrom([]string{"vendor", "other", "third", "*"}).Draw(t, "of"), len(ofHistory)})
	}
	if removed := rapid.IntRange(0, 2*minutes).Draw(t, "removed"); removed < minutes {
		all[removed] = append(all[removed], change{left: rapid.IntRange(1, 2).Draw(t, "left")})
	}
	return all
}

// configure gives a policy to a source, or to all of them, and keeps the first few
// sources.
func (h *history) configure(p incident.Policy, source string, left int) {
	cfg := *h.cfg
	cfg.Sources = slices.Clone(cfg.Sources[:min(left, len(cfg.Sources))])
	for i := range cfg.Sources {
		if source == "*" || source == cfg.Sources[i].ID {
			cfg.Sources[i].Policy = p
		}
	}
	h.cfg = &cfg
}

// What a person may do to the incident; any other number is nothing.
const (
	takesOn = iota
	takesBack
)

func (h *history) speak(n, what int) {
	var err error
	switch what {
	case takesOn:
		_, err = h.lapser().Acknowledge(h.ctx, h.key, "alice", "")
	case takesBack:
		_, err = h.lapser().Unacknowledge(h.ctx, h.key, "bob")
	}
	if err != nil && !strings.Contains(err.Error(), decide.ErrNothingOpen.Error()) {
		h.t.Fatalf("minute %d: %v", n, err)
	}
}

// checkNow fails if a destination that is not silenced was not told of the open
// incident.
func (h *history) checkNow(silences silence.Set) {
	s := h.state()
	if !s.Open || s.HealthyStreak > 0 {
		return
	}
	kept := h.cfg.Kept(silences, s, "payments", []string{slackDest, mailDest}, h.now)
	for _, to := range []string{slackDest, mailDest} {
		if kept[to] == "" && !slices.Contains(s.Told, to) {
			h.t.Fatalf("at %v nothing keeps %s quiet, and it knows nothing: %+v", h.now, to, s)
		}
	}
}

func (h *history) checkMessages(to string, silences silence.Set) {
	told := map[int][]incident.Action{}
	last := 0
	for _, d := range h.items(to) {
		by, known := silences.ByID(d.SilencedBy)
		_, holds := by.Holds(d.CreatedAt)
		switch {
		case d.State == delivery.Silenced && (!known || (!holds && d.Action != incident.Resolve)):
			h.t.Fatalf("%s %d.%d is kept back by %q, which does not hold", d.Action, d.Episode, d.Sequence, d.SilencedBy)
		case d.State != delivery.Silenced:
			told[d.Episode] = append(told[d.Episode], d.Action)
		}
		last = d.Episode
	}
	s := h.state()
	for episode := 1; episode <= last; episode++ {
		a := told[episode]
		over := episode < s.Episode || !s.Open
		if len(a) == 0 {
			continue
		}
		if first := a[0]; first != incident.Open && first != incident.SilenceEnded {
			h.t.Fatalf("%s: the first of episode %d is %v", to, episode, a)
		}
		opens, resolves := 0, 0
		for i, action := range a {
			if action == incident.Open {
				opens++
			}
			if action == incident.Resolve {
				resolves++
				if i != len(a)-1 {
					h.t.Fatalf("%s: something follows the end of episode %d: %v", to, episode, a)
				}
			}
		}
		if opens > 1 || (over && resolves != 1) || (!over && resolves != 0) {
			h.t.Fatalf("%s: episode %d (over %v) was told as %v", to, episode, over, a)
		}
	}
}

// checkDecisions fails if silences or people changed when an incident opened or
// resolved.
func (h *history) checkDecisions(bare *history) {
	turns := func(x *history) string {
		var all []string
		for _, d := range x.decisions() {
			if d.Action == incident.Open || d.Action == incident.Resolve {
				all = append(all, fmt.Sprintf("%s %d %s %s", d.Action, d.Episode, d.Tick.Format("15:04"), d.Reason))
			}
		}
		return strings.Join(all, "\n")
	}
	if a, b := turns(h), turns(bare); a != b {
		h.t.Fatalf("with silences\n%s\nwithout\n%s", a, b)
	}
}

// checkExplained fails if explain comes to other decisions than were made. If
// observations were late, it may note that it cannot tell.
func (h *history) checkExplained(tardy bool) {
	x := explain.Explainer{Store: h.store, Config: h.cfg}
	rep, err := x.Explain(h.ctx, explain.Found{Key: h.key, By: explain.ByKey}, explain.Query{})
	if err != nil || len(rep.Differences) > 0 || (len(rep.Notes) > 0 && !tardy) {
		h.t.Fatalf("explain differs: %+v, %v, %v\n%s", rep.Differences, rep.Notes, err, h.told(rep))
	}
}

// told lists what was decided and what a report says of it.
func (h *history) told(rep *explain.Report) string {
	var b strings.Builder
	for _, d := range h.decisions() {
		fmt.Fprintln(&b, "log", d.Tick.Format("15:04"), d.Source, d.Action, d.Reason, d.PolicyHash)
	}
	for _, e := range rep.Timeline {
		fmt.Fprintln(&b, e.First.Format("15:04"), e.Last.Format("15:04"), e.Source, e.Verdict, e.Action, e.Reason)
	}
	return b.String()
}

// checkReplayed is case O3: a backtest of the stored rows decides the same.
func (h *history) checkReplayed() {
	var live, replayed []string
	for _, d := range h.decisions() {
		if d.Action != incident.Ack && d.Action != incident.Unack {
			live = append(live, fmt.Sprintf("%s %d.%d %s %s", d.Action, d.Episode, d.Sequence, observation.FormatTick(d.Tick), d.Reason))
		}
	}
	_, err := replay.Run(recorded.Rows(h.ctx, h.store), []replay.Candidate{recorded.Live(h.cfg)}, replay.Options{OnNotice: func(n replay.Notice) {
		replayed = append(replayed, fmt.Sprintf("%s %d.%d %s %s", n.Action, n.Episode, n.Sequence, n.Tick, n.Reason))
	}})
	if err != nil || !slices.Equal(live, replayed) {
		h.t.Fatalf("live\n%s\nreplayed\n%s\n%v", strings.Join(live, "\n"), strings.Join(replayed, "\n"), err)
	}
}
