package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/silence"
)

func load(t *testing.T, name string) (*Config, *Positions) {
	t.Helper()
	cfg, pos, err := Load(testdata+"good/"+name, testPresets())
	if err != nil {
		t.Fatalf("%s:\n%v", name, err)
	}
	return cfg, pos
}

func TestGoodFiles(t *testing.T) {
	files, err := filepath.Glob(testdata + "good/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d good files (%v)", len(files), err)
	}
	for _, f := range files {
		if _, pos := load(t, filepath.Base(f)); len(pos.Warnings()) > 0 {
			t.Errorf("%s:\n%v", f, pos.Warnings())
		}
	}
}

func TestMinimalHasDefaults(t *testing.T) {
	cfg, _ := load(t, "minimal.yaml")
	want := &Config{
		Environment: "staging",
		Owners: map[string]Owner{
			"shop": {ID: "shop", CostCenter: "CC-7", Destinations: []string{"slack"}, Policy: incident.DefaultPolicy()},
		},
		Destinations: map[string]Destination{
			"slack": {ID: "slack", Channel: ChannelSlackWebhook, WebhookURL: "env:SLACK_WEBHOOK", Pace: time.Second, DigestOver: 5},
		},
		Sources: []Source{{
			ID: "status", Owner: "shop", OperatorAction: "Restart the service that the message names.",
			Interval: time.Minute, Kind: "error", Absent: AbsentMissing, UnreachableAfter: 3, MaxNewIncidents: 100, Policy: incident.DefaultPolicy(),
			Request:    Request{Method: "GET", URL: "https://status.example.com/failures", Timeout: 10 * time.Second},
			Pagination: Pagination{Type: "none", First: 1, Size: 100, MaxPages: DefaultMaxPages, MaxBytes: 4 << 20},
			Map: Mapping{
				Items: ".failures[]", Status: ".state", Verdicts: map[string]string{"firing": "failing"},
				Key: []KeyPart{{Name: "service", Value: ".service", Type: "id"}}, Summary: ".title",
			},
		}},
		Retention: Retention{Observations: 14 * day, PollRuns: 14 * day, Decisions: 400 * day, Deliveries: 400 * day},
		Delivery:  DeliveryPolicy{BackoffBase: 10 * time.Second, BackoffCap: 15 * time.Minute, RetryAfterCap: time.Hour, GiveUpAfter: day, MaxAge: time.Hour},
		Hash:      cfg.Hash,
	}
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Errorf("minimal.yaml (-want +got):\n%s", diff)
	}
}

func TestFullReadsEveryField(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	legacy, ok := cfg.Source("legacy")
	if !ok {
		t.Fatal("there is no source legacy")
	}
	want := Source{
		ID: "legacy", Owner: "search", OperatorAction: "Look at the job's log and start it again.",
		Interval: time.Minute, Kind: "heartbeat", Absent: AbsentUnknown,
		MaxNewIncidents: 20, FailingWithin: 10 * time.Minute, Canary: Canary{MinItems: 1, Item: `.name == "canary"`},
		RateLimit: RateLimit{Reset: "X-Limit-Reset", Remaining: "X-Limit-Left"},
		Discovery: Discovery{URL: "http://legacy.example.com:8080/schema", Next: ".jobs", Fields: "{id: .id_field}"},
		Enrich:    Enrich{URL: "https://legacy.example.com/jobs/{id}", Evidence: EvidenceMap{Deployment: ".release"}},
		Policy: incident.Policy{
			FailingRequired: 2, HealthyRequired: 3, CooldownGrowth: 1.5,
			FlapWindow: 2 * time.Hour, FlapStableTicks: 10,
		},
		Request: Request{
			Method: "POST", URL: "http://legacy.example.com:8080/jobs?all=1",
			Headers: map[string]string{"X-Api-Key": "file:/run/secrets/legacy", "Accept": "application/json"},
			Body:    `{"state": "${any}"}`, BasicUser: "ringonce", BasicPassword: "env:LEGACY_PASSWORD",
			Timeout: 20 * time.Second, AllowHTTP: true, AllowPrivate: true,
		},
		Pagination: Pagination{Type: "page", Param: "page", SizeParam: "per_page", Size: 25, Pages: ".pages", MaxPages: 7, MaxBytes: 512 << 10},
		Map: Mapping{
			Items: ".jobs[]", Status: ".state",
			Verdicts: map[string]string{"late": "failing", "on time": "healthy", "No Data": "unknown"},
			Key:      []KeyPart{{"job_group", ".group", "id"}, {"job", ".name", "text"}},
			Summary:  `"job " + .name + " is " + .state`,
			Evidence: EvidenceMap{
				FirstSeen: ".since", LastSeen: ".updated", Count: ".count", Link: ".url", VendorID: ".id",
				Stage: ".stage", Deployment: ".release", CorrelationID: ".trace", Samples: ".messages[]",
			},
		},
	}
	if diff := cmp.Diff(want, legacy); diff != "" {
		t.Errorf("source legacy (-want +got):\n%s", diff)
	}
	slack := cfg.Destinations["slack-payments"]
	if got := slack.OnAmbiguous[incident.Remind]; got != "resend" || len(slack.OnAmbiguous) != 3 {
		t.Errorf("on_ambiguous: %v", slack.OnAmbiguous)
	}
	if slack.Fallback != "mail-payments" || slack.Pace != 2*time.Second || slack.DigestOver != 3 || cfg.Delivery.MaxAge != 30*time.Minute {
		t.Errorf("destination %+v, delivery %+v", slack, cfg.Delivery)
	}
	if payments, search := cfg.Owners["payments"].TimeZone, cfg.Owners["search"].TimeZone; payments != "" || search != "Europe/Berlin" {
		t.Errorf("time zones %q and %q", payments, search)
	}
	if got := cfg.Owners["search"].CostCenter; got != "2077" {
		t.Errorf("a cost center of digits reads as %q", got)
	}
	if want := []string{`\bcust-\d+\b`, `Ms?\. \w+`}; !slices.Equal(cfg.Redact, want) {
		t.Errorf("redact %q, want %q", cfg.Redact, want)
	}
	if want := (Retention{30 * day, 14 * day, 0, 90 * day}); cfg.Retention != want {
		t.Errorf("retention %+v, want %+v", cfg.Retention, want)
	}
}

func TestChannels(t *testing.T) {
	cfg, _ := load(t, "channels.yaml")
	for _, want := range []Destination{
		{
			ID: "slack-bot", Channel: "slack_bot", Token: "ssm:/ringonce/slack-bot", ChannelID: "C024BE91L",
			APIURL: "https://slack-gov.com/api", OnAmbiguous: map[incident.Action]delivery.Ambiguity{incident.Remind: "resend"},
			Pace: time.Second, DigestOver: 5,
		},
		{
			ID: "pagerduty", Channel: "pagerduty", RoutingKey: "ssm:/ringonce/pagerduty",
			Severity: "error", APIURL: "https://events.pagerduty.com",
		},
		{
			ID: "pagerduty-eu", Channel: "pagerduty", RoutingKey: "ssm:/ringonce/pagerduty-eu",
			Severity: "critical", APIURL: "https://events.eu.pagerduty.com",
		},
		{ID: "erp", Channel: "webhook", URL: "env:ERP_RECEIVER", SigningSecret: "ssm:/ringonce/erp"},
		{ID: "crm", Channel: "webhook", URL: "https://crm.example.com/in/", SigningSecret: "ssm:/ringonce/crm"},
	} {
		if diff := cmp.Diff(want, cfg.Destinations[want.ID]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.ID, diff)
		}
	}
	used := map[string]bool{}
	for _, d := range cfg.Destinations {
		used[d.Channel] = true
	}
	for _, c := range channels {
		if !used[c] {
			t.Errorf("channels.yaml has no destination of channel %s", c)
		}
	}
}

// TestPresetIsMergedUnderTheSource: mappings merge, lists are replaced, a null
// removes, parameters are filled in and numbers stay numbers.
func TestPresetIsMergedUnderTheSource(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	got, _ := cfg.Source("tracker-checkout")
	want := Request{
		Method: "GET", URL: "https://tracker.example.com/api/orgs/shop/issues",
		Query:   map[string]string{"filter": "is:open stage:prod", "project": "checkout"},
		Headers: map[string]string{"Accept": "application/json", "X-Client": "ringonce"},
		Bearer:  "ssm:/ringonce/tracker-token", Timeout: 10 * time.Second,
	}
	if diff := cmp.Diff(want, got.Request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if got.Pagination.Size != 50 || got.Pagination.MaxPages != 5 {
		t.Errorf("pagination: %+v", got.Pagination)
	}
	if diff := cmp.Diff(map[string]string{"open": "failing", "ignored": "unknown", "muted": "unknown"}, got.Map.Verdicts); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]KeyPart{{"title", ".title", "text"}}, got.Map.Key); diff != "" {
		t.Errorf("key (-want +got):\n%s", diff)
	}
	if got.Kind != "error" || got.Absent != AbsentHealthy || got.Preset != "tracker" {
		t.Errorf("from the preset: kind %q, absent %q", got.Kind, got.Absent)
	}
}

func TestAnchorsAndMergeKeys(t *testing.T) {
	cfg, _ := load(t, "anchors.yaml")
	us, _ := cfg.Source("status-us")
	if us.Request.URL != "https://us.example.com/failures" || us.Request.Timeout != 5*time.Second || us.Owner != "shop" {
		t.Errorf("status-us: %+v", us)
	}
}

// TestPagingOfAPresetCanBeReplaced: what the preset has for its own way of
// paging does not stand in the way of another.
func TestPagingOfAPresetCanBeReplaced(t *testing.T) {
	file := strings.Replace(string(readFile(t, testdata+"good/full.yaml")), "    params: {org: shop",
		"    pagination: {type: link}\n    params: {org: shop", 1)
	cfg, _, err := Parse("full.yaml", []byte(file), testPresets())
	if err != nil {
		t.Fatal(err)
	}
	if p := cfg.Sources[0].Pagination; p.Type != "link" || p.MaxPages != 5 {
		t.Errorf("pagination %+v", p)
	}
}

// TestParametersReachWhatAnswersMean: a preset may leave to its user what absence
// means, how fresh a failure must be, and what every good answer holds.
func TestParametersReachWhatAnswersMean(t *testing.T) {
	tracker := strings.NewReplacer(
		"kind: error\nabsent: healthy\n", "kind: error\nabsent: ${gone}\nfailing_within: ${fresh}\ncanary: {min_items: \"${least}\", item: '.id == \"${canary}\"'}\n",
		"params:\n", "params:\n  gone: {description: What absence means., default: missing}\n  fresh: {description: How fresh., default: 2h}\n"+
			"  least: {description: How many., default: 3}\n  canary: {description: Its id.}\n",
		"    count: .count", "    count: .count\n    last_seen: .seen",
	).Replace(string(readFile(t, testdata+"presets/tracker.yaml")))
	presets := fstest.MapFS{"tracker.yaml": {Data: []byte(tracker)}}
	file := func(params string) []byte {
		return []byte(strings.Replace(string(readFile(t, testdata+"good/full.yaml")), "params: {org: shop", "params: {org: shop, "+params, 1))
	}
	cfg, _, err := Parse("full.yaml", file("canary: c-1"), presets)
	if err != nil {
		t.Fatal(err)
	}
	got := cfg.Sources[0]
	if got.Absent != AbsentMissing || got.FailingWithin != 2*time.Hour || got.Canary != (Canary{MinItems: 3, Item: `.id == "c-1"`}) {
		t.Errorf("absent %s, failing within %s, canary %+v", got.Absent, got.FailingWithin, got.Canary)
	}
	if cfg, _, err = Parse("full.yaml", file("canary: c-1, gone: healthy, fresh: never, least: 1"), presets); err != nil {
		t.Fatal(err)
	}
	if got := cfg.Sources[0]; got.Absent != AbsentHealthy || got.FailingWithin != 0 || got.Canary.MinItems != 1 {
		t.Errorf("absent %s, failing within %s, canary %+v", got.Absent, got.FailingWithin, got.Canary)
	}
	_, _, err = Parse("full.yaml", file("canary: c-1, gone: nothing"), presets)
	if err == nil || !strings.Contains(err.Error(), `absent: "nothing" is not one of`) {
		t.Errorf("a word that absence does not know: %v", err)
	}
}

func TestPlannedSilences(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	at := func(day int) time.Time { return time.Date(2026, 6, day, 4, 0, 0, 0, time.UTC) }
	want := silence.Set{
		{
			ID: "moving", Match: silence.Match{Key: "k1/error/*"}, From: at(1), Until: at(2).Add(2 * time.Hour),
			Reason: "The data base moves.", Author: "alice", Planned: true,
		},
		{
			ID: "nights", Match: silence.Match{Owner: "search", Source: "tracker-*", Destination: "mail-payments"},
			Until: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), Zone: "Europe/Berlin",
			Windows: []silence.Window{
				{Days: []time.Weekday{time.Monday, time.Friday}, From: 22 * 60, To: 7 * 60}, {From: 12 * 60, To: silence.FullDay},
			},
			Reason: "Nobody is awake.", Author: "Bob", Planned: true,
		},
	}
	if diff := cmp.Diff(want, cfg.Silences); diff != "" {
		t.Errorf("silences (-want +got):\n%s", diff)
	}
}
