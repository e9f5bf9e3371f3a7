package dynamo

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

type runRow struct {
	Kind        string    `dynamodbav:"kind"`
	ID          string    `dynamodbav:"id"`
	Source      string    `dynamodbav:"source"`
	Tick        tick      `dynamodbav:"tick"`
	State       string    `dynamodbav:"state"`
	Try         int       `dynamodbav:"try,omitempty"`
	Worker      string    `dynamodbav:"worker,omitempty"`
	LeaseUntil  time.Time `dynamodbav:"lease_until,omitempty"`
	Started     time.Time `dynamodbav:"started,omitempty"`
	Ended       time.Time `dynamodbav:"ended,omitempty"`
	Requests    int       `dynamodbav:"requests"`
	Limited     int       `dynamodbav:"limited,omitempty"`
	Retries     int       `dynamodbav:"retries"`
	WaitedMS    int64     `dynamodbav:"waited_ms"`
	Items       int       `dynamodbav:"items"`
	Failing     int       `dynamodbav:"failing"`
	Healthy     int       `dynamodbav:"healthy"`
	Unknown     int       `dynamodbav:"unknown"`
	Written     int       `dynamodbav:"written"`
	Problems    []string  `dynamodbav:"problems,omitempty"`
	NewKeys     []string  `dynamodbav:"new_keys,omitempty"`
	NewKeysLeft int       `dynamodbav:"new_keys_left,omitempty"`
	NotBefore   time.Time `dynamodbav:"not_before,omitempty"`
	SkewMS      int64     `dynamodbav:"skew_ms,omitempty"`
	ExpiresAt   int64     `dynamodbav:"expires_at,omitempty"`
}

func runKind(source string) string { return "poll#" + source }

func runItem(r observation.Run, expires time.Time) (item, error) {
	return encode(runRow{
		Kind: runKind(r.Source), ID: observation.FormatTick(r.Tick), Source: r.Source,
		Tick: tick(r.Tick), State: string(r.State), Try: r.Try, Worker: r.Worker, LeaseUntil: r.LeaseUntil,
		Started: r.Started, Ended: r.Ended, Requests: r.Requests, Limited: r.Limited, Retries: r.Retries,
		WaitedMS: r.Waited.Milliseconds(), Items: r.Items, Failing: r.Failing, Healthy: r.Healthy,
		Unknown: r.Unknown, Written: r.Written, Problems: r.Problems, NewKeys: r.NewKeys, NewKeysLeft: r.NewKeysLeft, NotBefore: r.NotBefore,
		SkewMS: r.Skew.Milliseconds(), ExpiresAt: epoch(expires),
	})
}

func runFromItem(it item) (observation.Run, error) {
	r, err := decode[runRow](it)
	if err == nil {
		err = requireTexts(it, "source", "tick", "state")
	}
	if err != nil {
		return observation.Run{}, fmt.Errorf("poll run %s %s: %w", r.Kind, r.ID, err)
	}
	return observation.Run{
		Source: r.Source, Tick: time.Time(r.Tick), State: observation.RunState(r.State),
		Try: r.Try, Worker: r.Worker, LeaseUntil: r.LeaseUntil, Started: r.Started, Ended: r.Ended,
		Requests: r.Requests, Limited: r.Limited, Retries: r.Retries, Waited: time.Duration(r.WaitedMS) * time.Millisecond,
		Items: r.Items, Failing: r.Failing, Healthy: r.Healthy, Unknown: r.Unknown,
		Written: r.Written, Problems: r.Problems, NewKeys: r.NewKeys, NewKeysLeft: r.NewKeysLeft, NotBefore: r.NotBefore,
		Skew: time.Duration(r.SkewMS) * time.Millisecond,
	}, nil
}

// runOrFailed reads a row; where it cannot be decoded, it returns a failed run of its
// tick.
func runOrFailed(it item) (observation.Run, error) {
	run, err := runFromItem(it)
	if err == nil {
		return run, nil
	}
	kind, _ := asText(it["kind"])
	id, _ := asText(it["id"])
	at, unparsed := observation.ParseTick(id)
	if unparsed != nil {
		return run, err
	}
	return observation.Run{
		Source: strings.TrimPrefix(kind, runKind("")), Tick: at, State: observation.RunFailed,
		Problems: []string{"its record cannot be read; correct or delete the row " + kind + " " + id},
	}, nil
}
