package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// DestinationStatus says how many messages wait for a destination, and how many never
// reached it.
type DestinationStatus struct {
	Destination string    `json:"destination"`
	Waiting     int       `json:"waiting"`
	Oldest      time.Time `json:"oldest_waiting,omitzero"`
	// Tried is when the last attempt at the oldest waiting message ended, and Answer
	// its outcome, such as "temporary 503". Both are empty before the first attempt.
	Tried     time.Time `json:"oldest_tried,omitzero"`
	Answer    string    `json:"oldest_answer,omitempty"`
	Ambiguous int       `json:"ambiguous"`
	Held      int       `json:"held"`
	Dead      int       `json:"dead"`
	// LastDead is when the newest dead message was given up, LastReason why.
	LastDead   time.Time `json:"last_dead,omitzero"`
	LastReason string    `json:"last_dead_reason,omitempty"`
	// RefusedSince is when the destination began to refuse every message, RefusedCode
	// the code it gives; PausedUntil is the end of a pause that it asked for.
	RefusedSince time.Time `json:"refused_since,omitzero"`
	RefusedCode  string    `json:"refused_code,omitempty"`
	PausedUntil  time.Time `json:"paused_until,omitzero"`

	// lastAttempt is when the newest attempt at any message ended. secretFailedAt is
	// the same time if that attempt failed because a secret could not be read, and
	// zero otherwise. secrets are the configured references.
	lastAttempt, secretFailedAt time.Time
	secrets                     []string
}

// destinations returns the status of every destination that has messages. It reads the
// whole outbox.
func destinations(ctx context.Context, s RunStore, now time.Time) ([]DestinationStatus, error) {
	all := map[string]*DestinationStatus{}
	err := s.Deliveries(ctx, func(d delivery.Delivery) error {
		if all[d.Destination] == nil {
			all[d.Destination] = &DestinationStatus{Destination: d.Destination}
		}
		all[d.Destination].add(d)
		all[d.Destination].noteSecret(d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]DestinationStatus, 0, len(all))
	for _, d := range all {
		g, err := s.Gate(ctx, d.Destination)
		if err != nil {
			return nil, err
		}
		d.RefusedSince, d.RefusedCode = g.RefusedSince, g.RefusedCode
		if g.ClosedUntil.After(now) {
			d.PausedUntil = g.ClosedUntil
		}
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b DestinationStatus) int { return cmp.Compare(a.Destination, b.Destination) })
	return out, nil
}

// add counts a message.
func (s *DestinationStatus) add(d delivery.Delivery) {
	switch d.State {
	case delivery.Held:
		s.Held++
	case delivery.Dead:
		s.Dead++
		at := d.CreatedAt
		if n := len(d.Attempts); n > 0 {
			at = d.Attempts[n-1].Ended
		}
		if at.After(s.LastDead) {
			s.LastDead, s.LastReason = at, notice.OneLine(d.Note)
		}
	case delivery.Unknown:
		s.Ambiguous++
	}
	if d.State.Final() {
		return
	}
	s.Waiting++
	a, tried := lastTry(d)
	if s.Oldest.IsZero() || d.CreatedAt.Before(s.Oldest) {
		s.Oldest, s.Tried, s.Answer = d.CreatedAt, time.Time{}, ""
		if tried {
			s.Tried, s.Answer = a.Ended, answerOf(a)
		}
	}
}

// noteSecret records whether the newest attempt at any message could read the
// destination's secrets.
func (s *DestinationStatus) noteSecret(d delivery.Delivery) {
	a, ok := lastTry(d)
	if !ok || a.Ended.Before(s.lastAttempt) {
		return
	}
	s.lastAttempt, s.secretFailedAt = a.Ended, time.Time{}
	if a.Code == delivery.SecretUnavailable {
		s.secretFailedAt = a.Ended
	}
}

// lastTry returns the newest attempt that has ended.
func lastTry(d delivery.Delivery) (a delivery.Attempt, ok bool) {
	for _, a := range slices.Backward(d.Attempts) {
		if a.Class != "" {
			return a, true
		}
	}
	return a, false
}

func answerOf(a delivery.Attempt) string {
	answer := words(string(a.Class))
	if a.Status > 0 {
		answer += fmt.Sprintf(" %d", a.Status)
	}
	return notice.OneLine(strings.TrimSpace(answer + " " + a.Code))
}

// secretRemedy says what to do about a secret that cannot be read.
func (d DestinationStatus) secretRemedy() string {
	what := "its secrets"
	if len(d.secrets) > 0 {
		what = list(d.secrets)
	}
	return "store " + what + " where the functions can read it, or correct the reference; deliver's log says why it cannot be read"
}

// answerText returns the outcome of the last attempt at the oldest waiting message,
// with a text before it; empty before the first attempt.
func (d DestinationStatus) answerText(before string) string {
	if d.Answer == "" {
		return ""
	}
	return before + d.Answer + " at " + stamp(d.Tried)
}
