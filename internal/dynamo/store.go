package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Tables are the names of the four tables.
type Tables struct {
	Observations string
	Incidents    string
	Outbox       string
	Operations   string
}

// Store reads and writes Ringonce's records. It holds no data itself and is safe for
// concurrent use.
type Store struct {
	client *dynamodb.Client
	tables Tables
	// How long rows live; zero is forever.
	runsKept, decisionsKept, deliveriesKept time.Duration
	// now dates expiry, and nothing else.
	now func() time.Time
	// noteExisting is called with each outbox item that already existed.
	noteExisting func(delivery.Ref)
	// verdictsPage is the number of rows per page of Verdicts.
	verdictsPage int32
	// meter counts reads; nil counts nothing.
	meter *Meter
	// pause waits before the given retry, counted from 1.
	pause func(ctx context.Context, retry int) error
}

// Option changes how a Store works.
type Option func(*Store)

// KeepRuns lets the records of poll runs expire this long after they ended.
// Without it, or with zero, they are kept.
func KeepRuns(d time.Duration) Option { return func(s *Store) { s.runsKept = d } }

// KeepDecisions lets decisions expire this long after they were made, and
// KeepDeliveries lets deliveries expire this long after they became final; a delivery
// that is not final has no time to live. Without them, or with zero, they are kept.
// Keep extends both while an incident is open.
func KeepDecisions(d time.Duration) Option { return func(s *Store) { s.decisionsKept = d } }

// KeepDeliveries is explained at KeepDecisions.
func KeepDeliveries(d time.Duration) Option { return func(s *Store) { s.deliveriesKept = d } }

// NoteExisting sets what Commit calls with each outbox item that already existed and
// was left unchanged: a message that is not sent a second time.
func NoteExisting(note func(delivery.Ref)) Option {
	return func(s *Store) { s.noteExisting = note }
}

// New returns a Store over existing tables.
func New(client *dynamodb.Client, tables Tables, options ...Option) *Store {
	s := &Store{client: client, tables: tables, verdictsPage: verdictsPage, pause: pause, now: time.Now, noteExisting: func(delivery.Ref) {}}
	for _, option := range options {
		option(s)
	}
	return s
}
