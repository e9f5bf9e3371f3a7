package faults_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/silence"
)

var (
	seedFlag = flag.Uint64("seed", 0, "replay the pair of faults of this seed only")
	pairs    = flag.Int("pairs", 7000, "how many random pairs of faults to play")
	onEngine = flag.Int("engine", 200, "how many of them to play on the real engine")
	fresh    = flag.Bool("fresh", false, "draw new seeds instead of those that every change is held to")
)

// firstSeed makes every run of the tests play the same pairs: a change that
// breaks one is told so at once, and by nothing but the change. With -fresh a
// run goes looking for what nobody has seen yet.
const firstSeed = 1795975954565634093

// nth is the share of the places at which faults are played: all of them, but
// under the race detector.
var nth = 1

func seeds() uint64 {
	if *fresh {
		return uint64(time.Now().UnixNano())
	}
	return firstSeed
}

// story is a time line of minutes for one incident: F fails, H does not.
type story struct {
	name   string
	keys   int
	line   string
	policy func(*incident.Policy)
	// same tells that a lost minute changes no message.
	same bool
	// silences hold by the minute.
	silences silence.Set
	// machine makes the fallback one that honours idempotency keys and wants each
	// message for itself.
	machine bool
	// receipts has plain say later what has become of each message.
	receipts bool
	// lapses has nobody say that an incident is over: it ends by silence.
	lapses bool
	// looks makes plain a Slack bot, which looks for what may have arrived.
	looks bool
	// watched has the heartbeat look at all others.
	watched bool
	// enriches has the vendor asked for more about each failure that is new.
	enriches bool
	// moves is the minute at which another source takes the place of the vendor.
	moves int
}

var stories = []story{
	{name: "open and resolve", keys: 1, line: "FFFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, same: true},
	{name: "reminders and a second episode", keys: 1, line: "FFFHHFFHH", policy: func(p *incident.Policy) { p.Cooldown = time.Minute }},
	{name: "a storm of four", keys: 4, line: "FFFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, same: true},
}

// further are stories of what comes after a message, and of nothing coming.
var further = []story{
	{name: "a mail and its receipts", keys: 1, line: "FFFHHFHH", policy: func(p *incident.Policy) { p.Cooldown = time.Minute }, receipts: true},
	{name: "a storm of four by mail", keys: 4, line: "FFFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, receipts: true},
	{name: "nobody speaks any more", keys: 1, line: "FFFHHHHHHH", policy: func(p *incident.Policy) { p.Cooldown, p.StaleAfter = time.Minute, 2*time.Minute }, lapses: true},
	{name: "a bot that looks", keys: 1, line: "FFFHHFHH", policy: func(p *incident.Policy) { p.Cooldown = time.Minute }, looks: true},
	{name: "watched by the heartbeat", keys: 1, line: "FFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, same: true, receipts: true, watched: true},
	{name: "asked for more", keys: 1, line: "FFFHHFHH", policy: func(p *incident.Policy) { p.Cooldown = time.Minute }, enriches: true},
	{name: "moved to another vendor", keys: 1, line: "FFFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, same: true, moves: 3},
}

// silenced are stories with silences, played apart from the others.
var silenced = []story{
	{name: "silenced to the end of a silence", keys: 1, line: "FFFFFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, silences: silence.Set{quiet("*", 0, 3)}},
	{name: "silenced between open and reminder", keys: 1, line: "FFFFFFHH", policy: func(p *incident.Policy) { p.Cooldown = time.Minute }, silences: silence.Set{quiet("*", 1, 4)}},
	{name: "silenced for one, and for all for a while", keys: 1, line: "FFFFFFFHHFFHH", policy: func(p *incident.Policy) { p.Cooldown = 2 * time.Minute }, silences: silence.Set{quiet(plain, 0, 5), quiet("*", 2, 4)}},
	{name: "over inside of a silence", keys: 1, line: "FFHHFFFHH", policy: func(p *incident.Policy) { p.Cooldown = time.Minute }, silences: silence.Set{quiet("*", 0, 5)}},
	{name: "a storm of three in a silence", keys: 3, line: "FFFFHH", policy: func(p *incident.Policy) { p.Cooldown = 0 }, silences: silence.Set{quiet("*", 0, 2)}},
}

func quiet(destination string, from, until int) silence.Silence {
	return silence.Silence{
		ID: fmt.Sprintf("s-%d", from), Match: silence.Match{Destination: destination},
		From: noon.Add(time.Duration(from) * time.Minute), Until: noon.Add(time.Duration(until) * time.Minute),
	}
}

// play plays a story with the faults, and then in calm to its end.
func play(s story, st store, faults []planned) *world {
	p := incident.DefaultPolicy()
	s.policy(&p)
	w := newWorld(st, s.keys, faults, p)
	if behind, ok := st.(lagging); ok {
		w.lag = behind.lag
	}
	w.cfg.Silences = s.silences
	w.receipted, w.lapses = s.receipts, s.lapses || len(s.silences) > 0
	if s.lapses {
		w.cfg.Sources[0].Absent = config.AbsentUnknown
		w.cfg.Retention.Decisions, w.cfg.Retention.Deliveries = time.Minute, time.Minute
	}
	if s.machine {
		to := w.cfg.Destinations[backup]
		to.DigestOver = 0
		w.cfg.Destinations[backup], w.receivers[backup].honours = to, true
	}
	if s.looks {
		w.slack = w.withBot()
	}
	if s.watched {
		w.watching = &watching{w: w}
	}
	if w.enriches = s.enriches; s.enriches {
		w.cfg.Sources[0].Enrich.URL = "https://vendor.example.com/" + config.IDPlace
	}
	n := 0
	for _, letter := range s.line {
		if n == s.moves && n > 0 {
			w.move()
		}
		w.tick(n, letter == 'F')
		n++
	}
	w.becalm()
	for range 3 {
		w.tick(n, false)
		n++
	}
	w.calmDown()
	if s.watched {
		w.again()
		w.calmDown()
	}
	return w
}

// reached counts how often the schedules came to what they are there to show.
type reached struct{ digests, folded, diverted, refusals, repeats, held, bounced int }

func (n *reached) add(w *world) {
	_ = w.store.store.Deliveries(context.Background(), func(d delivery.Delivery) error {
		if d.Receipt.Fate.Bad() {
			n.bounced++
		}
		switch {
		case d.Action == delivery.Refused:
			n.refusals++
		case d.For != "":
			n.diverted++
		case d.Action == delivery.Digest:
			n.digests++
		case d.In != "" && d.Action == incident.Resolve:
			n.folded++
		case d.State == delivery.Held:
			n.held++
		}
		return nil
	})
	for _, r := range w.receivers {
		for _, m := range r.shown {
			if m.Repeat {
				n.repeats++
			}
		}
	}
}

func report(t *testing.T, w *world, what string) {
	t.Helper()
	if wrong := w.judge(); len(wrong) > 0 {
		t.Errorf("%s\n  with %s\n  is wrong:\n    %s", what, strings.Join(w.journal, ";\n       "), strings.Join(wrong, "\n    "))
	}
}

func TestWithoutFaults(t *testing.T) {
	for _, s := range slices.Concat(stories, further) {
		w := play(s, memory.New(), nil)
		report(t, w, s.name)
		t.Logf("%s: %d places, %d calls to %s", s.name, len(w.seen), w.receivers[plain].calls, plain)
	}
}

// sameAs wants a fault to change nothing in what a service that honours
// idempotency keys shows (case D10).
func sameAs(t *testing.T, clean, w *world) {
	t.Helper()
	want, got := clean.receivers[keyed].shownIDs(), w.receivers[keyed].shownIDs()
	if !slices.Equal(got, want) {
		t.Errorf("with %s\n  %s shows %v, want %v", strings.Join(w.journal, ";"), keyed, got, want)
	}
}

// TestEveryFaultAtEveryPlace is case D10 and its kin: one fault, everywhere.
func TestEveryFaultAtEveryPlace(t *testing.T) {
	n := 0
	for i, s := range slices.Concat(stories, further) {
		clean := play(s, memory.New(), nil)
		// Of the further stories a third: most of what they do is the same.
		nth := nth
		if i >= len(stories) {
			nth *= 3
		}
		for place, c := range clean.seen {
			for choice, f := range possible[c] {
				if (place+choice)%nth != 0 {
					continue
				}
				n++
				w := play(s, memory.New(), []planned{{place, choice}})
				if (f != refused && f != gone && s.same) || f.costsEvidence(c) {
					sameAs(t, clean, w)
				}
				report(t, w, fmt.Sprintf("%q with %s at %d", s.name, f, place))
			}
			if t.Failed() && n > 0 && testing.Short() {
				return
			}
		}
	}
	t.Logf("%d schedules with one fault", n)
}

// TestEveryFaultWhereADigestIsDiverted: the destination of a storm's digest is
// gone, and on its way to the fallback, people or a machine, something goes wrong
// as well.
func TestEveryFaultWhereADigestIsDiverted(t *testing.T) {
	for _, machine := range []bool{false, true} {
		s := stories[2]
		s.machine = machine
		away := planned{slices.Index(play(s, memory.New(), nil).whats, "send digest to "+plain), slices.Index(possible[send], gone)}
		n := 0
		for place, c := range play(s, memory.New(), []planned{away}).seen {
			for choice, f := range possible[c] {
				if place > away.place && place%nth == 0 {
					n++
					report(t, play(s, memory.New(), []planned{away, {place, choice}}), fmt.Sprintf("%q with %s at %d, to a machine %v", s.name, f, place, machine))
				}
			}
		}
		t.Logf("%d schedules with a destination that is gone and one fault more, to a machine %v", n, machine)
	}
}

// placesOf are the places of a story without faults, by kind.
func placesOf(s story) map[class][]int {
	places := map[class][]int{}
	for place, c := range play(s, memory.New(), nil).seen {
		places[c] = append(places[c], place)
	}
	return places
}

// drawPair picks a kind of place first, so that the few sends are hit as often
// as the many writes. The second fault often follows on the first: what takes
// over from a worker meets it. One that falls behind the end does nothing.
func drawPair(r *rand.Rand, places map[class][]int) []planned {
	kinds := slices.Sorted(maps.Keys(places))
	pick := func() planned {
		of := places[kinds[r.IntN(len(kinds))]]
		return planned{of[r.IntN(len(of))], r.IntN(5040)}
	}
	first, second := pick(), pick()
	if r.IntN(2) == 0 {
		second.place = first.place + 1 + r.IntN(30)
	}
	return []planned{first, second}
}

// TestPairsOfFaults plays random pairs; a failing one is replayed by its seed.
func TestPairsOfFaults(t *testing.T) {
	first := seeds()
	if *seedFlag != 0 {
		first, *pairs = *seedFlag, 1
	}
	t.Logf("seeds from %d; replay one with -seed", first)
	all := slices.Concat(stories, further)
	places := make([]map[class][]int, len(all))
	for i, s := range all {
		places[i] = placesOf(s)
	}
	var n reached
	failures := 0
	for i := range *pairs {
		seed := first + uint64(i)
		r := rand.New(rand.NewPCG(seed, 0))
		k := r.IntN(len(all))
		w := play(all[k], maybeLagging(seed), drawPair(r, places[k]))
		n.add(w)
		if report(t, w, fmt.Sprintf("%q, -seed %d", all[k].name, seed)); t.Failed() {
			if failures++; failures == 5 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d schedules with two faults reached %+v", *pairs, n)
}

// TestSilencesUnderFaults plays the stories with silences: a fault everywhere,
// and random pairs.
func TestSilencesUnderFaults(t *testing.T) {
	n, ended := 0, 0
	for k, s := range silenced {
		clean := play(s, memory.New(), nil)
		report(t, clean, s.name)
		if told, want := clean.count(incident.SilenceEnded), []int{2, 2, 2, 2, 6}[k]; told != want {
			t.Errorf("%s: %d messages say that a silence has ended, want %d", s.name, told, want)
		}
		// All that can go wrong, one thing at each place.
		for place, c := range clean.seen {
			if place%nth != 0 {
				continue
			}
			w := play(s, memory.New(), []planned{{place, place}})
			report(t, w, fmt.Sprintf("%q with a fault at %d (%s)", s.name, place, possible[c][place%len(possible[c])]))
			n, ended = n+1, ended+w.count(incident.SilenceEnded)
		}
		places := placesOf(s)
		for i := range *pairs / 80 {
			r := rand.New(rand.NewPCG(seeds()+uint64(i), 0))
			w := play(s, maybeLagging(uint64(i)), drawPair(r, places))
			report(t, w, fmt.Sprintf("%q, pair %d", s.name, i))
			if n++; t.Failed() {
				return
			}
		}
	}
	t.Logf("%d schedules told %d times that a silence had ended", n, ended)
}

func (w *world) count(a incident.Action) int {
	n := 0
	_ = w.store.store.Deliveries(context.Background(), func(d delivery.Delivery) error {
		if d.Action == a && d.State == delivery.Delivered {
			n++
		}
		return nil
	})
	return n
}
