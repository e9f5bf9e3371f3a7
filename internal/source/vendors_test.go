package source_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/observation"
)

// What vendors document of an answer's fields besides a state's word: which verdict
// the item comes to, and under which key.
func TestFieldsThatDecideOverAState(t *testing.T) {
	alarm := func(fields string) string {
		return `{"MetricAlarms":[{"AlarmArn":"arn:a","AlarmName":"a","StateReason":"r",` + fields + `}]}`
	}
	rule := func(fields string) string {
		return `{"status":"success","data":{"groups":[{"name":"g","file":"f",` + `"rules":[{"name":"r",` + fields + `}]}]}}`
	}
	datasource := func(word string) string {
		return `[{"labels":{"alertname":"` + word + `","rulename":"r","__alert_rule_uid__":"u","datasource_uid":"d","ref_id":"A","host":"a"},"fingerprint":"1","status":{"state":"active"}}]`
	}
	for _, tt := range []struct {
		name, preset, body string
		want               observation.Verdict
		key                string
	}{
		{"an alarm on part of its data", "cloudwatch", alarm(`"StateValue":"OK","EvaluationState":"PARTIAL_DATA"`), unknown, "/alarm=arn:a"},
		{"an alarm whose evaluation went wrong", "cloudwatch", alarm(`"StateValue":"ALARM","EvaluationState":"EVALUATION_ERROR"`), unknown, "/alarm=arn:a"},
		{"an alarm whose evaluation failed", "cloudwatch", alarm(`"StateValue":"OK","EvaluationState":"EVALUATION_FAILURE"`), unknown, "/alarm=arn:a"},
		{"an alarm without actions", "cloudwatch", alarm(`"StateValue":"ALARM","ActionsEnabled":false`), unknown, "/alarm=arn:a"},
		{"an alarm that is suppressed", "cloudwatch", alarm(`"StateValue":"ALARM","ActionsEnabled":true,"ActionsSuppressedBy":"Alarm"`), unknown, "/alarm=arn:a"},
		{"an alarm without any of it", "cloudwatch", alarm(`"StateValue":"ALARM","EvaluationState":"","ActionsSuppressedBy":null,"ActionsEnabled":null`), failing, "/alarm=arn:a"},
		{"an alarm on logs", "cloudwatch", `{"MetricAlarms":null,"LogAlarms":[{"AlarmArn":"arn:l","AlarmName":"l","StateValue":"ALARM"}]}`, failing, "/alarm=arn:l"},
		{"an old incident that is over", "betterstack-incidents", `{"data":[{"id":"9","attributes":{"resolved_at":"2024-05-01T09:40:10.000Z"}}],"pagination":{"next":null}}`, healthy, "/about=incident:9"},
		{"an incident about nothing", "betterstack-incidents", `{"data":[{"id":"9","attributes":{"status":"Started"},"relationships":{"monitor":{"data":null},"heartbeat":{}}}],"pagination":{"next":null}}`, failing, "/about=incident:9"},
		{"a rule of an older Grafana", "grafana-rules", rule(`"alerts":[{"labels":{"host":"a"},"state":"Alerting","activeAt":"0001-01-01T00:00:00Z"}]`), failing, "/rule=f%2Fg%2Fr/labels=host%3Da"},
		{"an instance without labels", "grafana-rules", rule(`"uid":"u","alerts":[{"labels":null,"state":"Alerting (MissingSeries)"}]`), failing, "/rule=u/labels=none"},
		{"a rule without data", "grafana-alerts", datasource("DatasourceNoData"), unknown, "/rule=u/labels=none"},
		{"a rule whose query fails", "grafana-alerts", datasource("DatasourceError"), unknown, "/rule=u/labels=none"},
		{"an answer with a warning", "prometheus-query", `{"status":"success","warnings":["w"],"infos":["i"],"data":{"resultType":"vector","result":[{"metric":{},"value":[1.5,"0"]}]}}`, failing, "/labels=none"},
		{"an alert without annotations", "prometheus-alerts", `{"status":"success","data":{"alerts":[{"labels":{},"annotations":{},"state":"firing","value":"NaN","activeAt":"2026-01-01T00:00:00.123456789+05:30"}]}}`, failing, "/alertname=unnamed/labels=none"},
		{"an alert of an older Alertmanager", "alertmanager", `[{"labels":{"alertname":"a"},"fingerprint":"1","status":{"state":"active","silencedBy":[],"inhibitedBy":[]}}]`, failing, "/fingerprint=1"},
		{"an incident of no key", "pagerduty", `{"more":false,"incidents":[{"id":"A","status":"triggered","incident_key":null,"title":null,"summary":"s","service":{"id":"S"},"alert_counts":null}]}`, failing, "/incident=A"},
		{"an issue with a substatus", "sentry", `[{"id":"1","status":"unresolved","substatus":"regressed","count":"12","culprit":null,"title":"t","metadata":null}]`, failing, "/issue=1"},
		{"a check without a name", "healthchecks", `{"checks":[{"unique_key":"k","name":"","slug":"s","status":"down","last_ping":null,"next_ping":"2026-01-01T00:00:00+00:00","tags":""}]}`, failing, "/check=k"},
		{"a creator of another form", "datadog", `[{"id":1,"name":"m","overall_state":"Alert","creator":{"id":{"handle":"h"}},"options":{},"tags":null}]`, failing, "/monitor=1"},
	} {
		l := poll(t, fromPreset(t, tt.preset, presetParams[tt.preset], answers(t, text(tt.body)).URL))
		if !l.Complete || len(l.Problems) > 0 || len(l.Items) != 1 {
			t.Errorf("%s: complete %v with %d items, problems %v", tt.name, l.Complete, len(l.Items), l.Problems)
			continue
		}
		it := l.Items[0]
		if it.Verdict != tt.want || !strings.HasSuffix(keyOf(t, it), tt.key) || it.Summary == "" {
			t.Errorf("%s: %s, key %s, summary %q; want %s and %s", tt.name, it.Verdict, keyOf(t, it), it.Summary, tt.want, tt.key)
		}
	}
}

// When an alarm's state began: its update also moves when only its evaluation does.
func TestSinceWhenAnAlarmIs(t *testing.T) {
	for fields, want := range map[string]string{
		`"StateTransitionedTimestamp":"2026-01-01T00:00:00+00:00","StateUpdatedTimestamp":"2026-01-02T00:00:00Z"`: "2026-01-01T00:00:00Z",
		`"StateUpdatedTimestamp":"2026-01-02T00:00:00.123000+00:00"`:                                              "2026-01-02T00:00:00.123Z",
	} {
		l := poll(t, fromPreset(t, "cloudwatch", presetParams["cloudwatch"], answers(t, text(`{"MetricAlarms":[{"AlarmArn":"a","AlarmName":"a","StateValue":"ALARM",`+fields+`}]}`)).URL))
		wantComplete(t, l, 1)
		if got := l.Items[0].Evidence.FirstSeen; !got.Equal(when(want)) {
			t.Errorf("%s: since %s", fields, got)
		}
	}
}
