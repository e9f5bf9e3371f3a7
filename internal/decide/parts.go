package decide

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// sized is up to how many messages need not be measured: configuration allows an
// owner no more, and what many can be sent fits into a transaction.
const sized = 40

// inParts tells the end of an incident to more destinations than one transaction
// takes, but for the last of them, whom it returns with the state that ends it. So
// many come together only where the owner's destinations have changed several times
// while the incident was open. Until the last part it stays open, and its state knows
// who has not been told: a worker that is lost in between leaves the rest to the next
// decision. All parts have one number, as they are one action. Those who would be reminded, the owner's present destinations, come last.
func (d *Decider) inParts(ctx context.Context, who audience, before, s incident.State, o observation.Observation, p incident.Policy, r incident.Reason, now time.Time) (audience, incident.State, error) {
	owner := d.ownerOf(s.Source, s.Owner)
	for len(who.told)+len(who.silenced) > sized {
		out, err := writer{d, s, o, p, incident.Resolve, r, before, d.page(ctx, s, who), now}.items(who)
		if err != nil {
			return who, s, err
		}
		slices.SortStableFunc(out, func(a, b delivery.Delivery) int { return cmp.Compare(turn(a, owner), turn(b, owner)) })
		n := delivery.Fitting(out, delivery.MaxDecided, delivery.MaxBytes)
		if n == len(out) {
			break
		}
		var part audience
		part, who = who.split(out[:n])
		before.Version, before.Sequence, before.DecisionSeq = s.Version, s.Sequence, s.DecisionSeq+1
		before.Told, before.Silenced = slices.Sorted(slices.Values(who.told)), who.silenced
		d.keepPolicy(ctx, p)
		record := d.record(before, o, p, incident.Resolve, r, now)
		record.To, record.Silenced, record.Left = part.all(), part.silenced, len(out)-n
		record.Note = fmt.Sprintf("told to %d destinations; %d follow", n, len(out)-n)
		d.logSilenced(ctx, s, incident.Resolve, part)
		if err := d.Store.Commit(ctx, before, record, out[:n]); err != nil {
			return who, s, fmt.Errorf("commit a part of the %s of episode %d: %w", incident.Resolve, s.Episode, err)
		}
		s.Version, s.DecisionSeq, s.Sequence = before.Version+1, before.DecisionSeq, before.Sequence
		s.Told, s.Silenced = before.Told, before.Silenced
	}
	return who, s, nil
}

// turn is when a message is written: what is not sent first, and last that of who
// hears more of the incident if it goes on.
func turn(item delivery.Delivery, owner config.Owner) int {
	switch {
	case item.State == delivery.Silenced:
		return 0
	case !slices.Contains(owner.Destinations, item.Destination):
		return 1
	default:
		return 2
	}
}

// split parts those whom the items are for from the rest.
func (who audience) split(items []delivery.Delivery) (part, rest audience) {
	part.silenced, rest.silenced = map[string]string{}, maps.Clone(who.silenced)
	rest.told = slices.Clone(who.told)
	for _, item := range items {
		if by, ok := rest.silenced[item.Destination]; ok {
			part.silenced[item.Destination] = by
			delete(rest.silenced, item.Destination)
			continue
		}
		part.told = append(part.told, item.Destination)
		rest.told = slices.DeleteFunc(rest.told, func(id string) bool { return id == item.Destination })
	}
	return part, rest
}
