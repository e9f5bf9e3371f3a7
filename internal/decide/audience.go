package decide

import (
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// audience is who an action is for: told are sent a message, and from silenced
// one is kept back, by the silence of each.
type audience struct {
	told     []string
	silenced map[string]string
}

// all are the destinations that an item is written for.
func (who audience) all() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(who.told), maps.Keys(who.silenced))))
}

// audience finds it. A silence acts on what opens and goes on. The end of an
// incident is for those who know of it, whatever is silent by then; from those
// who were kept from knowing it is kept as well.
func (d *Decider) audience(silences *silenceReader, s incident.State, owner config.Owner, a incident.Action, now time.Time) (audience, error) {
	if a == incident.Resolve {
		silenced := maps.Clone(s.Silenced)
		maps.DeleteFunc(silenced, func(id, _ string) bool { return slices.Contains(s.Told, id) || !d.isConfigured(id) })
		return audience{d.closing(s, owner, silenced), silenced}, nil
	}
	ids := d.configured(owner.Destinations)
	kept, err := silences.kept(s, owner.ID, ids, now)
	told := slices.DeleteFunc(ids, func(id string) bool {
		// Whose silence is over is told so, and not reminded of what it does not
		// know.
		return kept[id] != "" || (a == incident.Remind && s.Silenced[id] != "")
	})
	return audience{told, kept}, err
}

// closing is who is told of the end: those that were told of this episode, which
// may have changed in between. When one of those is configured no more, it may
// only have a new name: then the owner's present ones are told too, rather than a
// channel be left with a failure that is over.
func (d *Decider) closing(s incident.State, owner config.Owner, silenced map[string]string) []string {
	if len(s.Told) == 0 && len(s.Silenced) > 0 {
		// A silence kept it from all, also from those that are configured no more.
		return nil
	}
	ids := slices.Clone(owner.Destinations)
	if len(s.Told) > 0 {
		kept := d.configured(s.Told)
		if len(kept) == len(s.Told) {
			return kept
		}
		d.Log.Warn("destinations that were told of an incident are configured no more; its owner's present ones are told of its end",
			"incident_key", s.Key, "told", s.Told, "owner", owner.ID)
		ids = append(ids, kept...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return slices.DeleteFunc(d.configured(ids), func(id string) bool { return silenced[id] != "" })
}

// freed are the destinations that were kept from knowing and are no more. One
// that is configured no more may only have a new name: the owner's others are
// told in its place. While a person has the incident in hand, those who know of
// it are told nothing again.
func (d *Decider) freed(silences *silenceReader, s incident.State, owner config.Owner, now time.Time) ([]string, error) {
	var ids []string
	for id := range s.Silenced {
		switch {
		case s.Acked() && slices.Contains(s.Told, id):
		case d.isConfigured(id):
			ids = append(ids, id)
		default:
			for _, other := range d.configured(owner.Destinations) {
				if s.Silenced[other] == "" && !slices.Contains(s.Told, other) {
					ids = append(ids, other)
				}
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	kept, err := silences.kept(s, owner.ID, ids, now)
	return slices.DeleteFunc(ids, func(id string) bool { return kept[id] != "" }), err
}

// heard notes in the state who was told by an action, and who was kept from it.
func (d *Decider) heard(s incident.State, a incident.Action, who audience) incident.State {
	if a == incident.Open {
		s.Told, s.Silenced = nil, nil
	}
	s.Told = slices.Concat(s.Told, who.told)
	slices.Sort(s.Told)
	s.Told = slices.Compact(s.Told)
	silenced := maps.Clone(s.Silenced)
	if silenced == nil {
		silenced = map[string]string{}
	}
	maps.Copy(silenced, who.silenced)
	maps.DeleteFunc(silenced, func(id, _ string) bool {
		return a == incident.Resolve || slices.Contains(who.told, id) || (a == incident.SilenceEnded && !d.isConfigured(id))
	})
	s.Silenced = silenced
	if len(silenced) == 0 {
		s.Silenced = nil
	}
	return s
}

func (d *Decider) configured(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !d.isConfigured(id) })
}

func (d *Decider) isConfigured(id string) bool {
	_, ok := d.Config.Destinations[id]
	return ok
}
