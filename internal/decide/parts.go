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

// alwaysFit is how many messages need not be measured: configuration allows an owner
// no more, and so many fit into one transaction.
const alwaysFit = 40

// inParts commits the end of an incident that has more destinations than one
// transaction takes: all parts but the last, whose audience it returns with the
// judgement that ends the incident. There are so many only where the owner's
// destinations have changed several times while it was open. Until the last part it
// stays open, and its state holds who has not been told yet, so that after a lost
// worker the next decision tells the rest. The owner's present destinations come
// last: if the incident goes on instead, they are the ones that are reminded. All parts
// have one sequence number, as they are one action.
func (d *Decider) inParts(ctx context.Context, who audience, j judgement) (audience, judgement, error) {
	before, s := &j.before, &j.state
	owner := d.ownerOf(s.Source, s.Owner)
	for len(who.told)+len(who.silenced) > alwaysFit {
		out, err := writer{d, j, d.page(ctx, *s, who)}.items(who)
		if err != nil {
			return who, j, err
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
		d.keepPolicy(ctx, j.policy)
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

// turn orders messages for inParts: first what is only written down, last what goes
// to the owner's present destinations.
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
