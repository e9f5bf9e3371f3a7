package backoff

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter reads a Retry-After header value: seconds, or an HTTP date seen
// from now (RFC 9110, section 10.2.3). It returns false for anything else. A
// date in the past and negative seconds are a wait of zero.
func RetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if sec, err := strconv.ParseFloat(value, 64); err == nil {
		// The negated form also refuses NaN; the bound keeps the conversion
		// below from overflowing.
		if !(sec < 1e9) {
			return 0, false
		}
		return max(0, time.Duration(sec*float64(time.Second))), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}
