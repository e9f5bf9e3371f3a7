package config

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

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

// PaginationType is a way in which the pages of a list follow each other.
type PaginationType string

// The ways.
const (
	// PaginationNone is one page.
	PaginationNone PaginationType = "none"
	// PaginationLink follows the Link header (RFC 8288), with Sentry's results flag.
	PaginationLink PaginationType = "link"
	// PaginationPage numbers pages.
	PaginationPage PaginationType = "page"
	// PaginationOffset says how many items to skip.
	PaginationOffset PaginationType = "offset"
	// PaginationToken hands back a token that the answer's body gives.
	PaginationToken PaginationType = "token"
	// PaginationNextURL asks the address that the answer's body gives.
	PaginationNextURL PaginationType = "next_url"
)

// Pagination is how the next page is found.
type Pagination struct {
	Type PaginationType
	// Param takes the page's number, the offset or the token; SizeParam the
	// page's size. First is the number of the first page and Size how many
	// items a full page holds, zero for pages of which nobody said it.
	Param     string
	SizeParam string
	First     int
	Size      int
	// Pages, More and Next are jq programs on a whole answer. Pages gives how many
	// pages there are (page); without it the first short page is the last, or the
	// first empty one where Size is zero. More gives whether more follow (offset),
	// and Next the next token or address, null after the last.
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

// KeyPartType is what becomes of a part's value in the incident key.
type KeyPartType string

// The types of key parts.
const (
	// KeyPartID is taken as it is, but for addresses and secrets, which are hashed.
	KeyPartID KeyPartType = "id"
	// KeyPartText is normalised: volatile text is taken out; see incident.Normalise.
	KeyPartText KeyPartType = "text"
)

// KeyPart is one named part of the incident key.
type KeyPart struct {
	Name string
	// Value is a jq program.
	Value string
	Type  KeyPartType
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
