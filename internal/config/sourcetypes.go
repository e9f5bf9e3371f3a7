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
	// OperatorAction is one sentence that says what a person does about any incident
	// of this source.
	OperatorAction string
	Interval       time.Duration
	Kind           string
	Stage          string
	Absent         Absent
	// UnreachableAfter is how many failed polls in a row open an incident about the
	// source itself; zero is never.
	UnreachableAfter int
	// MaxNewIncidents is how many keys may start to fail in one tick; more are
	// reported as one overflow.
	MaxNewIncidents int
	// FailingWithin, if not zero, is how recently a failure must have been seen to
	// count: an unresolved error can be silent for weeks.
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

// RateLimit names a vendor's own headers for how long it wants to be left alone.
// Retry-After is always read.
type RateLimit struct {
	// Reset gives seconds from now, or seconds or milliseconds since 1970.
	Reset string
	// Remaining, if named and present, must be zero for Reset to count.
	Remaining string
}

// Discovery is a document in which a vendor describes its own answers. Its fields are
// $field in the jq programs of map and canary.
type Discovery struct {
	// URL is requested before the list, from the list's own host. If it is empty,
	// nothing is requested, and every field is null.
	URL string
	// Next is a jq program on that document that gives the address of the document
	// for Fields; empty if that is the first one itself.
	Next string
	// Fields is a jq program that gives an object of texts, which becomes $field. If
	// one is not found, the source is not read: an unknown mapping maps nothing.
	Fields string
}

// Enrich is a second request for each new failure, for evidence that the list lacks:
// the latest event, the group's detail.
type Enrich struct {
	// URL is requested from the source's own host, with the item's vendor id for
	// {id}. If it is empty, nothing is requested.
	URL string
	// Evidence are jq programs on the answer; their values override the list's.
	Evidence EvidenceMap
}

// Canary is what every good answer holds. Without it an answer that looks empty and
// healthy is unknown: the credentials may see nothing.
type Canary struct {
	// MinItems is the least number of items; zero requires none.
	MinItems int
	// Item is a jq program that is true for one item of every good answer; that item
	// proves the source and is no incident. If it is empty, none is required.
	Item string
}

// Absent is what it means if a complete listing lacks a key.
type Absent string

// The meanings of absence.
const (
	AbsentHealthy Absent = "healthy"
	AbsentMissing Absent = "missing"
	AbsentUnknown Absent = "unknown"
)

// Request is how one page is requested.
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

// PaginationType is a way of paging.
type PaginationType string

// The ways of paging.
const (
	// PaginationNone is a single page.
	PaginationNone PaginationType = "none"
	// PaginationLink follows the Link header (RFC 8288), with Sentry's results flag.
	PaginationLink PaginationType = "link"
	// PaginationPage numbers pages.
	PaginationPage PaginationType = "page"
	// PaginationOffset says how many items to skip.
	PaginationOffset PaginationType = "offset"
	// PaginationToken sends back a token that the answer's body gives.
	PaginationToken PaginationType = "token"
	// PaginationNextURL follows the address that the answer's body gives.
	PaginationNextURL PaginationType = "next_url"
)

// Pagination is how the next page is found.
type Pagination struct {
	Type PaginationType
	// Param is the query parameter of the page's number, the offset or the token;
	// SizeParam that of the page's size. First is the number of the first page and
	// Size the number of items on a full page, zero if unknown.
	Param     string
	SizeParam string
	First     int
	Size      int
	// Pages, More and Next are jq programs on a whole answer. Pages gives the number
	// of pages (page); without it the last page is the first short one, or the first
	// empty one if Size is zero. More gives whether more pages follow (offset), and
	// Next the next token or address, null after the last.
	Pages string
	More  string
	Next  string
	// MaxPages bounds one poll; reaching it leaves the listing incomplete.
	MaxPages int
	// MaxBytes bounds one page's body. Decoded, a page takes many times that in
	// memory.
	MaxBytes int64
}

// Mapping maps a response to items. Items, Status and the other programs are jq; all
// but Items run on one item.
type Mapping struct {
	Items  string
	Status string
	// Verdicts maps each status to a verdict; any other status is unknown.
	Verdicts map[string]string
	Key      []KeyPart
	Summary  string
	Evidence EvidenceMap
}

// KeyPartType is how a part's value enters the incident key.
type KeyPartType string

// The types of key parts.
const (
	// KeyPartID is used unchanged, except for addresses and secrets, which are
	// hashed.
	KeyPartID KeyPartType = "id"
	// KeyPartText is normalised: volatile text is removed; see incident.Normalise.
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
