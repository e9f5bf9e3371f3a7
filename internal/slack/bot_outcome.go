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

// botWords are the errors of the Web API that are documented for
// chat.postMessage, chat.update, conversations.history and .replies, and what
// they mean. An error that is not here is permanent, and not repeated: its text
// is not ours.
//
// internal_error and fatal_error are ambiguous: Slack documents of both that
// part of the operation may have succeeded. token_expired is temporary, for
// whoever rotates the token writes a new one.
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

// authWords say that Slack does not know the token, or no longer.
var authWords = []string{"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}

// TokenRefused reports whether an outcome's code is about the token.
func TokenRefused(code string) bool { return slices.Contains(authWords, code) }

// answerBody is what all methods answer with, and what the ones used here add.
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

// listed is a message as the channel's history lists it.
type listed struct {
	TS       string   `json:"ts"`
	Metadata metadata `json:"metadata"`
}

// botOutcome is the one place that says what an answer of the Web API means.
// Most failures come with HTTP status 200, and the word is what counts. The
// outcome of a success is accepted without more: the caller knows what it asked
// for.
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
