package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// attemptRunning is the class of an attempt that has not ended.
const attemptRunning = "running"

// deliveries returns the messages in the window, and the newest notice of all, which
// names the owner at the time.
func (x *Explainer) deliveries(ctx context.Context, key string, r *replay) ([]Delivery, notice.Notice, error) {
	var (
		shown  = []Delivery{}
		newest notice.Notice
	)
	episodes, err := x.unloggedMessages(ctx, key, r)
	if err != nil {
		return nil, newest, err
	}
	for _, episode := range r.episodesWithMessages() {
		all, err := x.Store.Episode(ctx, key, episode)
		if err != nil {
			return nil, newest, err
		}
		episodes = append(episodes, all)
	}
	for _, all := range episodes {
		for _, d := range all {
			if d.Notice.IncidentKey != "" {
				newest = d.Notice
			}
			if !r.query.includes(d.Tick, d.Episode) {
				continue
			}
			m := deliveryOf(d)
			if m.In, err = x.readTelling(ctx, d, all); err != nil {
				return nil, newest, err
			}
			shown = append(shown, m)
		}
	}
	return shown, newest, nil
}

// unloggedMessages returns, by episode, the messages whose decisions have expired:
// messages may be kept longer. It returns none for a single episode, whose messages
// are read in any case.
func (x *Explainer) unloggedMessages(ctx context.Context, key string, r *replay) (episodes [][]delivery.Delivery, err error) {
	first, last := 1, r.stored.Episode
	if len(r.log) > 0 {
		last = r.log[0].Episode - 1
	}
	if r.expiredDecisions == 0 || r.query.Episode > 0 || first > last {
		return nil, nil
	}
	err = x.Store.Episodes(ctx, key, first, last, func(d delivery.Delivery) error {
		if n := len(episodes); n > 0 && episodes[n-1][0].Episode == d.Episode {
			episodes[n-1] = append(episodes[n-1], d)
			return nil
		}
		episodes = append(episodes, []delivery.Delivery{d})
		return nil
	})
	return episodes, err
}

// episodesWithMessages returns the episodes whose messages are read: those of the log
// that the query selects, and the queried one even if its decisions have expired.
func (r *replay) episodesWithMessages() []int {
	var episodes []int
	if r.query.Episode > 0 {
		episodes = append(episodes, r.query.Episode)
	}
	for _, d := range r.log {
		if r.query.Episode == 0 || r.query.Episode == d.Episode {
			episodes = append(episodes, d.Episode)
		}
	}
	slices.Sort(episodes)
	return slices.Compact(episodes)
}

func deliveryOf(d delivery.Delivery) Delivery {
	out := Delivery{
		ID: d.ID, Action: d.Action, Episode: d.Episode, Sequence: d.Sequence, Destination: d.Destination,
		Channel: d.Channel, Owner: d.Owner, CostCenter: d.CostCenter, Tick: d.Tick, CreatedAt: d.CreatedAt,
		State: string(d.State), Note: d.Note, For: d.For, SilencedBy: d.SilencedBy, Attempts: []Attempt{},
	}
	if d.For != "" {
		out.Because = notice.OneLine(d.Notice.ForWhy)
	}
	if !d.State.Final() {
		out.DueAt = d.DueAt
	}
	if d.Receipt.Fate != "" {
		out.Receipt = &d.Receipt
	}
	out.Attempts, out.Ambiguous = attemptsOf(d)
	for _, a := range d.Attempts {
		if a.Class == delivery.Accepted {
			out.Took = seconds(d.CreatedAt, a.Ended)
		}
	}
	return out
}

// attemptsOf returns the attempts of a message, and whether one of them may have
// arrived without an answer.
func attemptsOf(d delivery.Delivery) (all []Attempt, ambiguous bool) {
	all = []Attempt{}
	since := d.CreatedAt
	for _, a := range d.Attempts {
		attempt := attemptOf(a, since)
		// A channel with an idempotency key gets the same bytes again, not a repeat.
		attempt.Repeat = attempt.Repeat && !config.Idempotent(d.Channel)
		all = append(all, attempt)
		ambiguous = ambiguous || a.Class == delivery.Ambiguous
		since = a.Ended
	}
	return all, ambiguous
}

// readTelling reads the message that told an item in its place; nil if the item was
// sent itself. It makes one request for each item that was told in a digest.
func (x *Explainer) readTelling(ctx context.Context, d delivery.Delivery, episode []delivery.Delivery) (*Telling, error) {
	if d.In == "" {
		return nil, nil
	}
	for _, e := range episode {
		if e.ID == d.In {
			return tellingOf(e, len(e.Notice.Tells)), nil
		}
	}
	key := delivery.DigestRef(d.In, d.Destination, d.For).IncidentKey
	rows, err := x.Store.Episode(ctx, key, 1)
	if err != nil {
		return nil, fmt.Errorf("read digest %s, which tells %s: %w", d.In, d.ID, err)
	}
	if len(rows) == 0 {
		return &Telling{ID: d.In, State: expiredState, Attempts: []Attempt{}}, nil
	}
	return digestOf(d, rows), nil
}

// digestOf returns the digest that told an item and, if its destination refused the
// digest, what the fallback was told instead.
func digestOf(d delivery.Delivery, rows []delivery.Delivery) *Telling {
	var told, instead *Telling
	for _, row := range rows {
		others := len(row.Notice.Entries) - 1
		for _, e := range row.Notice.Entries {
			others += len(e.Tells)
		}
		t := tellingOf(row, others)
		t.Digest, t.Destination = true, row.Destination
		if row.Destination == d.Destination && row.For == d.For {
			told = t
		} else if row.For == d.Destination {
			instead = t
		}
	}
	if told == nil {
		return instead
	}
	told.Instead = instead
	return told
}

// expiredState is the state of a message that is no longer stored.
const expiredState = "expired"

func tellingOf(d delivery.Delivery, others int) *Telling {
	t := &Telling{ID: d.ID, Others: others, State: string(d.State), Note: d.Note}
	t.Attempts, t.Ambiguous = attemptsOf(d)
	return t
}

// words names the message and says how many others it told.
func (t Telling) words() string {
	what := "message"
	if t.Digest {
		what = "digest"
	}
	text := "told in " + what + " " + t.ID
	if t.Others > 0 {
		text += " with " + count(t.Others, "other")
	}
	if t.State != "delivered" {
		text += ", which is " + t.State
	}
	if t.Instead != nil {
		text += "; its fallback " + t.Instead.Destination + " was " + t.Instead.words()
	}
	return text
}

func attemptOf(a delivery.Attempt, since time.Time) Attempt {
	out := Attempt{
		Number: a.Number, Started: a.Started, Ended: a.Ended, Waited: seconds(since, a.Started),
		Took: seconds(a.Started, a.Ended), Class: string(a.Class), Status: a.Status, Code: a.Code,
		ProviderID: a.ProviderID, Retry: a.Number > 1, Repeat: a.Repeat,
	}
	if a.Class == "" {
		out.Class = attemptRunning
	}
	return out
}

// seconds returns the time between two moments, rounded to milliseconds; zero if one
// is not known.
func seconds(from, to time.Time) float64 {
	if from.IsZero() || to.IsZero() || to.Before(from) {
		return 0
	}
	return to.Sub(from).Round(time.Millisecond).Seconds()
}
