package explain

import (
	"context"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// running is the class of an attempt whose outcome is not known yet.
const running = "running"

// deliveries reads the messages inside of the window, and the newest notice of
// all, which says whose the incident was.
func (x *Explainer) deliveries(ctx context.Context, key string, r *replay) ([]Delivery, notice.Notice, error) {
	var (
		shown  = []Delivery{}
		newest notice.Notice
	)
	for _, episode := range r.toldEpisodes() {
		all, err := x.Store.Episode(ctx, key, episode)
		if err != nil {
			return nil, newest, err
		}
		for _, d := range all {
			if d.Notice.IncidentKey != "" {
				newest = d.Notice
			}
			if r.query.holds(d.Tick, d.Episode) {
				shown = append(shown, deliveryOf(d))
			}
		}
	}
	return shown, newest, nil
}

// toldEpisodes are the episodes whose messages are wanted.
func (r *replay) toldEpisodes() []int {
	var episodes []int
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
		State: string(d.State), Note: d.Note, SilencedBy: d.SilencedBy, Attempts: []Attempt{},
	}
	if !d.State.Final() {
		out.DueAt = d.DueAt
	}
	if d.Receipt.Fate != "" {
		out.Receipt = &d.Receipt
	}
	since := d.CreatedAt
	for _, a := range d.Attempts {
		out.Attempts = append(out.Attempts, attemptOf(a, since))
		out.Ambiguous = out.Ambiguous || a.Class == delivery.Ambiguous
		if a.Class == delivery.Accepted {
			out.Took = seconds(d.CreatedAt, a.Ended)
		}
		since = a.Ended
	}
	return out
}

func attemptOf(a delivery.Attempt, since time.Time) Attempt {
	out := Attempt{
		Number: a.Number, Started: a.Started, Ended: a.Ended, Waited: seconds(since, a.Started),
		Took: seconds(a.Started, a.Ended), Class: string(a.Class), Status: a.Status, Code: a.Code,
		ProviderID: a.ProviderID, Retry: a.Number > 1, Repeat: a.Repeat,
	}
	if a.Class == "" {
		out.Class = running
	}
	return out
}

// seconds between two times; zero when one of them is not known.
func seconds(from, to time.Time) float64 {
	if from.IsZero() || to.IsZero() || to.Before(from) {
		return 0
	}
	return to.Sub(from).Round(time.Millisecond).Seconds()
}
