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

// What outbox items do that stand for no single decision; see package notice.
const (
	Digest   = notice.ActionDigest
	Refused  = notice.ActionRefused
	Restored = notice.ActionRestored
)

// MaxGathered is how many items one message can take in: one transaction holds
// 100 rows ("TransactWriteItems", DynamoDB API reference). Where the items go to a
// fallback one by one, three rows are the message, its counters, and the notice that
// its destination refuses everything.
const MaxGathered = 97

// IsDigest reports whether a digest is stored there, rather than an incident's
// message.
func IsDigest(ref Ref) bool { return strings.HasPrefix(ref.IncidentKey, notice.DigestKeyPrefix) }

// IsRefusal reports whether what is stored there tells about a destination
// itself.
func IsRefusal(ref Ref) bool { return strings.HasPrefix(ref.IncidentKey, notice.DestinationKeyPrefix) }

// DigestRef is where the digest of an id is stored, by the destination that its
// items have, and the one that they go there for.
func DigestRef(id, destination, instead string) Ref {
	return Delivery{IncidentKey: notice.DigestKeyPrefix + id, Episode: 1, Sequence: 1, Destination: destination, For: instead}.Ref()
}

// DigestOf is the id under which a digest's items point at it, also where the
// digest goes to a fallback under another id.
func DigestOf(digest Delivery) string {
	return strings.TrimPrefix(digest.IncidentKey, notice.DigestKeyPrefix)
}

// NewDigest returns the outbox item that tells the given ones, which share
// destination, owner and cost center. Its id is made of theirs, so that two
// workers that gather the same gather it once. Notice and payload are the
// caller's to fill in.
func NewDigest(items []Delivery, now time.Time) Delivery {
	first := items[0]
	d := Delivery{
		ID: digestID(items), Episode: 1, Sequence: 1, Action: Digest,
		Destination: first.Destination, Channel: first.Channel, Owner: first.Owner, CostCenter: first.CostCenter,
		Source: first.Source, Tick: first.Tick, CreatedAt: first.CreatedAt, State: Pending, DueAt: now, For: first.For,
	}
	d.IncidentKey = notice.DigestKeyPrefix + d.ID
	for _, it := range items {
		// The youngest item's time: none is given up before its own.
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

// Told returns the item as one that another message tells.
func (d Delivery) Told(in string) Delivery {
	d.In = in
	return d.final(Superseded, "told in "+in)
}

// ToFallback returns the item that takes a dead one to the destination's fallback.
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

// ResolveFor returns the resolve of an episode: the destination's own or, where it
// has none, that of any other.
func ResolveFor(episode []Delivery, destination string) (end Delivery, ok bool) {
	for _, d := range episode {
		if d.Action == incident.Resolve && d.For == "" && (!ok || d.Destination == destination) {
			end, ok = d, true
		}
	}
	return end, ok
}

// FallbackAwaitsResolve reports a resolve whose destination's fallback was told of the
// episode, but not yet that it is over.
func FallbackAwaitsResolve(d Delivery, episode []Delivery) bool {
	return d.Action == incident.Resolve && d.For == "" && slices.ContainsFunc(episode, func(s Delivery) bool {
		return s.For == d.Destination && s.Action != incident.Resolve && s.Notice.Action != incident.Resolve
	})
}

// WhyResolveToo is why a fallback is told a resolve that the destination itself has,
// or may have.
const WhyResolveToo = "an earlier message; it has this one as well"

// RefusalKey is the incident key of what fallbacks are told about a destination. The
// number of an episode is the Unix time, in seconds, at which it began to refuse.
func RefusalKey(destination string) string { return notice.DestinationKeyPrefix + destination }

// Refusal returns the item that tells a fallback, once for each time that a
// destination begins to refuse, that it does.
func Refusal(dead Delivery, since time.Time, to, channel string, now time.Time) Delivery {
	d := ToFallback(dead, to, channel, now)
	d.IncidentKey, d.Episode, d.Sequence, d.Action = notice.DestinationKeyPrefix+dead.Destination, int(since.Unix()), 1, Refused
	d.ID = ID(d.Notice.Environment, d.IncidentKey, d.Episode, d.Sequence, to+"!"+dead.Destination)
	d.Tick = since
	return d
}

// Recovery returns the item that tells who was told a refusal that it is over.
func Recovery(refusal Delivery, now time.Time) Delivery {
	d := ToFallback(refusal, refusal.Destination, refusal.Channel, now)
	d.For, d.Sequence, d.Action = refusal.For, 2, Restored
	d.ID = ID(d.Notice.Environment, d.IncidentKey, d.Episode, d.Sequence, d.Destination+"!"+d.For)
	d.Tick = now
	return d
}
