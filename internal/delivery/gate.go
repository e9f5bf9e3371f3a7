package delivery

import (
	"net/http"
	"time"
)

// Gate is the state of a destination that all workers share.
type Gate struct {
	// ClosedUntil is the end of the pause that the destination asked for. Nothing
	// is sent before it.
	ClosedUntil time.Time
	// TurnAt is when the destination's pace allows the next message.
	TurnAt time.Time
	// RefusedSince is when the destination began to refuse every message,
	// RefusedCode the provider's error code, and RefusedUntil when one message may
	// be tried again. All are zero for a destination that accepts messages.
	RefusedSince time.Time
	RefusedUntil time.Time
	RefusedCode  string
}

// Refuses reports whether the destination is known to refuse everything.
func (g Gate) Refuses() bool { return g.RefusedCode != "" }

// RefusesAll reports whether the outcome concerns the destination and not only the
// message: its address is gone, or its credentials are rejected.
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

// refusingCodes are error codes with the same meaning under another HTTP status.
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
