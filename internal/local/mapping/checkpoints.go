package mapping

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Checkpoints stores how far each shard of one stream has been handled.
type Checkpoints struct {
	path string

	mu    sync.Mutex
	state checkpointFile
}

type checkpointFile struct {
	Stream string                `json:"stream"`
	Shards map[string]checkpoint `json:"shards"`
}

type checkpoint struct {
	// After is the last sequence number that has been handled.
	After string `json:"after,omitempty"`
	// Ended marks a shard that was handled to its end.
	Ended bool `json:"ended,omitempty"`
}

// OpenCheckpoints reads the checkpoints of a stream from a file, which need not exist
// yet. A file about another stream, as after its table was created again, counts as
// none. An empty path keeps the checkpoints in memory.
func OpenCheckpoints(path, streamARN string) (*Checkpoints, error) {
	c := &Checkpoints{path: path}
	if path != "" {
		content, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the checkpoints of a stream: %w", err)
		}
		if err == nil {
			if err := json.Unmarshal(content, &c.state); err != nil {
				return nil, fmt.Errorf("checkpoints in %s are unreadable; delete the file to handle the stream from its start: %w", path, err)
			}
		}
	}
	if c.state.Stream != streamARN || c.state.Shards == nil {
		c.state = checkpointFile{Stream: streamARN, Shards: map[string]checkpoint{}}
	}
	return c, nil
}

// After returns the sequence number to continue after, if there is one.
func (c *Checkpoints) After(shard string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := c.state.Shards[shard].After
	return after, after != ""
}

// Ended reports whether a shard was handled to its end.
func (c *Checkpoints) Ended(shard string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.Shards[shard].Ended
}

// Save records that a shard has been handled up to a sequence number.
func (c *Checkpoints) Save(shard, after string) error {
	return c.change(func(all map[string]checkpoint) { all[shard] = checkpoint{After: after} })
}

// End records that a shard has been handled to its end.
func (c *Checkpoints) End(shard string) error {
	return c.change(func(all map[string]checkpoint) { all[shard] = checkpoint{After: all[shard].After, Ended: true} })
}

// Keep removes every shard except these, which are all that the stream still has.
func (c *Checkpoints) Keep(shards []string) error {
	c.mu.Lock()
	unknown := 0
	for id := range c.state.Shards {
		if !slices.Contains(shards, id) {
			unknown++
		}
	}
	c.mu.Unlock()
	if unknown == 0 {
		return nil
	}
	return c.change(func(all map[string]checkpoint) {
		for id := range all {
			if !slices.Contains(shards, id) {
				delete(all, id)
			}
		}
	})
}

// change updates the checkpoints and writes them as a whole: to a file beside the old
// one, which it then replaces.
func (c *Checkpoints) change(f func(map[string]checkpoint)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.state.Shards)
	if c.path == "" {
		return nil
	}
	content, err := json.MarshalIndent(c.state, "", "  ")
	if err != nil {
		return fmt.Errorf("encode checkpoints: %w", err)
	}
	next := filepath.Join(filepath.Dir(c.path), "."+filepath.Base(c.path)+".next")
	if err := os.WriteFile(next, content, 0o600); err != nil {
		return fmt.Errorf("write checkpoints: %w", err)
	}
	if err := os.Rename(next, c.path); err != nil {
		return fmt.Errorf("replace checkpoints: %w", err)
	}
	return nil
}
