package source_test

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

func when(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

type words = map[string]observation.Verdict

const (
	failing = observation.Failing
	healthy = observation.Healthy
	unknown = observation.Unknown
)

// contracts, one a preset; the statuses are case U4 among others. Those of
// Sentry, Datadog's list and Alertmanager are in files of their own.
var contracts = []contract{
	{
		preset: "grafana-rules", file: "grafana/prometheus_rules.json",
		verdicts: map[string]int{
			"Alerting=failing": 1, "Pending=unknown": 1, "Normal=healthy": 2, "NoData=unknown": 1, "Error=unknown": 1,
		},
		item: at{"data", "groups", 0, "rules", 0, "alerts", 0}, status: at{"state"},
		words: words{
			"Alerting": failing, "Alerting (NoData)": failing, "Alerting (Error)": failing, "Recovering": failing,
			"Pending": unknown, "NoData": unknown, "Error": unknown, "Normal": healthy, "Normal (MissingSeries)": healthy,
			"Normal (Updated)": healthy, "Normal (Paused)": healthy, "Normal (NoData)": unknown, "Normal (Error)": unknown, "Normal (Error, KeepLast)": unknown,
		},
		key:      "k1/alert/grafana=grafana/rule=ruleuid-load/labels=instance%3Dweb-01.example.com,severity%3Dcritical,team%3Dplatform",
		volatile: map[string]any{"value": "9e+09", "activeAt": "2024-06-01T00:00:00Z", "annotations": map[string]any{"summary": "other"}, "state": "Normal"},
		deep: []struct {
			path  at
			value any
		}{
			{at{"labels", "alertname"}, "DatasourceNoData"},
			{at{"labels", "rulename"}, "x"},
			{at{"labels", "datasource_uid"}, "x"},
			{at{"labels", "ref_id"}, "A"},
			{at{"labels", "grafana_folder"}, "moved"},
			{at{"labels", "__alert_rule_uid__"}, "x"},
		},
		summary: "High load: Load above 4 on web-01",
		evidence: observation.Evidence{
			FirstSeen: when("2024-05-01T09:40:10Z"), LastSeen: when("2024-05-01T10:11:00Z"),
			Link: "https://grafana.example.com/alerting/grafana/ruleuid-load/view", VendorID: "ruleuid-load",
		},
	},
	{
		preset: "grafana-alerts", file: "grafana/alertmanager_alerts.json",
		verdicts: map[string]int{"active=failing": 1, "DatasourceNoData=unknown": 1, "DatasourceError=unknown": 1, "suppressed=unknown": 1},
		item:     at{0}, status: at{"status", "state"},
		words: words{"active": failing, "unprocessed": failing, "suppressed": unknown},
		// The same as grafana-rules gives to the same instance.
		key: "k1/alert/grafana=grafana/rule=ruleuid-load/labels=instance%3Dweb-01.example.com,severity%3Dcritical,team%3Dplatform",
		volatile: map[string]any{
			"startsAt": "2024-06-01T00:00:00Z", "endsAt": "2024-06-01T00:00:00Z", "updatedAt": "2024-06-01T00:00:00Z", "receivers": []any{},
			"annotations": map[string]any{}, "fingerprint": "ffff", "status": map[string]any{"state": "suppressed"},
		},
		summary: "High load: Load above 4 on web-01",
		evidence: observation.Evidence{
			FirstSeen: when("2024-05-01T09:40:10Z"), LastSeen: when("2024-05-01T10:11:10Z"),
			Link: "https://grafana.example.com/alerting/grafana/ruleuid-load/view", VendorID: "1111111111111111",
		},
	},
	{
		preset: "prometheus-alerts", file: "prometheus/alerts.json",
		verdicts: map[string]int{"firing=failing": 2, "pending=unknown": 1},
		item:     at{"data", "alerts", 0}, status: at{"state"},
		words:    words{"firing": failing, "pending": unknown, "inactive": unknown},
		key:      "k1/alert/prometheus=prometheus/alertname=HighRequestLatency/labels=instance%3Dweb-01.example.com:9090,job%3Dapi,severity%3Dpage",
		volatile: map[string]any{"value": "2e+00", "activeAt": "2026-01-01T00:00:00Z", "keepFiringSince": "2026-01-01T00:00:00Z", "annotations": map[string]any{}, "state": "pending"},
		summary:  "HighRequestLatency: High request latency",
		evidence: observation.Evidence{
			FirstSeen: when("2018-07-04T18:27:12.60602144Z"), Link: "https://docs.example.com/runbooks/latency",
			VendorID: "HighRequestLatency", Samples: []string{"value 1e+00"},
		},
	},
	{
		preset: "prometheus-query", file: "prometheus/query_vector.json", numbers: true,
		verdicts: map[string]int{"within the limit=healthy": 1, "over the limit=failing": 1, "no value=unknown": 1},
		item:     at{"data", "result", 1}, index: 1, status: at{"value", 1},
		words:    words{"0": failing, "0e+00": failing, "-0": failing, "1": healthy, "+Inf": healthy, "-Inf": healthy, "NaN": unknown},
		key:      "k1/metric/check=targets-up/labels=instance%3Dweb-01.example.com:9100,job%3Dnode",
		volatile: map[string]any{"value": []any{1.5e9, "1"}},
		summary:  "targets-up: instance=web-01.example.com:9100, job=node is 0",
		evidence: observation.Evidence{
			LastSeen: when("2015-07-01T20:10:51.781Z"), Link: "https://prometheus.example.com/alerts",
			VendorID: "targets-up", Samples: []string{"value 0"},
		},
	},
	{
		preset: "healthchecks", file: "healthchecks/checks_readwrite_key.json",
		verdicts: map[string]int{"up=healthy": 1, "down=failing": 1, "grace=unknown": 1, "new=unknown": 1, "paused=unknown": 1},
		item:     at{"checks", 1}, index: 1, status: at{"status"},
		words: words{"down": failing, "up": healthy, "grace": unknown, "new": unknown, "paused": unknown, "started": unknown},
		key:   "k1/heartbeat/check=3eef99308350327859c09f0f70d1e5921cbc0dc1",
		volatile: map[string]any{
			"name": "Renamed", "slug": "renamed", "tags": "", "desc": "", "status": "up", "n_pings": 99, "last_ping": nil, "next_ping": nil,
			"last_duration": 7, "badge_url": "https://x.example/", "started": true, "unique_key": "3eef99308350327859c09f0f70d1e5921cbc0dc1",
		},
		summary: "Database Backup",
		evidence: observation.Evidence{
			LastSeen: when("2020-03-23T10:19:32Z"), VendorID: "3eef99308350327859c09f0f70d1e5921cbc0dc1",
			Samples: []string{"tags: production db owner:data"},
		},
	},
	{
		preset: "betterstack-incidents", file: "betterstack/incidents_v2.json", more: at{"pagination", "next"},
		verdicts: map[string]int{"Started=failing": 1, "Acknowledged=failing": 1, "Resolved=healthy": 1},
		item:     at{"data", 0}, status: at{"attributes", "status"},
		words:    words{"Started": failing, "Acknowledged": failing, "Validating": failing, "Unconfirmed": unknown, "Resolved": healthy},
		key:      "k1/alert/about=monitor:2",
		volatile: map[string]any{"id": "77", "attributes": map[string]any{"name": "Renamed", "cause": "Timeout", "resolved_at": nil, "started_at": "2026-01-01T00:00:00Z"}},
		summary:  "Example homepage: Status 404",
		evidence: observation.Evidence{FirstSeen: when("2020-03-09T17:37:56.662Z"), VendorID: "25", Samples: []string{"Status 404"}},
	},
	{
		preset: "betterstack-monitors", file: "betterstack/monitors.json", more: at{"pagination", "next"},
		verdicts: map[string]int{"up=healthy": 1, "down=failing": 1, "validating=failing": 1, "pending=unknown": 1, "paused=unknown": 1},
		item:     at{"data", 1}, index: 1, status: at{"attributes", "status"},
		words:    words{"down": failing, "validating": failing, "up": healthy, "pending": unknown, "paused": unknown, "maintenance": unknown},
		key:      "k1/monitor/monitor=3",
		volatile: map[string]any{"attributes": map[string]any{"status": "up", "pronounceable_name": "Renamed", "url": "https://other.example/", "last_checked_at": nil}},
		summary:  "Example API",
		evidence: observation.Evidence{LastSeen: when("2020-09-01T14:17:46Z"), VendorID: "3", Samples: []string{"https://www.example.com/3"}},
	},
	{
		preset: "betterstack-heartbeats", file: "betterstack/heartbeats.json",
		verdicts: map[string]int{"down=failing": 1, "up=healthy": 1, "pending=unknown": 1, "paused=unknown": 1},
		item:     at{"data", 0}, status: at{"attributes", "status"},
		words:    words{"down": failing, "up": healthy, "pending": unknown, "paused": unknown},
		key:      "k1/heartbeat/heartbeat=12345",
		volatile: map[string]any{"attributes": map[string]any{"status": "up", "name": "Renamed", "url": "https://other.example/", "period": 60}},
		summary:  "Nightly import",
		evidence: observation.Evidence{VendorID: "12345", Samples: []string{"expected every 10800 s"}},
	},
	{
		preset: "pagerduty", file: "pagerduty/incidents_open.json", more: at{"more"}, last: false,
		verdicts: map[string]int{"triggered=failing": 1, "acknowledged=failing": 1},
		item:     at{"incidents", 0}, status: at{"status"},
		words: words{"triggered": failing, "acknowledged": failing, "resolved": healthy},
		key:   "k1/alert/service=PIJ90N7/incident=baf7cf21b1da41b4b0221008339ff357",
		volatile: map[string]any{
			"id": "OTHER", "title": "x", "summary": "x", "updated_at": "2026-01-01T00:00:00Z", "last_status_change_at": nil, "assignments": []any{},
			"urgency": "low", "priority": nil, "alert_counts": nil, "escalation_policy": nil, "status": "acknowledged", "html_url": nil, "incident_number": 9,
		},
		summary: "The server is on fire.",
		evidence: observation.Evidence{
			FirstSeen: when("2015-10-06T21:30:42Z"), LastSeen: when("2015-10-06T21:30:42Z"), Count: 2,
			Link: "https://example.pagerduty.com/incidents/PT4KHLK", VendorID: "PT4KHLK",
			Samples: []string{"service Example Mail Service", "urgency high"},
		},
	},
	{
		preset: "datadog-groups", file: "datadog/monitor_groups_search.json", more: at{"metadata", "page_count"}, last: 1,
		verdicts: map[string]int{"Alert=failing": 1, "OK=healthy": 2},
		item:     at{"groups", 1}, status: at{"status"},
		words: words{"Alert": failing, "Warn": failing, "OK": healthy, "No Data": unknown, "Unknown": unknown, "Skipped": unknown, "Ignored": unknown},
		key:   "k1/monitor/site=datadoghq.com/monitor=59586255/group=aws:us-east-2",
		volatile: map[string]any{
			"status": "OK", "monitor_name": "Renamed", "last_triggered_ts": 0, "last_nodata_ts": 7, "priority": 1, "muted": true, "all_tags": []any{}, "downtimes": []any{1},
		},
		summary: "Synthetic API check (aws:us-east-2)",
		evidence: observation.Evidence{
			FirstSeen: when("2022-01-04T23:43:15Z"), Link: "https://app.datadoghq.com/monitors/59586255", VendorID: "59586255",
		},
	},
	{
		preset: "datadog-monitor-groups", file: "datadog/monitor_list_group_states_all.json",
		verdicts: map[string]int{"Alert=failing": 1, "Warn=failing": 1, "No Data=unknown": 1, "OK=healthy": 1},
		item:     at{0}, status: at{"state", "groups", "host:web-01", "status"},
		words: words{"Alert": failing, "Warn": failing, "OK": healthy, "No Data": unknown, "Unknown": unknown, "Skipped": unknown, "Ignored": unknown},
		key:   "k1/monitor/site=datadoghq.com/monitor=2000001/group=host:web-01",
		volatile: map[string]any{
			"overall_state": "OK", "overall_state_modified": "2026-01-01T00:00:00Z", "name": "Renamed", "message": "x", "query": "y", "tags": []any{},
			"priority": 1, "modified": nil, "creator": nil, "matching_downtimes": []any{map[string]any{"active": true}}, "options": map[string]any{"silenced": map[string]any{"*": nil}},
		},
		deep: []struct {
			path  at
			value any
		}{
			{at{"state", "groups", "host:web-01", "last_triggered_ts"}, 0},
			{at{"state", "groups", "host:web-01", "status"}, "OK"},
		},
		summary: "High load by host (host:web-01)",
		evidence: observation.Evidence{
			FirstSeen: when("2022-06-21T13:12:01Z"), Link: "https://app.datadoghq.com/monitors/2000001", VendorID: "2000001", Stage: "prod",
			Samples: []string{"avg(last_5m):max:system.load.1{*} by {host} > 100"},
		},
	},
	{
		preset: "cloudwatch", file: "cloudwatch/describe_alarms.json",
		verdicts: map[string]int{"ALARM=failing": 3, "INSUFFICIENT_DATA=unknown": 1, "muted=unknown": 1},
		item:     at{"MetricAlarms", 0}, status: at{"StateValue"},
		words: words{"ALARM": failing, "OK": healthy, "INSUFFICIENT_DATA": unknown},
		key:   "k1/alert/alarm=arn:aws:cloudwatch:us-east-1:111111111111:alarm:example-latency",
		volatile: map[string]any{
			"StateValue": "OK", "StateReason": "x", "StateReasonData": "{}", "StateUpdatedTimestamp": "2026-01-01T00:00:00Z", "Threshold": 9,
			"StateTransitionedTimestamp": nil, "AlarmDescription": "x", "ActionsEnabled": false, "EvaluationState": "PARTIAL_DATA",
		},
		summary: "example-latency: Threshold Crossed: 1 datapoint [21.5 (26/10/23 16:42:00)] was greater than the threshold (2.0).",
		evidence: observation.Evidence{
			FirstSeen: when("2023-10-26T16:43:30Z"), VendorID: "arn:aws:cloudwatch:us-east-1:111111111111:alarm:example-latency",
			Link:    "https://us-east-1.console.aws.amazon.com/cloudwatch/home?region=us-east-1#alarmsV2:alarm/example-latency",
			Samples: []string{"testing cloudwatch alarms"},
		},
	},
	{
		preset: "infrai-errors", file: "infrai/errors_groups_guessed.json",
		verdicts: map[string]int{"unresolved=failing": 1},
		item:     at{"data", 0}, status: at{"status"},
		words:    words{"unresolved": failing, "resolved": healthy, "ignored": unknown},
		key:      "k1/error/group=grp-example-1",
		volatile: map[string]any{"title": "other", "status": "resolved", "count": 99},
		summary:  "checkout-api build failed",
		evidence: observation.Evidence{Count: 3, VendorID: "grp-example-1"},
	},
	{
		preset: "infrai-metrics", file: "infrai/metrics_query_guessed.json", numbers: true,
		verdicts: map[string]int{"over the limit=failing": 1, "within the limit=healthy": 1, "no value=unknown": 1},
		item:     at{"data", 0}, status: at{"value"},
		words:    words{"7.5": failing, "5.01": failing, "6e0": failing, "5": healthy, "0": healthy, "-1": healthy, "NaN": unknown, "+Inf": unknown},
		key:      "k1/metric/metric=checkout.error_ratio",
		volatile: map[string]any{"value": 1, "unit": "ratio", "timestamp": "2026-07-01T00:00:00Z", "tags": map[string]any{"host": "a"}},
		summary:  "checkout.error_ratio is 7.5",
		evidence: observation.Evidence{VendorID: "checkout.error_ratio", Samples: []string{"value 7.5"}},
	},
	{
		preset: "generic-json", file: "generic/jobs.json",
		verdicts: map[string]int{"failing=failing": 1, "healthy=healthy": 1, "neither=unknown": 1},
		item:     at{"jobs", 0}, status: at{"state"},
		words:    words{"late": failing, "done": healthy, "queued": unknown, "": unknown},
		key:      "k1/alert/id=import",
		volatile: map[string]any{"state": "done", "host": "worker-9", "run": 9, "updated": nil, "note": "x"},
		summary:  "import",
		evidence: observation.Evidence{VendorID: "import"},
	},
}
