package delivery

import (
	"net/http"
	"time"
)

// Gate is what is known of a destination, whoever sends to it.
type Gate struct {
	// ClosedUntil is the time before which nothing may be sent to it, because
	// it asked for a pause.
	ClosedUntil time.Time
	// TurnAt is when the next message may go by the destination's own pace.
	TurnAt time.Time
	// RefusedSince is when it began to refuse everything, RefusedCode in what
	// word, and RefusedUntil when one message may be tried again. All are zero
	// for a destination that takes messages.
	RefusedSince time.Time
	RefusedUntil time.Time
	RefusedCode  string
}

// Refuses reports whether the destination is known to refuse everything.
func (g Gate) Refuses() bool { return g.RefusedCode != "" }

// RefusesAll reports an outcome that condemns the destination and not only the
// message: its address is gone, or its credentials are not taken.
func (o Outcome) RefusesAll() bool {
	if o.Class != Permanent {
		return false
	}
	if o.Misconfigured {
		return true
	}
	switch o.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return true
	}
	return refusingCodes[o.Code]
}

// refusingCodes are words of providers that answer with another status.
var refusingCodes = map[string]bool{
	"account_inactive": true, "channel_is_archived": true, "channel_not_found": true, "invalid_auth": true,
	"invalid_token": true, "is_archived": true, "no_active_hooks": true, "no_service": true, "no_team": true,
	"not_authed": true, "not_in_channel": true, "team_disabled": true, "token_expired": true, "token_revoked": true,
	"AccountSuspendedException": true, "MailFromDomainNotVerifiedException": true,
	// Slack answers a bot with 200, whatever it refuses.
	"access_denied": true, "ekm_access_denied": true, "is_inactive": true, "missing_scope": true, "no_permission": true,
	"not_allowed_token_type": true, "restricted_action": true, "restricted_action_read_only_channel": true,
	"restricted_action_thread_only_channel": true, "team_access_not_granted": true,
}
