// Package config holds Ringonce's typed configuration: one YAML file, read
// strictly, with every mistake reported by file, line and remedy. It holds no
// secret: only references to where secrets are.
package config

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
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
	// Hash identifies the file's content; decision records name it.
	Hash string
}

// Owner is who pays for and acts on an incident.
type Owner struct {
	ID           string
	CostCenter   string
	Destinations []string
	Policy       incident.Policy
}

// Destination is a named channel endpoint.
type Destination struct {
	ID string
	// Channel is slack_webhook or ses.
	Channel string
	// WebhookURL is a reference to the secret URL (slack_webhook).
	WebhookURL string
	// From and To are mail addresses (ses). Both are personal data: they
	// appear in no log, row or message.
	From string
	To   []string
	// OnAmbiguous overrides what is done, per action, when a send may have
	// arrived: resend or hold.
	OnAmbiguous map[incident.Action]string
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

// Retention is how long rows live. Rows of open incidents do not expire.
type Retention struct {
	Observations time.Duration
	PollRuns     time.Duration
}

// Source is one configured poll of one vendor endpoint, with its preset
// already merged in and its parameters filled in.
type Source struct {
	ID     string
	Preset string
	Owner  string
	// OperatorAction is the one sentence that says what a person does about
	// any incident of this source: what its events have in common.
	OperatorAction string
	Interval       time.Duration
	Kind           string
	Stage          string
	Absent         Absent
	// UnreachableAfter is how many failed polls in a row make the source
	// itself an incident; zero never does.
	UnreachableAfter int
	Policy           incident.Policy

	Request    Request
	Pagination Pagination
	Map        Mapping
}

// Absent says what it means that a complete listing does not hold a key.
type Absent string

// The meanings of absence.
const (
	AbsentHealthy Absent = "healthy"
	AbsentMissing Absent = "missing"
	AbsentUnknown Absent = "unknown"
)

// Request is how one page is asked for.
type Request struct {
	Method string
	URL    string
	Query  map[string]string
	// Headers may hold secret references (ssm:, env:, file:) as values.
	Headers map[string]string
	Body    string
	// Bearer, when set, is a secret reference sent as Authorization: Bearer.
	Bearer string
	// BasicUser and BasicPassword, when set, are sent as basic authentication;
	// the password is a secret reference.
	BasicUser     string
	BasicPassword string
	Timeout       time.Duration
	// AllowHTTP permits plain http to a host that is not loopback.
	AllowHTTP bool
}

// Pagination is how the next page is found.
type Pagination struct {
	// Type is none, link (RFC 8288 Link header, with Sentry's results flag) or
	// page (numbered pages until a short one).
	Type string
	// Param and SizeParam are the query parameters of page; First is the
	// number of the first page and Size how many items a full page holds.
	Param     string
	SizeParam string
	First     int
	Size      int
	// MaxPages bounds one poll; reaching it leaves the listing incomplete.
	MaxPages int
	// MaxBytes bounds one page's body.
	MaxBytes int64
}

// Mapping turns a response into items. Items, Status and the other programs
// are jq; all but Items run on one item.
type Mapping struct {
	Items  string
	Status string
	// Verdicts says which verdict each status gives; any other is unknown.
	Verdicts map[string]string
	Key      []KeyPart
	Summary  string
	Evidence EvidenceMap
}

// KeyPart is one named part of the incident key.
type KeyPart struct {
	Name string
	// Value is a jq program.
	Value string
	// Type is id (taken as it is) or text (volatile text is normalised away).
	Type string
}

// EvidenceMap holds the jq programs that fill observation.Evidence; an empty
// program leaves its field empty.
type EvidenceMap struct {
	FirstSeen     string
	LastSeen      string
	Count         string
	Link          string
	VendorID      string
	Stage         string
	Deployment    string
	CorrelationID string
	Samples       string
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
