package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
)

func env(pairs map[string]string) Env { return func(name string) string { return pairs[name] } }

func TestConfig(t *testing.T) {
	cfg, err := Config(env(map[string]string{ConfigVar: "../../infra/ringonce.yaml"}))
	if err != nil || cfg.Environment != "production" {
		t.Fatalf("the example: %v", err)
	}
	cfg, err = ConfigForSending(env(map[string]string{ConfigVar: "../../infra/ringonce.yaml"}))
	if err != nil || len(cfg.Destinations) == 0 || len(cfg.Sources) > 0 {
		t.Fatalf("the example for sending: %v", err)
	}
	t.Chdir(t.TempDir())
	if _, err := Config(env(nil)); err == nil || !strings.Contains(err.Error(), "ringonce.yaml does not exist") {
		t.Errorf("without a file: %v", err)
	}
}

func TestLogLevels(t *testing.T) {
	before, flags := slog.Default(), log.Flags()
	t.Cleanup(func() { slog.SetDefault(before); log.SetFlags(flags) })
	for level, debug := range map[string]bool{"": false, "info": false, "INFO": false, "debug": true} {
		var out bytes.Buffer
		logger, err := Log(&out, env(map[string]string{LogLevelVar: level}))
		if err != nil {
			t.Fatal(err)
		}
		logger.Debug("seen")
		if got := out.Len() > 0; got != debug {
			t.Errorf("level %q: debug lines written %v, want %v", level, got, debug)
		}
	}
	for _, level := range []string{"warn", "error", "off"} {
		_, err := Log(&bytes.Buffer{}, env(map[string]string{LogLevelVar: level}))
		if err == nil || !strings.Contains(err.Error(), LogLevelVar) {
			t.Errorf("level %q would hide the errors of handlers: %v", level, err)
		}
	}
}

// TestLogTakesTheStandardLog: the runtime client reports a failed handler
// through the standard log package.
func TestLogTakesTheStandardLog(t *testing.T) {
	before, flags := slog.Default(), log.Flags()
	t.Cleanup(func() { slog.SetDefault(before); log.SetFlags(flags) })
	var out bytes.Buffer
	if _, err := Log(&out, env(nil)); err != nil {
		t.Fatal(err)
	}
	log.Printf("%s", `{"errorMessage":"boom"}`)
	var line struct{ Level, Msg string }
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Level != "INFO" || !strings.Contains(line.Msg, "boom") {
		t.Errorf("logged %q (%v)", out.String(), err)
	}
}

// case C7: what a server sends unasked, net/http says to the standard log.
func TestLogKeepsOutWhatServersSend(t *testing.T) {
	before, flags := slog.Default(), log.Flags()
	t.Cleanup(func() { slog.SetDefault(before); log.SetFlags(flags) })
	var out bytes.Buffer
	if _, err := Log(&out, env(nil)); err != nil {
		t.Fatal(err)
	}
	log.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=%v", "token opensesame of jane@example.com", nil)
	if s := out.String(); strings.Contains(s, "opensesame") || strings.Contains(s, "jane") || !strings.Contains(s, "idle HTTP channel") {
		t.Errorf("logged %s", s)
	}
}

func TestTables(t *testing.T) {
	names := env(map[string]string{"RINGONCE_INCIDENTS_TABLE": "i", "RINGONCE_OUTBOX_TABLE": "o", "RINGONCE_OBSERVATIONS_TABLE": "b"})
	got, err := Tables(names, Incidents, Outbox)
	if want := (dynamo.Tables{Incidents: "i", Outbox: "o"}); err != nil || got != want {
		t.Errorf("tables %+v (%v), want %+v", got, err, want)
	}
	_, err = Tables(env(nil), Operations, Observations)
	if err == nil || !strings.Contains(err.Error(), "RINGONCE_OPERATIONS_TABLE is not set") || !strings.Contains(err.Error(), "RINGONCE_OBSERVATIONS_TABLE is not set") {
		t.Errorf("missing names: %v", err)
	}
}

// awsEnv keeps the developer's own AWS files out of a test.
func awsEnv(t *testing.T, region, endpoint string) {
	t.Setenv("AWS_CONFIG_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_PROFILE", "")
	t.Setenv("AWS_REGION", region)
	t.Setenv("AWS_DEFAULT_REGION", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
}

func TestAWSNeedsARegion(t *testing.T) {
	awsEnv(t, "", "")
	if _, err := AWS(context.Background()); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("without a region: %v", err)
	}
}

// TestAWSTriesAgain: a client made from the configuration goes where the SDK's
// variable points, and repeats what failed for a moment.
func TestAWSTriesAgain(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		if calls < attempts {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = w.Write([]byte(`{"TableNames":["t"]}`))
	}))
	defer server.Close()
	awsEnv(t, "eu-central-1", server.URL)
	cfg, err := AWS(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out, err := dynamodb.NewFromConfig(cfg).ListTables(context.Background(), &dynamodb.ListTablesInput{})
	if err != nil || len(out.TableNames) != 1 || calls != attempts {
		t.Errorf("%d calls, answer %+v, error %v", calls, out, err)
	}
}

// TestStartNamesWhatIsMissing: a function that cannot be wired says why, one
// cause at a time, before it takes an event.
func TestStartNamesWhatIsMissing(t *testing.T) {
	before, flags := slog.Default(), log.Flags()
	t.Cleanup(func() { slog.SetDefault(before); log.SetFlags(flags) })
	good := map[string]string{
		ConfigVar: "../../infra/ringonce.yaml", LogLevelVar: "debug", StackVar: "ring", "RINGONCE_OUTBOX_TABLE": "o",
	}
	awsEnv(t, "eu-central-1", "")
	b, err := start(context.Background(), &bytes.Buffer{}, env(good), Config, []Table{Outbox})
	if err != nil || b.Config.Environment != "production" || b.Tables.Outbox != "o" || b.AWS.Region != "eu-central-1" || b.Log == nil || b.Metrics == nil {
		t.Errorf("%+v, %v", b, err)
	}
	for variable, value := range map[string]string{ConfigVar: "no-such.yaml", LogLevelVar: "loud", "RINGONCE_OUTBOX_TABLE": ""} {
		bad := maps.Clone(good)
		bad[variable] = value
		named := map[string]string{ConfigVar: "no-such.yaml"}[variable]
		if named == "" {
			named = variable
		}
		if _, err := start(context.Background(), &bytes.Buffer{}, env(bad), Config, []Table{Outbox}); err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("with %s=%q: %v", variable, value, err)
		}
	}
}

func TestMaxHeapIsMostOfTheMemory(t *testing.T) {
	for text, want := range map[string]uint64{"512": 448 << 20, "128": 112 << 20, "": 0, "much": 0, "-1": 0} {
		if got := MaxHeap(env(map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": text})); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
