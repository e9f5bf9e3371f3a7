// Package config holds Ringonce's typed configuration: one YAML file, read
// strictly, with every mistake reported by file, line and remedy. It holds no
// secret: only references to where secrets are.
package config

import (
	"time"

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
	// MaxNewIncidents is how many keys may start to fail in one tick; more are
	// told as one overflow.
	MaxNewIncidents int
	// FailingWithin, where it is not zero, is how long ago a failure may have
	// been last seen to count: an unresolved error can be silent for weeks.
	FailingWithin time.Duration
	Policy        incident.Policy

	Request    Request
	Discovery  Discovery
	RateLimit  RateLimit
	Pagination Pagination
	Map        Mapping
	Canary     Canary
	Enrich     Enrich
}

// RateLimit names the headers in which a vendor says how long it wants to be left
// alone, where it has its own for it. Retry-After is read without being named.
type RateLimit struct {
	// Reset gives seconds from now, or seconds or milliseconds since 1970.
	Reset string
	// Remaining, where it is named and present, must be zero for Reset to count.
	Remaining string
}

// Discovery is a document in which a vendor describes its own answers. What is
// found there is $field in the jq programs of map and canary.
type Discovery struct {
	// URL is asked before the list, on the list's own host. Empty asks nobody, and
	// every field is null.
	URL string
	// Next is a jq program on that document which gives the address of the one
	// that Fields is for; empty where it is that document itself.
	Next string
	// Fields is a jq program that gives an object of texts: what is $field. One
	// that is not found leaves the source unread: a mapping that is not known maps
	// nothing.
	Fields string
}

// Enrich is a second request for each failure that is new, for evidence that
// the list does not have: the latest event, the group's detail.
type Enrich struct {
	// URL is asked on the source's own host, with {id} the item's vendor id.
	// Empty asks for nothing.
	URL string
	// Evidence are jq programs on the answer; what they give wins over what the
	// list gave.
	Evidence EvidenceMap
}

// Canary is what every good answer holds. Without it an answer that looks empty
// and healthy is unknown: the credentials may see nothing.
type Canary struct {
	// MinItems is how many items there are at least; zero asks for none.
	MinItems int
	// Item is a jq program that is true for one item of every good answer; that
	// item proves the source and is no incident. Empty asks for none.
	Item string
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
	// AllowPrivate permits an address inside a private network.
	AllowPrivate bool
}

// Pagination is how the next page is found.
type Pagination struct {
	// Type is none, link (RFC 8288 Link header, with Sentry's results flag),
	// page (numbered pages), offset (the number of items to skip), token or
	// next_url (the answer's body says what to ask for next).
	Type string
	// Param takes the page's number, the offset or the token; SizeParam the
	// page's size. First is the number of the first page and Size how many
	// items a full page holds, zero for pages of which nobody said it.
	Param     string
	SizeParam string
	First     int
	Size      int
	// Pages, More and Next are jq programs on a whole answer: how many pages
	// there are (page; without it the first short page is the last, or the first
	// empty one where Size is zero), whether
	// more follow (offset), and the next token or address, null after the last.
	Pages string
	More  string
	Next  string
	// MaxPages bounds one poll; reaching it leaves the listing incomplete.
	MaxPages int
	// MaxBytes bounds one page's body. Decoded, a page takes many times that.
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
	// Type is id (taken as it is, with a hash for addresses and secrets) or text (volatile text is normalised away).
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
