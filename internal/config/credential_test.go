package config_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// A source whose vendor lets nobody in without a credential is warned about
// before its first poll fails.
func TestPresetsThatNeedACredential(t *testing.T) {
	const base = `
version: 1
environment: test
owners: {team: {cost_center: CC-1, destinations: [chat]}}
destinations: {chat: {channel: slack_webhook, webhook_url: "env:HOOK"}}
sources:
  - {id: one, owner: team, operator_action: Look at it and act., `
	for source, warned := range map[string]bool{
		`preset: sentry, params: {org: shop}}`:                                  true,
		`preset: sentry, params: {org: shop}, request: {bearer: "ssm:/token"}}`: false,
		`preset: datadog}`: true,
		`preset: datadog, request: {headers: {DD-API-KEY: "env:A", DD-APPLICATION-KEY: "env:B"}}}`: false,
		`preset: alertmanager, params: {url: "https://alerts.example.com"}}`:                       false,
		`preset: sentry, params: {org: shop}, request: {headers: {Accept: application/json}}}`:     true,
	} {
		_, pos, err := config.Parse("test.yaml", []byte(base+source), preset.FS)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := strings.Contains(pos.Warnings().Error(), "has no credential"); got != warned {
			t.Errorf("%s: warned %v, want %v: %v", source, got, warned, pos.Warnings())
		}
	}
}
