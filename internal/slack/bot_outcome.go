package slack

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// botWords maps the documented errors of chat.postMessage, chat.update,
// conversations.history and conversations.replies to delivery classes. Any other
// error is permanent, and its text is not repeated, since it may be anything.
//
// internal_error and fatal_error are ambiguous: Slack documents that part of the
// operation may have succeeded. token_expired is temporary, since a token that
// expires is rotated.
var botWords = map[string]delivery.Class{
	"ratelimited":            delivery.RateLimited,
	"rate_limited":           delivery.RateLimited,
	"message_limit_exceeded": delivery.Temporary,
	"org_login_required":     delivery.Temporary,
	"request_timeout":        delivery.Temporary,
	"service_unavailable":    delivery.Temporary,
	"team_added_to_org":      delivery.Temporary,
	"token_expired":          delivery.Temporary,
	"internal_error":         delivery.Ambiguous,
	"fatal_error":            delivery.Ambiguous,

	"access_denied": delivery.Permanent, "account_inactive": delivery.Permanent, "cannot_reply_to_message": delivery.Permanent,
	"cant_update_message": delivery.Permanent, "channel_not_found": delivery.Permanent, "edit_window_closed": delivery.Permanent,
	"ekm_access_denied": delivery.Permanent, "invalid_arguments": delivery.Permanent, "invalid_auth": delivery.Permanent,
	"invalid_blocks": delivery.Permanent, "invalid_blocks_format": delivery.Permanent, "invalid_json": delivery.Permanent,
	"invalid_metadata_format": delivery.Permanent, "invalid_metadata_schema": delivery.Permanent, "is_archived": delivery.Permanent,
	"is_inactive": delivery.Permanent, "json_not_object": delivery.Permanent, "message_not_found": delivery.Permanent,
	"metadata_must_be_sent_from_app": delivery.Permanent, "metadata_too_large": delivery.Permanent, "method_deprecated": delivery.Permanent,
	"missing_scope": delivery.Permanent, "msg_blocks_too_long": delivery.Permanent, "msg_too_long": delivery.Permanent,
	"no_permission": delivery.Permanent, "no_text": delivery.Permanent, "not_allowed_token_type": delivery.Permanent,
	"not_authed": delivery.Permanent, "not_in_channel": delivery.Permanent, "restricted_action": delivery.Permanent,
	"restricted_action_read_only_channel": delivery.Permanent, "restricted_action_thread_locked": delivery.Permanent,
	"restricted_action_thread_only_channel": delivery.Permanent, "team_access_not_granted": delivery.Permanent,
	"thread_not_found": delivery.Permanent, "token_revoked": delivery.Permanent, "too_many_attachments": delivery.Permanent,
}

// authWords are the errors for an invalid or revoked token.
var authWords = []string{"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}

// TokenRefused reports whether an outcome's code is about the token.
func TokenRefused(code string) bool { return slices.Contains(authWords, code) }

// answerBody is the common part of all methods' answers, with the fields of those
// used here.
type answerBody struct {
	OK       bool      `json:"ok"`
	Error    string    `json:"error"`
	Channel  string    `json:"channel"`
	TS       string    `json:"ts"`
	HasMore  bool      `json:"has_more"`
	Messages []listed  `json:"messages"`
	Response cursorRef `json:"response_metadata"`
}

type cursorRef struct {
	NextCursor string `json:"next_cursor"`
}

// listed is a message in the channel's history.
type listed struct {
	TS       string   `json:"ts"`
	Metadata metadata `json:"metadata"`
}

// botOutcome is the only place that maps answers of the Web API to outcomes. Most
// failures have HTTP status 200, and the error in the body counts. A success is
// accepted and no more: the caller knows what it asked for.
func botOutcome(a wire.Answer, now time.Time) (answerBody, delivery.Outcome) {
	var body answerBody
	readable := json.Unmarshal(a.Body, &body) == nil
	switch {
	case a.Status != http.StatusOK || !readable:
		return answerBody{}, wire.Refused(a, now)
	case body.OK:
		return body, delivery.Outcome{Class: delivery.Accepted, Status: a.Status, Code: "ok"}
	}
	o := delivery.Outcome{Class: botWords[body.Error], Status: a.Status, Code: body.Error}
	switch o.Class {
	case "":
		o.Class, o.Code = delivery.Permanent, "unknown_error"
		if body.Error == "" {
			o.Class, o.Code = delivery.Ambiguous, "unexpected_answer"
		}
	case delivery.RateLimited:
		o.Code = "rate_limited"
		o.RetryAfter, _ = backoff.RetryAfter(a.Header.Get("Retry-After"), now)
	}
	return body, o
}
