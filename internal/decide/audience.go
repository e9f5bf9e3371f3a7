package decide

import (
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// audience is the set of destinations of an action.
type audience struct {
	// told are sent a message.
	told []string
	// silenced maps each destination whose message is suppressed to the silence's id.
	silenced map[string]string
}

// all returns the destinations that an item is written for, sorted.
func (who audience) all() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(who.told), maps.Keys(who.silenced))))
}

// audience returns the destinations of an action. Silences apply to everything but a
// resolve. A resolve goes to the destinations that know of the episode, even if they
// are silenced by now, and is suppressed for those that the episode was suppressed for.
func (d *Decider) audience(silences *silenceReader, s incident.State, owner config.Owner, a incident.Action, now time.Time) (audience, error) {
	if a == incident.Resolve {
		silenced := maps.Clone(s.Silenced)
		maps.DeleteFunc(silenced, func(id, _ string) bool { return slices.Contains(s.Told, id) || !d.isConfigured(id) })
		return audience{d.toldOfResolve(s, owner, silenced), silenced}, nil
	}
	ids := d.configured(owner.Destinations)
	silenced, err := silences.silencedBy(s, owner.ID, ids, now)
	told := slices.DeleteFunc(ids, func(id string) bool {
		// A destination whose silence has ended gets a silence_ended notice and no
		// reminder of an incident that it does not know.
		return silenced[id] != "" || (a == incident.Remind && s.Silenced[id] != "")
	})
	return audience{told, silenced}, err
}

// toldOfResolve returns the destinations that a resolve is sent to: those that were
// told of the episode. If one of them is no longer configured, it may have been
// renamed. Then the resolve also goes to the owner's present destinations, so that no
// channel keeps showing an open incident.
func (d *Decider) toldOfResolve(s incident.State, owner config.Owner, silenced map[string]string) []string {
	if len(s.Told) == 0 && len(s.Silenced) > 0 {
		// Silences suppressed the episode for everyone, including destinations that
		// are no longer configured.
		return nil
	}
	ids := slices.Clone(owner.Destinations)
	if len(s.Told) > 0 {
		known := d.configured(s.Told)
		if len(known) == len(s.Told) {
			return known
		}
		d.Log.Warn("destinations that were told of an incident are configured no more; its owner's present ones are told of its end",
			"incident_key", s.Key, "told", s.Told, "owner", owner.ID)
		ids = append(ids, known...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return slices.DeleteFunc(d.configured(ids), func(id string) bool { return silenced[id] != "" })
}

// unsilenced returns the destinations whose silence has ended. One that is no longer
// configured may have been renamed: the owner's present destinations replace it. While
// the incident is acknowledged, destinations that already know of it are omitted.
func (d *Decider) unsilenced(silences *silenceReader, s incident.State, owner config.Owner, now time.Time) ([]string, error) {
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
	silenced, err := silences.silencedBy(s, owner.ID, ids, now)
	return slices.DeleteFunc(ids, func(id string) bool { return silenced[id] != "" }), err
}

// withAudience returns the state with an action's audience recorded.
func (d *Decider) withAudience(s incident.State, a incident.Action, who audience) incident.State {
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
