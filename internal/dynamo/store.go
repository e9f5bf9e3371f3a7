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

// Store reads and writes Ringonce's records. It holds no state of its own and
// is safe for concurrent use.
type Store struct {
	client *dynamodb.Client
	tables Tables
	// How long rows live; zero is for ever.
	runsKept, decisionsKept, deliveriesKept time.Duration
	// now dates what expires, and nothing else.
	now func() time.Time
	// noteExisting is told of outbox items that were there already.
	noteExisting func(delivery.Ref)
	// verdictsPage is how many rows of a history are asked for at once.
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
// KeepDeliveries deliveries this long after they became final: one that is not has
// no time to live. Without them, or with zero, they are kept. See Keep for those of
// an incident that is open for long.
func KeepDecisions(d time.Duration) Option { return func(s *Store) { s.decisionsKept = d } }

// KeepDeliveries is explained at KeepDecisions.
func KeepDeliveries(d time.Duration) Option { return func(s *Store) { s.deliveriesKept = d } }

// NoteExisting has Commit tell of each outbox item that it leaves as it is because
// it is there already: a message that is not sent a second time.
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
