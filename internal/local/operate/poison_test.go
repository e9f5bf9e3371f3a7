package operate

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Case O5, end to end: rows that can never be handled are written into the tables
// that decide and deliver read the streams of.
func TestCaseO5APoisonRecordEndToEnd(t *testing.T) {
	p := startServices(t)
	w := open(t, configuration, without(t, ""), functions(t), p.env("none")...)
	check(t, w.tick(t.Context(), start, true, true))
	check(t, w.Heartbeat(t.Context(), start))

	w.flood.Store(true)
	for _, table := range []string{"ObservationsTable", "OutboxTable"} {
		w.poison(t, table)
	}
	at := start.Add(time.Minute)
	check(t, w.tick(t.Context(), at, true, true))
	check(t, w.Heartbeat(t.Context(), at))

	// The neighbours of both are told: each of the flood, in one digest.
	var posts string
	for _, m := range p.inbox.Messages() {
		if m.Target == "slack" {
			posts += string(m.Body)
		}
	}
	for _, name := range []string{"checkout", "basket", "search", "login", "stock", "prices", "labels"} {
		if !strings.Contains(posts, name) {
			t.Errorf("Slack was not told of %s", name)
		}
	}
	// Each has its place in the failure queue: shard and sequence number, with what
	// came behind it in its batch.
	failures, err := w.Failures()
	check(t, err)
	var given []string
	for _, f := range failures {
		if f.Batch.ShardID == "" || f.Batch.StartSequence == "" {
			t.Errorf("given up %+v: want its shard and sequence number", f.Batch)
		}
		given = append(given, f.RequestContext.Condition)
	}
	if !slices.Equal(given, []string{"RetryAttemptsExhausted", "RetryAttemptsExhausted"}) {
		t.Errorf("given up: %v", given)
	}
	w.redriveFromTheTables(t, at)

	// The metric that the alarm failure-queue watches has moved.
	check(t, w.Close())
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := w.values(emf.FailureQueueDepth); !slices.Equal(got, []float64{0, 2}) {
		t.Errorf("%s was %v", emf.FailureQueueDepth, got)
	}
	// The log says of each number why.
	for _, f := range failures {
		if !slices.ContainsFunc(w.other, func(line string) bool {
			return strings.Contains(line, `"`+f.Batch.StartSequence+`"`) && strings.Contains(line, "attribute")
		}) {
			t.Errorf("the log does not name %s of %s:\n%s", f.Batch.StartSequence, f.Batch.ShardID, strings.Join(w.other, "\n"))
		}
	}
}

// redriveFromTheTables loses the record of an observation, and has it judged from
// the table, beside the poison, which is named.
func (w *world) redriveFromTheTables(t *testing.T, at time.Time) {
	t.Helper()
	parts := []observation.Part{{Name: "name", Value: "forgotten"}}
	key, err := incident.Key("error", parts)
	check(t, err)
	store := dynamo.New(dynamodb.NewFromConfig(w.AWS()), dynamo.Tables{
		Observations: w.TableName("ObservationsTable"), Incidents: w.TableName("IncidentsTable"),
		Outbox: w.TableName("OutboxTable"), Operations: w.TableName("OperationsTable"),
	})
	_, err = store.PutObservation(t.Context(), observation.Observation{
		IncidentKey: key, Kind: "error", Parts: parts, Source: "api", Tick: at, Verdict: observation.Failing,
		Owner: "team", Summary: "forgotten", ObservedAt: at,
	}, at.AddDate(1, 0, 0))
	check(t, err)
	out, failed := w.redrive(t, at)
	if !failed || !strings.Contains(out, "cannot be judged") || !strings.Contains(out, "k1/error/name=poison") {
		t.Errorf("redrive exits with failure %v:\n%s", failed, out)
	}
	episode, err := store.Episode(t.Context(), key, 1)
	if err != nil || len(episode) != 2 {
		t.Errorf("the observation whose record was lost came to %d messages, %v", len(episode), err)
	}
	if again, _ := w.redrive(t, at); again != out {
		t.Errorf("a second redrive says\n%s\nthe first said\n%s", again, out)
	}
	check(t, w.Sweep(t.Context(), at.Add(time.Minute)))
	if episode, err = store.Episode(t.Context(), key, 1); err != nil || len(episode) != 2 {
		t.Fatalf("%d messages, %v", len(episode), err)
	}
	for _, d := range episode {
		if d.State != "delivered" {
			t.Errorf("to %s it is %s", d.Destination, d.State)
		}
		if !strings.HasPrefix(d.Notice.Page, "https://pages.example.com/i/") {
			t.Errorf("to %s it links to %q, and not to its page", d.Destination, d.Notice.Page)
		}
	}
}

func (w *world) redrive(t *testing.T, at time.Time) (out string, failed bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ringonce.yaml")
	check(t, os.WriteFile(path, []byte(strings.ReplaceAll(configuration, "VENDOR", w.vendor.URL)), 0o600))
	cmd := exec.CommandContext(t.Context(), filepath.Join(functions(t), "ringonce"),
		"redrive", "--since", time.Since(at.Add(-time.Minute)).Round(time.Minute).String(), "--config", path)
	cmd.Env = []string{
		"AWS_ENDPOINT_URL_DYNAMODB=" + aws.ToString(w.AWS().BaseEndpoint), "AWS_REGION=" + w.AWS().Region,
		"AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local",
		"RINGONCE_PAGE_URL=https://pages.example.com/", "RINGONCE_PAGE_SECRET=env:PAGE", "PAGE=0123456789abcdef0123456789abcdef",
	}
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err := cmd.Run()
	return both.String(), err != nil
}

// poison writes a row that names an incident and holds no sense.
func (w *world) poison(t *testing.T, table string) {
	t.Helper()
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	row := map[string]types.AttributeValue{
		"incident_key": text("k1/error/name=poison"), "observation_id": text("2026-01-02T03:05:00Z#api"), "slot": text("000001#000001#slack"),
		"source": text("api"), "tick": text("2026-01-02T03:05:00Z"), "verdict": text("sideways"),
		"state": text("pending"), "due_shard": text("0"), "due_at": text("2026-01-02T03:05:00.000Z"),
		"episode": text("one"), "sequence": text("two"), "action": text("open"), "destination": text("slack"), "id": text("d1-poison"),
	}
	_, err := dynamodb.NewFromConfig(w.AWS()).PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(w.TableName(table)), Item: row,
	})
	check(t, err)
}

// values are those of a metric in what the functions printed, oldest first.
func (w *world) values(metric emf.Name) []float64 {
	var all []float64
	for _, line := range w.lines {
		var m map[string]json.RawMessage
		var v float64
		if json.Unmarshal([]byte(line), &m) == nil && json.Unmarshal(m[string(metric)], &v) == nil {
			all = append(all, v)
		}
	}
	return all
}
