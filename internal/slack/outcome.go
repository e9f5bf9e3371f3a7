package slack

import (
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// words are the answers of incoming webhooks that Slack documents in "Sending
// messages using incoming webhooks" and in its change log of 17 May 2016, and a few
// that its users report. Any other text is not repeated: a proxy or a wrong host may
// answer with the URL in it.
var words = map[string]bool{
	"action_prohibited": true, "channel_is_archived": true, "channel_not_found": true,
	"invalid_attachments": true, "invalid_blocks": true, "invalid_payload": true, "invalid_token": true,
	"msg_blocks_too_long": true, "no_active_hooks": true, "no_service": true, "no_service_id": true,
	"no_team": true, "no_text": true, "posting_to_general_channel_denied": true, "rate_limited": true,
	"rollup_error": true, "team_disabled": true, "too_many_attachments": true, "user_not_found": true,
}

// outcome is the only place that maps a webhook's answers to outcomes:
//
//   - 2xx with the body "ok" is accepted. 2xx with any other body is ambiguous: Slack has
//     never been seen to answer so, and another service may be at the address, so the
//     message must be neither lost nor repeated without saying so.
//   - 429 is rate-limited; the body is not read, since its form is undocumented.
//   - Any other status means what it means in HTTP, with Slack's own word if it is a known
//     one: 400, 403, 404 and 410 reject this message or this webhook for good.
func outcome(a wire.Answer, now time.Time) delivery.Outcome {
	word := strings.TrimSpace(string(a.Body))
	if a.Status >= 200 && a.Status < 300 && word == "ok" {
		return delivery.Outcome{Class: delivery.Accepted, Status: a.Status, Code: word}
	}
	o := wire.Refused(a, now)
	if words[word] && (o.Class == delivery.Temporary || o.Class == delivery.Permanent) {
		o.Code = word
	}
	return o
}
