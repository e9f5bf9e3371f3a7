package slack

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
)

// words are the answers of incoming webhooks that Slack documents in "Sending
// messages using incoming webhooks" and in its change log of 17 May 2016, and
// the few more that its users report. Any other text is not repeated: a proxy
// or a wrong host may answer with the URL in it.
var words = map[string]bool{
	"action_prohibited": true, "channel_is_archived": true, "channel_not_found": true,
	"invalid_attachments": true, "invalid_blocks": true, "invalid_payload": true, "invalid_token": true,
	"msg_blocks_too_long": true, "no_active_hooks": true, "no_service": true, "no_service_id": true,
	"no_team": true, "no_text": true, "posting_to_general_channel_denied": true, "rate_limited": true,
	"rollup_error": true, "team_disabled": true, "too_many_attachments": true, "user_not_found": true,
}

// outcome is the one place that says what an answer of Slack means.
//
//   - 2xx with the body "ok" is accepted. 2xx with anything else is ambiguous:
//     Slack has never been seen to answer so, it may be another service at the
//     address, and neither losing the message nor repeating it without saying
//     so would be right.
//   - 429 is rate-limited; the body is not read, its form is undocumented.
//   - 5xx, 408 and 425 are temporary.
//   - Everything else is permanent: redirects, which a webhook does not do, and
//     400, 403, 404 and 410, which say that this message or this webhook will
//     not do, now or later.
func outcome(status int, header http.Header, body string, now time.Time) delivery.Outcome {
	o := delivery.Outcome{Status: status, Code: code(status, body)}
	switch {
	case status >= 200 && status < 300:
		o.Class = delivery.Accepted
		if o.Code != "ok" {
			o.Class, o.Code = delivery.Ambiguous, "unexpected_answer"
		}
	case status == http.StatusTooManyRequests:
		o.Class, o.Code = delivery.RateLimited, "rate_limited"
		o.RetryAfter, _ = backoff.RetryAfter(header.Get("Retry-After"), now)
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		o.Class = delivery.Temporary
	case status >= 300 && status < 400:
		o.Class, o.Code = delivery.Permanent, "redirect"
	default:
		o.Class = delivery.Permanent
	}
	return o
}

// code is Slack's own word where it is a known one, and the status otherwise.
func code(status int, body string) string {
	word := strings.TrimSpace(body)
	if word == "ok" || words[word] {
		return word
	}
	return "http_" + strconv.Itoa(status)
}
