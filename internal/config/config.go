// Package config holds Ringonce's typed configuration: one YAML file, read
// strictly, with every mistake reported by file, line and remedy. It holds no
// secret: only references to where secrets are.
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
	// Silences are the planned ones; people add others while it runs.
	Silences silence.Set
	// Redact are regular expressions for what is personal or secret here,
	// besides what Ringonce knows to be.
	Redact []string
	// Hash identifies the file's content; decision records name it.
	Hash string
}

// Owner is who pays for and acts on an incident.
type Owner struct {
	ID         string
	CostCenter string
	// Destinations are who is told of each incident: mail destinations of several
	// recipients are here by recipient.
	Destinations []string
	// TimeZone is the IANA name of the zone whose clocks its messages go by; empty
	// is UTC.
	TimeZone string
	Policy   incident.Policy
}

// Destination is a named channel endpoint.
type Destination struct {
	ID string
	// Group is the destination of the file that this one is a recipient of;
	// empty for one of the file's own. See RecipientID.
	Group string
	// Channel is slack_webhook, slack_bot, ses, pagerduty or webhook.
	Channel string
	// WebhookURL is a reference to the secret URL (slack_webhook).
	WebhookURL string
	// Token is a reference to a bot's token and ChannelID the channel that it
	// posts to (slack_bot).
	Token     string
	ChannelID string
	// RoutingKey is a reference to an integration's key and Severity what its
	// alerts are marked with (pagerduty).
	RoutingKey string
	Severity   string
	// APIURL is where the service is asked (slack_bot, pagerduty), and URL where
	// the receiver is (webhook): an address, or a reference to one.
	APIURL string
	URL    string
	// SigningSecret is a reference to what requests are signed with (webhook).
	SigningSecret string
	// From and To are mail addresses (ses). Both are personal data: they
	// appear in no log, row or message.
	From string
	To   []string
	// OnAmbiguous overrides what is done, per action, when a send may have
	// arrived.
	OnAmbiguous map[incident.Action]delivery.Ambiguity
	// Fallback is the destination that is told what this one cannot be told;
	// empty for none.
	Fallback string
	// Pace is the least time between two messages; zero sets none.
	Pace time.Duration
	// DigestOver is how many due messages are still told one by one; more become
	// one. Zero never gathers messages, neither in digests nor an open with its
	// resolve.
	DigestOver int
}

// DeliveryPolicy is how long and how often sending is tried.
type DeliveryPolicy struct {
	BackoffBase   time.Duration
	BackoffCap    time.Duration
	RetryAfterCap time.Duration
	GiveUpAfter   time.Duration
	// MaxAge is the age from which an undelivered message is old news: it says
	// so, and incidents that are over by then are told in one digest.
	MaxAge time.Duration
}

// Retention is how long rows live; zero is for ever. The row of an incident never
// expires, nor do policies and counters, nor a message that is not final yet. While
// an incident is open, its decisions and messages are kept for longer.
type Retention struct {
	Observations time.Duration
	PollRuns     time.Duration
	// Decisions counts from a decision, Deliveries from when a message became
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
