package source

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/config"
)

const (
	// maxTries bounds the requests for one page when the vendor names no wait;
	// maxAskedTries bounds them when it does and the wait fits the budget.
	maxTries      = 4
	maxAskedTries = 10
	// maxNotBefore bounds how long a vendor can make a source wait: a day covers
	// daily quotas and limits the harm of a nonsensical date.
	maxNotBefore = 24 * time.Hour
)

var schedule = backoff.Schedule{Base: time.Second, Cap: 15 * time.Second, Floor: 100 * time.Millisecond}

// get reads one page, and retries while that may help and there is time.
func (f *fetch) get(ctx context.Context, u *url.URL) ([]byte, http.Header, error) {
	for tries := 1; ; tries++ {
		if left := f.left(); left <= 0 {
			return nil, nil, &failure{host: u.Host, what: "was not asked: the time of this poll is used up", remedy: "narrow the query or allow more time"}
		}
		body, header, fail := f.attempt(ctx, u)
		if fail == nil {
			return body, header, nil
		}
		fail.tries = tries
		wait, ok := f.wait(fail)
		if !ok {
			return nil, nil, fail
		}
		if err := f.client.opts.Sleep(ctx, wait); err != nil {
			fail.remedy = "the poll was stopped while it waited to try again"
			return nil, nil, fail
		}
		f.list.Waited += wait
		f.list.Retries++
	}
}

func (f *fetch) left() time.Duration { return f.deadline.Sub(f.client.opts.Now()) }

// wait returns how long to wait before the next try, and whether to make one.
func (f *fetch) wait(fail *failure) (time.Duration, bool) {
	if !fail.retryable || (!fail.hasRetryAfter && fail.tries >= maxTries) || fail.tries >= maxAskedTries {
		return 0, false
	}
	wait := backoff.WithRetryAfter(schedule.Wait(fail.tries, f.client.opts.Jitter()), fail.retryAfter, fail.retryAfter)
	left := f.left()
	if wait < left {
		return wait, true
	}
	if fail.hasRetryAfter && fail.retryAfter >= left {
		f.list.NotBefore = f.client.opts.Now().Add(min(fail.retryAfter, maxNotBefore))
		fail.what += fmt.Sprintf(" and asks to wait %s, longer than this poll has left (%s)", round(fail.retryAfter), round(left))
	} else {
		fail.what += fmt.Sprintf(" and this poll has no time left for another try (%s)", round(left))
	}
	return 0, false
}

func round(d time.Duration) time.Duration { return max(0, d).Round(100 * time.Millisecond) }

// resetHeaders are the headers that many vendors use instead of Retry-After: those of
// an Internet-Draft, and their predecessors. A source may name its vendor's own.
var resetHeaders = []config.RateLimit{
	{Reset: "X-Ratelimit-Reset", Remaining: "X-Ratelimit-Remaining"},
	{Reset: "Ratelimit-Reset", Remaining: "Ratelimit-Remaining"},
}

// epochFrom separates seconds from now, which are few, from seconds since 1970, which
// have exceeded it since 2001.
const epochFrom = 1e9

// askedWait reads how long a vendor asks to be left alone.
func askedWait(own config.RateLimit, h http.Header, now time.Time) (time.Duration, bool) {
	if d, ok := backoff.RetryAfter(h.Get("Retry-After"), now); ok {
		return d, true
	}
	for _, r := range append([]config.RateLimit{own}, resetHeaders...) {
		if left := strings.TrimSpace(h.Get(r.Remaining)); left != "" && left != "0" {
			continue
		}
		sec, err := strconv.ParseFloat(strings.TrimSpace(h.Get(r.Reset)), 64)
		if err != nil || !(sec >= 0 && sec < 1e15) {
			continue
		}
		if sec >= millisFrom {
			sec /= 1000
		}
		if sec < epochFrom {
			return time.Duration(sec * float64(time.Second)), true
		}
		at := time.Unix(int64(sec), 0)
		return max(0, at.Sub(now)), true
	}
	return 0, false
}
