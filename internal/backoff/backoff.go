// Package backoff computes when to try again. It never sleeps and never draws
// a random number: time and jitter are arguments.
package backoff

import "time"

// Schedule is an exponential backoff with full jitter: the wait before try n+1
// is drawn evenly from zero to min(Cap, Base·2ⁿ⁻¹), but is at least Floor. See
// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
type Schedule struct {
	Base time.Duration
	Cap  time.Duration
	// Floor keeps a lucky draw from becoming an immediate retry.
	Floor time.Duration
}

// Wait returns the time to wait after the given number of failed tries (1 or
// more). jitter is in [0, 1); 1 or more counts as the largest wait.
func (s Schedule) Wait(tries int, jitter float64) time.Duration {
	ceiling := s.Base
	for range max(tries, 1) - 1 {
		if ceiling >= s.Cap/2 {
			ceiling = s.Cap
			break
		}
		ceiling *= 2
	}
	if s.Cap > 0 {
		ceiling = min(ceiling, s.Cap)
	}
	wait := time.Duration(float64(ceiling) * min(max(jitter, 0), 1))
	return max(wait, s.Floor)
}

// WithRetryAfter raises a wait to the one that the server asked for, which limit caps:
// a server may slow us down, but not stop us.
func WithRetryAfter(wait, retryAfter, limit time.Duration) time.Duration {
	return max(wait, min(retryAfter, limit))
}
