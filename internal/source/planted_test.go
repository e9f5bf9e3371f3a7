package source_test

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/source/preset"
)

// planted is a secret that no shape gives away: only not reading it keeps it in.
const planted = "plantedsecret"

// plantedFields are what vendors document as secret, or as people's.
var plantedFields = []string{
	"ping_url", "update_url", "pause_url", "resume_url", "api_key", "token", "secret", "password", "authorization",
	"email", "assignedTo", "creator", "assignments", "acknowledgements", "acknowledged_by", "resolved_by", "__value_string__",
}

// plant puts the secret into every object of an answer, but for labels, which are
// what a failure is, in fields that it has and in those that it might have.
func plant(v any, name string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plant(v[i], name)
		}
	case map[string]any:
		for field, value := range v {
			v[field] = plant(value, field)
		}
		if name == "labels" || name == "metric" || name == "groups" {
			return v
		}
		for _, field := range plantedFields {
			v[field] = "https://ping.example.com/" + planted
		}
	}
	return v
}

// What vendors document as secret is in no field that leaves a poll, whichever
// preset reads it and wherever in the answer it stands.
func TestPlantedSecretsDoNotLeave(t *testing.T) {
	files := map[string]string{
		"sentry": "sentry/organization_issues_unresolved.json", "datadog": "datadog/monitor_list.json", "alertmanager": "alertmanager/alerts.json",
	}
	for _, c := range contracts {
		files[c.preset] = c.file
	}
	for name, params := range presetParams {
		var answer any
		if err := json.Unmarshal(recorded(t, files[name]), &answer); err != nil {
			t.Fatal(err)
		}
		answer = plant(answer, "")
		if name == "betterstack-heartbeats" {
			// Here the address itself lets in whoever has it.
			for _, it := range answer.(map[string]any)["data"].([]any) {
				it.(map[string]any)["attributes"].(map[string]any)["url"] = "https://uptime.betterstack.com/x/" + planted
			}
		}
		l := poll(t, fromPreset(t, name, params, answers(t, body(asJSON(t, answer))).URL))
		if len(l.Items) == 0 {
			t.Errorf("%s maps nothing of its answer: %v", name, l.Problems)
		}
		if all := string(asJSON(t, l)); strings.Contains(all, planted) {
			t.Errorf("%s: a secret left with the listing: …%s…", name, all[max(0, strings.Index(all, planted)-150):strings.Index(all, planted)+20])
		}
	}
}

// No program of a preset so much as names these fields.
func TestPresetsDoNotNameSecretFields(t *testing.T) {
	comment := regexp.MustCompile(`(?m)^\s*#.*$|\s#.*$|^\s*(?:credential|description):.*$`)
	for _, name := range preset.Names() {
		data, err := fs.ReadFile(preset.FS, name+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		text := comment.ReplaceAllString(string(data), "")
		for _, field := range plantedFields {
			if regexp.MustCompile(`[.{ ]`+regexp.QuoteMeta(field)+`\b[^:]`).MatchString(text) && field != "token" {
				t.Errorf("%s reads %s", name, field)
			}
		}
		if name == "betterstack-heartbeats" && strings.Contains(text, ".url") {
			t.Errorf("%s reads the address of pings", name)
		}
	}
}
