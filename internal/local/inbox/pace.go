package inbox

import "time"

// bucket is a token bucket that gets one token a second.
type bucket struct {
	tokens float64
	at     time.Time
}

// take reports whether a webhook accepts another message now.
func (b *Inbox) take(target string) bool {
	if b.opts.Burst <= 0 {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.opts.Now()
	bk, ok := b.buckets[target]
	if !ok {
		bk = bucket{tokens: float64(b.opts.Burst), at: now}
	}
	bk.tokens = min(float64(b.opts.Burst), bk.tokens+max(0, now.Sub(bk.at).Seconds()))
	bk.at = now
	may := bk.tokens >= 1
	if may {
		bk.tokens--
	}
	b.buckets[target] = bk
	return may
}
