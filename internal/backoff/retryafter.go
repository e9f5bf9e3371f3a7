package backoff

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter parses a Retry-After header value: seconds, or an HTTP date relative to
// now (RFC 9110, section 10.2.3). It returns false for anything else. A past date and
// negative seconds give a wait of zero. A huge number gives a wait of some thirty years,
// which the caller caps.
func RetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if sec, err := strconv.ParseFloat(value, 64); err == nil {
		if math.IsNaN(sec) {
			return 0, false
		}
		// The bound, some thirty years, prevents an overflow.
		return max(0, time.Duration(min(sec, 1e9)*float64(time.Second))), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}
