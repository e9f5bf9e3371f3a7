package decide

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// alwaysFit is the number of messages that always fit into one transaction. It is the
// most destinations that configuration allows an owner.
const alwaysFit = 40

// inParts splits a resolve that has more destinations than fit into one transaction. It
// commits all parts but the last, and returns the last part's audience and the
// judgement that ends the incident. So many destinations occur only if the owner's
// destinations changed several times while the incident was open. The incident stays
// open until the last part, and its state lists who has not been told yet, so that the
// next decision notifies them if this worker is lost. The owner's present destinations
// come last: if the incident fails again before that, they are the ones to remind. All
// parts have the same sequence number, since they are one action.
func (d *Decider) inParts(ctx context.Context, who audience, j judgement) (audience, judgement, error) {
	before, s := &j.before, &j.state
	owner := d.ownerOf(s.Source, s.Owner)
	for len(who.told)+len(who.silenced) > alwaysFit {
		out, err := itemWriter{d, j, d.page(ctx, *s, who)}.items(who)
		if err != nil {
			return who, j, err
		}
		slices.SortStableFunc(out, func(a, b delivery.Delivery) int { return cmp.Compare(partOrder(a, owner), partOrder(b, owner)) })
		n := delivery.Fitting(out, delivery.MaxDecided, delivery.MaxBytes)
		if n == len(out) {
			break
		}
		var part audience
		part, who = who.split(out[:n])
		before.Version, before.Sequence, before.DecisionSeq = s.Version, s.Sequence, s.DecisionSeq+1
		before.Told, before.Silenced = slices.Sorted(slices.Values(who.told)), who.silenced
		d.storePolicy(ctx, j.policy)
		record := d.record(*before, j)
		record.To, record.Silenced, record.Left = part.all(), part.silenced, len(out)-n
		record.Note = fmt.Sprintf("told to %d destinations; %d follow", n, len(out)-n)
		d.logSilenced(ctx, *s, j.action, part)
		if err := d.Store.Commit(ctx, *before, record, out[:n]); err != nil {
			return who, j, fmt.Errorf("commit a part of the %s of episode %d: %w", j.action, s.Episode, err)
		}
		s.Version, s.DecisionSeq, s.Sequence = before.Version+1, before.DecisionSeq, before.Sequence
		s.Told, s.Silenced = before.Told, before.Silenced
	}
	return who, j, nil
}

// partOrder orders items for inParts: silenced ones first, those to the owner's present
// destinations last.
func partOrder(item delivery.Delivery, owner config.Owner) int {
	switch {
	case item.State == delivery.Silenced:
		return 0
	case !slices.Contains(owner.Destinations, item.Destination):
		return 1
	default:
		return 2
	}
}

// split separates the destinations of the given items from the rest.
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
