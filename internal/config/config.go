// Package config holds Ringonce's typed configuration: one YAML file, parsed
// strictly, with every mistake reported by file, line and remedy. It holds no
// secrets, only references to them.
package config

import (
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/silence"
)

// Config is a whole, validated configuration.
type Config struct {
	// Environment is the stage that every message names: production, staging.
	Environment  string
	Owners       map[string]Owner
	Destinations map[string]Destination
	Sources      []Source
	Retention    Retention
	Delivery     DeliveryPolicy
	Prices       Prices
	// Silences are the planned ones; people add others at run time.
	Silences silence.Set
	// Redact are regular expressions for data that is personal or secret here,
	// besides what Ringonce already recognises.
	Redact []string
	// Hash identifies the file's content; decision records hold it.
	Hash string
}

// Owner is who pays for an incident and acts on it.
type Owner struct {
	ID         string
	CostCenter string
	// Destinations are notified of each incident; a mail destination of several
	// recipients is listed by recipient.
	Destinations []string
	// TimeZone is the IANA name of the zone for times in its messages; empty is UTC.
	TimeZone string
	Policy   incident.Policy
}

// Destination is a named channel endpoint.
type Destination struct {
	ID string
	// Group is the id of the configured destination that this one is a recipient of;
	// empty if it is a configured destination itself. See RecipientID.
	Group string
	// Channel is slack_webhook, slack_bot, ses, pagerduty or webhook.
	Channel string
	// WebhookURL is a reference to the secret URL (slack_webhook).
	WebhookURL string
	// Token is a reference to a bot's token and ChannelID the channel that it posts
	// to (slack_bot).
	Token     string
	ChannelID string
	// RoutingKey is a reference to an integration's key and Severity the severity of
	// its alerts (pagerduty).
	RoutingKey string
	Severity   string
	// APIURL is the address of the service's API (slack_bot, pagerduty), and URL that
	// of the receiver (webhook): an address, or a reference to one.
	APIURL string
	URL    string
	// SigningSecret is a reference to the secret that signs requests (webhook).
	SigningSecret string
	// From and To are mail addresses (ses). Both are personal data: they
	// appear in no log, row or message.
	From string
	To   []string
	// OnAmbiguous overrides, per action, what is done when a send may have arrived.
	OnAmbiguous map[incident.Action]delivery.Ambiguity
	// Fallback is the destination that gets what cannot be delivered to this one;
	// empty for none.
	Fallback string
	// Pace is the least time between two messages; zero is no limit.
	Pace time.Duration
	// DigestOver is how many due messages are still sent one by one; more become one
	// digest. Zero never combines messages: neither in digests, nor an open with its
	// resolve.
	DigestOver int
}

// DeliveryPolicy is how long and how often a send is tried.
type DeliveryPolicy struct {
	BackoffBase   time.Duration
	BackoffCap    time.Duration
	RetryAfterCap time.Duration
	GiveUpAfter   time.Duration
	// MaxAge is the age from which an undelivered message is old news: it says so,
	// and incidents that have ended by then are reported in one digest.
	MaxAge time.Duration
}

// Retention is how long rows live; zero is forever. The row of an incident never
// expires, nor do policies, counters and messages that are not final. While an
// incident is open, its decisions and messages are kept for longer.
type Retention struct {
	Observations time.Duration
	PollRuns     time.Duration
	// Decisions counts from the decision, Deliveries from when a message became
	// final.
	Decisions  time.Duration
	Deliveries time.Duration
}

// Source returns the configured source of the given id.
func (c *Config) Source(id string) (Source, bool) {
	for _, s := range c.Sources {
		if s.ID == id {
			return s, true
		}
	}
	return Source{}, false
}
