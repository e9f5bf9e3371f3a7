// Package decide is the use case that folds observations into incidents. It reads the
// incident, applies incident.Decide to each observation in tick order, and commits
// every action together with its notices.
package decide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/silence"
)

// Store holds what decisions read and write: one row per incident, on whose version
// every write is conditioned, the decision log and the outbox.
type Store interface {
	States(ctx context.Context, keys []string) (map[string]incident.State, error)
	Save(ctx context.Context, s incident.State) error
	Commit(ctx context.Context, s incident.State, d incident.Decision, out []delivery.Delivery) error
	PutPolicy(ctx context.Context, hash string, content []byte) error
	Silences(ctx context.Context) (silence.Set, error)
}

// Render renders a notice into the bytes that a channel sends.
type Render func(channel string, n notice.Notice) ([]byte, error)

// Decider folds observations into incidents.
type Decider struct {
	Config *config.Config
	Store  Store
	Render Render
	// Page returns the link to an incident's page that messages show, or "". A nil
	// Page means no links.
	Page func(ctx context.Context, key string, episode int) string
	Log  *slog.Logger
	// Now is the wall clock. It dates rows; no decision depends on it, except for
	// which silences are in force.
	Now func() time.Time
	// Sleep waits before a write that lost a race is retried; Jitter draws from
	// [0, 1).
	Sleep  func(ctx context.Context, d time.Duration) error
	Jitter func() float64
	// AtOnce bounds the incidents folded concurrently; zero means 8.
	AtOnce int

	// storedPolicies holds the hashes of the policies that are known to be stored.
	storedPolicies sync.Map
}

// maxTries bounds the tries of one key per invocation. After that the stream record is
// retried.
const maxTries = 8

var pause = backoff.Schedule{Base: 20 * time.Millisecond, Cap: time.Second, Floor: 5 * time.Millisecond}

// Decide folds the observations, in any order. It returns an error for each key that
// could not be folded; all other keys are done. Folding an observation again does
// nothing.
func (d *Decider) Decide(ctx context.Context, all []observation.Observation) map[string]error {
	byKey := make(map[string][]observation.Observation)
	for _, o := range all {
		byKey[o.IncidentKey] = append(byKey[o.IncidentKey], o)
	}
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	states, err := d.Store.States(ctx, keys)
	var unreadable incident.Unreadable
	if err != nil && !errors.As(err, &unreadable) {
		return failAll(keys, fmt.Errorf("read %d incidents: %w", len(keys), err))
	}
	silences := d.silences(ctx)
	return d.concurrently(keys, func(key string) error {
		if err := unreadable[key]; err != nil {
			return fmt.Errorf("read it: %w", err)
		}
		return d.retry(ctx, stateOf(states, key), func(s incident.State) error {
			return d.fold(ctx, silences, s, inOrder(byKey[key]))
		})
	})
}

func stateOf(states map[string]incident.State, key string) incident.State {
	if s, ok := states[key]; ok {
		return s
	}
	return incident.State{Key: key}
}

// concurrently calls work for every key and returns the errors by key.
func (d *Decider) concurrently(keys []string, work func(key string) error) map[string]error {
	var (
		mu     sync.Mutex
		failed = make(map[string]error)
		wg     sync.WaitGroup
	)
	slots := make(chan struct{}, cmp.Or(d.AtOnce, 8))
	for _, key := range keys {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := work(key); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed[key] = fmt.Errorf("decide on incident %s: %w", key, err)
			}
		})
	}
	wg.Wait()
	return failed
}

func failAll(keys []string, err error) map[string]error {
	failed := make(map[string]error, len(keys))
	for _, key := range keys {
		failed[key] = err
	}
	return failed
}

func inOrder(obs []observation.Observation) []observation.Observation {
	slices.SortStableFunc(obs, incident.InOrder)
	return obs
}

// retry calls decide until it commits against the current row. Losing a race to
// another worker is normal: retry reads the winner's row and decides again, which
// finds the observations that the winner has folded to be stale.
func (d *Decider) retry(ctx context.Context, s incident.State, decide func(incident.State) error) error {
	for try := 1; ; try++ {
		err := decide(s)
		if err == nil || try == maxTries {
			return err
		}
		if !errors.Is(err, incident.ErrConflict) && !errors.Is(err, incident.ErrBusy) {
			return err
		}
		if serr := d.Sleep(ctx, pause.Wait(try, d.Jitter())); serr != nil {
			return errors.Join(err, serr)
		}
		states, rerr := d.Store.States(ctx, []string{s.Key})
		if rerr != nil {
			return fmt.Errorf("read it again after a lost race: %w", rerr)
		}
		if fresh, ok := states[s.Key]; ok {
			s = fresh
		}
	}
}

// fold applies the observations in order. It commits actions one by one and saves
// changes without an action once, at the end.
func (d *Decider) fold(ctx context.Context, silences *silenceReader, s incident.State, obs []observation.Observation) error {
	unsaved := false
	for _, o := range obs {
		policy, ok := d.Config.PolicyFor(o.Source)
		if !ok {
			d.Log.WarnContext(ctx, "decision", "incident_key", o.IncidentKey, "source", o.Source,
				"action", string(incident.None), "reason", "source_not_configured")
			continue
		}
		next, action, reason := incident.Decide(s.KeepSources(d.Config.HasSource), o, policy)
		moved := reason.Code != incident.StaleObservation && reason.Code != incident.UnknownObservation
		if moved {
			next = d.withPolicy(ctx, next, o.Source, o.Tick, policy)
		}
		j := judgement{before: s, state: next, observation: o, policy: policy, action: action, reason: reason}
		switch {
		case action != incident.None:
			committed, err := d.commit(ctx, silences, j)
			if err != nil {
				return err
			}
			s, unsaved = committed, false
		case moved:
			s, unsaved = next, true
		}
		// Log only after the commit: a decision that lost the race never happened.
		d.logDecision(ctx, j)
	}
	if !unsaved {
		return nil
	}
	return d.Store.Save(ctx, s)
}

func (d *Decider) logDecision(ctx context.Context, j judgement) {
	level := slog.LevelInfo
	if j.action == incident.None {
		level = slog.LevelDebug
	}
	d.Log.Log(ctx, level, "decision",
		"incident_key", j.observation.IncidentKey, "source", j.observation.Source, "tick", observation.FormatTick(j.observation.Tick),
		"verdict", string(j.observation.Verdict), "action", string(j.action), "reason", j.reason.String(),
		"episode", j.state.Episode, "version", j.state.Version, "summary", j.state.Summary)
}
