package setup

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/emf"
	_ "github.com/ringonce/ringonce/internal/setup/garbage"
)

// Base is what every function has before its first event.
type Base struct {
	Config *config.Config
	Log    *slog.Logger
	// Metrics counts log lines; Counted writes the counts.
	Metrics *emf.Recorder
	AWS     aws.Config
	// MaxHeap is how many bytes the function's heap may use; zero if unknown.
	MaxHeap uint64
	// Tables holds the names of the tables that the function requested.
	Tables dynamo.Tables
}

// Main prepares what a function needs, with the tables it names, calls wire, and
// exits if either fails: a function that cannot be wired must not take events.
func Main(wire func(Base) error, needed ...Table) { run(wire, Config, needed) }

// MainForSending is Main for a function that neither polls nor decides: its
// configuration is what ConfigForSending reads.
func MainForSending(wire func(Base) error, needed ...Table) { run(wire, ConfigForSending, needed) }

func run(wire func(Base) error, read func(Env) (*config.Config, error), needed []Table) {
	b, err := start(context.Background(), os.Stdout, os.Getenv, read, needed)
	if err == nil {
		err = wire(b)
	}
	if err != nil {
		slog.Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
}

// Serve handles events with h and does not return.
func (b Base) Serve(h lambda.Handler) { lambda.Start(h) }

func start(ctx context.Context, out io.Writer, env Env, read func(Env) (*config.Config, error), needed []Table) (b Base, err error) {
	log, err := Log(out, env)
	if err != nil {
		return b, err
	}
	b.Metrics, b.Log = Metrics(out, env, log)
	b.MaxHeap = MaxHeap(env)
	// Both take milliseconds, and neither needs the other.
	var awsErr error
	var loading sync.WaitGroup
	loading.Go(func() { b.AWS, awsErr = AWS(ctx) })
	b.Config, err = read(env)
	loading.Wait()
	if err != nil {
		return b, err
	}
	if b.Tables, err = Tables(env, needed...); err != nil {
		return b, err
	}
	return b, awsErr
}

// Store returns the store over the function's tables.
func (b Base) Store() *dynamo.Store {
	note := dynamo.NoteExisting(func(r delivery.Ref) {
		b.Log.Debug("delivery", "incident_key", r.IncidentKey, "slot", r.Slot, "state", "already_written")
	})
	options := append(Retention(b.Config), note)
	return dynamo.New(dynamodb.NewFromConfig(b.AWS), b.Tables, options...)
}

// Retention returns the options that let rows expire as configured.
func Retention(cfg *config.Config) []dynamo.Option {
	r := cfg.Retention
	return []dynamo.Option{dynamo.KeepRuns(r.PollRuns), dynamo.KeepDecisions(r.Decisions), dynamo.KeepDeliveries(r.Deliveries)}
}

// Counted makes a handler write the metrics of each invocation at its end.
func (b Base) Counted(handle any) lambda.Handler { return Counted(handle, b.Metrics, b.Log) }
