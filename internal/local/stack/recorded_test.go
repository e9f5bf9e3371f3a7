package stack

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/mapping"
	"github.com/ringonce/ringonce/internal/local/template"
)

var update = flag.Bool("update", false, "write events/ anew from what the store and the stream give")

// recorder writes rows as the product does and takes down the event that the
// stream makes of them.
type recorder struct {
	t      *testing.T
	cfg    aws.Config
	client *dynamodb.Client
	store  *dynamo.Store
	tables map[string]table
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	e, err := engine.Start(t.Context(), engine.Options{})
	check(t, err)
	t.Cleanup(func() { check(t, e.Stop()) })
	parsed, err := template.Load(templatePath)
	check(t, err)
	described, err := parsed.Stack(defaultStackName, nil)
	check(t, err)
	r := &recorder{t: t, cfg: e.Config(), client: dynamodb.NewFromConfig(e.Config())}
	r.tables, err = makeTables(t.Context(), r.cfg, described)
	check(t, err)
	r.store = dynamo.New(r.client, dynamo.Tables{
		Observations: r.tables["ObservationsTable"].name, Incidents: r.tables["IncidentsTable"].name,
		Outbox: r.tables["OutboxTable"].name, Operations: r.tables["OperationsTable"].name,
	})
	return r
}

// put writes a row that the product would not write.
func (r *recorder) put(table string, row map[string]types.AttributeValue) {
	r.t.Helper()
	_, err := r.client.PutItem(r.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(r.tables[table].name), Item: row})
	check(r.t, err)
}

// event returns the one event that a table's stream holds by now, without the
// records before the given place.
func (r *recorder) event(table string, from int) map[string]any {
	r.t.Helper()
	var event map[string]any
	checkpoints, err := mapping.OpenCheckpoints("", r.tables[table].stream)
	check(r.t, err)
	m := mapping.New(mapping.Config{
		StreamARN: r.tables[table].stream, Stream: dynamodbstreams.NewFromConfig(r.cfg), Checkpoints: checkpoints,
		Settings: mapping.Settings{BatchSize: 1000},
		Function: functionOf(func(payload []byte) error { return json.Unmarshal(payload, &event) }),
	})
	ctx, stop := context.WithCancel(r.t.Context())
	ended := make(chan struct{})
	go func() {
		m.Run(ctx)
		close(ended)
	}()
	check(r.t, m.Drain(ctx))
	stop()
	<-ended
	event["Records"] = event["Records"].([]any)[from:]
	return event
}

type functionOf func(payload []byte) error

func (f functionOf) Invoke(_ context.Context, payload []byte) ([]byte, error) {
	return nil, f(payload)
}

// inAWS gives an event the names and numbers that it would have in AWS. The
// local engine's own tell where and when a test ran.
func inAWS(event map[string]any, table string) {
	for i, r := range event["Records"].([]any) {
		record := r.(map[string]any)
		record["eventID"] = fmt.Sprintf("c4ca4238a0b923820dcc509a6f758%03d", i+1)
		record["awsRegion"] = "eu-central-1"
		record["eventSourceARN"] = "arn:aws:dynamodb:eu-central-1:123456789012:table/" + table + "/stream/2026-01-01T00:00:00.000"
		change := record["dynamodb"].(map[string]any)
		change["SequenceNumber"] = fmt.Sprintf("4421584500000000017450439%03d", i+1)
		change["ApproximateCreationDateTime"] = tick.Unix() + 1
	}
}

// same compares an event with its file under events/, or writes the file.
func (r *recorder) same(name string, event any) {
	r.t.Helper()
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	check(r.t, encoder.Encode(event))
	path := filepath.Join("../../../events", name)
	if *update {
		check(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
		check(r.t, os.WriteFile(path, content.Bytes(), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	check(r.t, err)
	if !bytes.Equal(content.Bytes(), want) {
		r.t.Errorf("%s is not what the stream gives now; look at it, then run: go test ./internal/local/stack -run Events -update\n got %s", path, content.Bytes())
	}
}
