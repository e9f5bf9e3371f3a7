package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/silence"
)

// silenceReader reads the silences for one invocation. It reads the stored ones once,
// when the first message is to be sent, so an observation that changes nothing costs
// no read.
type silenceReader struct {
	config *config.Config
	all    func() (silence.Set, error)
}

func (d *Decider) silences(ctx context.Context) *silenceReader {
	return &silenceReader{d.Config, sync.OnceValues(func() (silence.Set, error) {
		stored, err := d.Store.Silences(ctx)
		var unreadable silence.Unreadable
		if errors.As(err, &unreadable) {
			d.Log.ErrorContext(ctx, "silences that cannot be read keep nobody quiet", "error", err.Error())
			err = nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the silences: %w", err)
		}
		return slices.Concat(d.Config.Silences, stored), nil
	})}
}

// silencedBy returns the destinations for which a silence suppresses an incident's
// messages at a time, each with the silence's id.
func (r *silenceReader) silencedBy(s incident.State, owner string, destinations []string, at time.Time) (map[string]string, error) {
	if len(destinations) == 0 {
		return nil, nil
	}
	all, err := r.all()
	if err != nil {
		return nil, err
	}
	return r.config.Kept(all, s, owner, destinations, at), nil
}
