package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// The actions of outbox items that belong to no single decision; see package notice.
const (
	Digest   = notice.ActionDigest
	Refused  = notice.ActionRefused
	Restored = notice.ActionRestored
)

// MaxGathered is how many items one digest can cover: one transaction holds 100
// rows ("TransactWriteItems", DynamoDB API reference). If the items go to a fallback
// individually, the other three rows are the digest, its counters, and the notice
// that the destination refuses everything.
const MaxGathered = 97

// IsDigest reports whether ref locates a digest.
func IsDigest(ref Ref) bool { return strings.HasPrefix(ref.IncidentKey, notice.DigestKeyPrefix) }

// IsRefusal reports whether ref locates a notice about a destination itself.
func IsRefusal(ref Ref) bool { return strings.HasPrefix(ref.IncidentKey, notice.DestinationKeyPrefix) }

// DigestRef returns the location of a digest, by its id and the Destination and For
// of its items.
func DigestRef(id, destination, forDestination string) Ref {
	return Delivery{IncidentKey: notice.DigestKeyPrefix + id, Episode: 1, Sequence: 1, Destination: destination, For: forDestination}.Ref()
}

// DigestOf returns the id by which items refer to their digest. It stays the same
// if the digest goes to a fallback, where its delivery has another id.
func DigestOf(digest Delivery) string {
	return strings.TrimPrefix(digest.IncidentKey, notice.DigestKeyPrefix)
}

// NewDigest returns the digest of the given items, which share destination, owner
// and cost center. Its id is derived from theirs, so that two workers that gather
// the same items create one digest. The caller fills in Notice and Payload.
func NewDigest(items []Delivery, now time.Time) Delivery {
	first := items[0]
	d := Delivery{
		ID: digestID(items), Episode: 1, Sequence: 1, Action: Digest,
		Destination: first.Destination, Channel: first.Channel, Owner: first.Owner, CostCenter: first.CostCenter,
		Source: first.Source, Tick: first.Tick, CreatedAt: first.CreatedAt, State: Pending, DueAt: now, For: first.For,
	}
	d.IncidentKey = notice.DigestKeyPrefix + d.ID
	for _, it := range items {
		// The newest item's time, so that no item is given up early.
		d.CreatedAt, d.Tick = later(d.CreatedAt, it.CreatedAt), later(d.Tick, it.Tick)
		if it.Source != d.Source {
			d.Source = "several"
		}
	}
	return d
}

func digestID(items []Delivery) string {
	ids := make([]string, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(notice.DigestKeyPrefix + strings.Join(ids, ",")))
	return "d1-" + hex.EncodeToString(sum[:10])
}

// Told returns the item as superseded by another delivery, whose message covers it.
func (d Delivery) Told(in string) Delivery {
	d.In = in
	return d.final(Superseded, "told in "+in)
}

// ToFallback returns a new item that sends a dead one to the destination's fallback.
func ToFallback(dead Delivery, to, channel string, now time.Time) Delivery {
	d := dead
	d.Destination, d.Channel, d.For = to, channel, dead.Destination
	d.ID = ID(dead.Notice.Environment, dead.IncidentKey, dead.Episode, dead.Sequence, to+"!"+dead.Destination)
	d.State, d.Fence, d.Note, d.In = Pending, 0, "", ""
	d.LeaseOwner, d.LeaseUntil, d.Attempts, d.LeftOut = "", time.Time{}, nil, nil
	d.Insisted, d.Receipt = false, Receipt{}
	d.CreatedAt, d.DueAt = now, FirstDue(now)
	return d
}

// ResolveFor returns the resolve of an episode: the destination's own or, if it has
// none, another destination's.
func ResolveFor(episode []Delivery, destination string) (end Delivery, ok bool) {
	for _, d := range episode {
		if d.Action == incident.Resolve && d.For == "" && (!ok || d.Destination == destination) {
			end, ok = d, true
		}
	}
	return end, ok
}

// FallbackAwaitsResolve reports whether d is a resolve whose destination's fallback
// was notified of the episode but not of its end.
func FallbackAwaitsResolve(d Delivery, episode []Delivery) bool {
	return d.Action == incident.Resolve && d.For == "" && slices.ContainsFunc(episode, func(s Delivery) bool {
		return s.For == d.Destination && s.Action != incident.Resolve && s.Notice.Action != incident.Resolve
	})
}

// WhyResolveToo is the explanation for a resolve that goes to the fallback although
// the destination itself has received it, or may have.
const WhyResolveToo = "an earlier message; it has this one as well"

// RefusalKey returns the incident key of the notices about a destination that
// refuses everything. Their episode number is the Unix time, in seconds, at which
// the refusals began.
func RefusalKey(destination string) string { return notice.DestinationKeyPrefix + destination }

// Refusal returns the item that tells a fallback that a destination refuses every
// message. Its id is the same for all items that the destination refuses since then.
func Refusal(dead Delivery, since time.Time, to, channel string, now time.Time) Delivery {
	d := ToFallback(dead, to, channel, now)
	d.IncidentKey, d.Episode, d.Sequence, d.Action = notice.DestinationKeyPrefix+dead.Destination, int(since.Unix()), 1, Refused
	d.ID = ID(d.Notice.Environment, d.IncidentKey, d.Episode, d.Sequence, to+"!"+dead.Destination)
	d.Tick = since
	return d
}

// Recovery returns the item that tells the recipient of a refusal that the
// destination accepts messages again.
func Recovery(refusal Delivery, now time.Time) Delivery {
	d := ToFallback(refusal, refusal.Destination, refusal.Channel, now)
	d.For, d.Sequence, d.Action = refusal.For, 2, Restored
	d.ID = ID(d.Notice.Environment, d.IncidentKey, d.Episode, d.Sequence, d.Destination+"!"+d.For)
	d.Tick = now
	return d
}
