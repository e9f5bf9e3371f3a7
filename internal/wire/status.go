package wire

import (
	"net/http"
	"strconv"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
)

// Refused returns the outcome of an answer other than a success, where the service
// documents no more than HTTP does (RFC 9110 and 6585):
//
//   - 429 is rate-limited.
//   - 5xx, 408 and 425 are temporary; a Retry-After, as 503 may have, is honoured.
//   - Everything else is permanent: redirects, which are not followed, and answers that
//     reject this request for good. A success is ambiguous, since only the caller can
//     judge it.
func Refused(a Answer, now time.Time) delivery.Outcome {
	o := delivery.Outcome{Status: a.Status, Code: "http_" + strconv.Itoa(a.Status)}
	switch {
	case a.Status >= 200 && a.Status < 300:
		o.Class, o.Code = delivery.Ambiguous, "unexpected_answer"
	case a.Status == http.StatusTooManyRequests:
		o.Class, o.Code = delivery.RateLimited, "rate_limited"
		o.RetryAfter, _ = backoff.RetryAfter(a.Header.Get("Retry-After"), now)
	case a.Status >= 500, a.Status == http.StatusRequestTimeout, a.Status == http.StatusTooEarly:
		o.Class = delivery.Temporary
		o.RetryAfter, _ = backoff.RetryAfter(a.Header.Get("Retry-After"), now)
	case a.Status >= 300 && a.Status < 400:
		o.Class, o.Code = delivery.Permanent, "redirect"
	default:
		o.Class = delivery.Permanent
	}
	return o
}
