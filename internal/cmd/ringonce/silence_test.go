package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/explain"
)

// silencing is a configuration that names what the stored incident is of.
const silencing = `version: 1
environment: test
owners:
  checkout: {cost_center: CC-1, destinations: [slack]}
destinations:
  slack: {channel: slack_webhook, webhook_url: "env:HOOK"}
silences:
  - id: nights
    destination: slack
    time_zone: Europe/Berlin
    windows: [{from: "00:00", to: "00:01", days: [mon]}]
    until: 2026-01-01T00:00:00Z
    reason: Nobody is awake.
    author: alice
sources:
  - id: sentry
    owner: checkout
    operator_action: Look at it.
    kind: error
    absent: healthy
    request: {url: https://status.example.com/failures}
    map:
      items: .failures[]
      status: .state
      verdicts: {firing: failing}
      key: [{name: issue, value: .id, type: id}]
      summary: .title
`

// TestSilencesAndAcknowledgements: on the local state, and on a deployed stack.
func TestSilencesAndAcknowledgements(t *testing.T) {
	dir, e := told(t)
	cfg := filepath.Join(dir, "ringonce.yaml")
	if err := os.WriteFile(cfg, []byte(silencing), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("on a stack", func(t *testing.T) {
		t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", e.Endpoint)
		t.Setenv("AWS_ACCESS_KEY_ID", "local")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
		t.Setenv("AWS_REGION", "eu-central-1")
		silences(t, cfg, "--stack", "ringonce")
	})
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Run("on the local state", func(t *testing.T) { silences(t, cfg, "--state", dir) })
}

func silences(t *testing.T, cfg string, where ...string) {
	t.Helper()
	at := func(command string, args ...string) ran {
		return ringonce(nil, append(append(strings.Fields(command), where...), args...)...)
	}
	want := func(got ran, code int, out string) {
		t.Helper()
		if got.code != code || !strings.Contains(got.stdout+got.stderr, out) {
			t.Errorf("%+v, want %d and %q", got, code, out)
		}
	}
	with := []string{"--config", cfg}
	add := at("silence add", append(with, "--key", "k1/error/*", "--until", "2h", "--reason", "moving the data base of a@b.example", "--author", "alice")...)
	want(add, exitOK, "It now does so for 1 incident that is open or failing.")
	id := regexp.MustCompile(`s-[0-9a-f]{8}`).FindString(add.stdout)
	want(at("silence list", with...), exitOK, id+"  holds  key k1/error/*")
	want(at("silence list --all", with...), exitOK, "nights      over, planned  destination slack  mon 00:00-00:01 Europe/Berlin until 2026-01-01 00:00 UTC")
	if got := at("silence list"); strings.Contains(got.stdout, "a@b") || !strings.Contains(got.stdout, "moving the data base") {
		t.Errorf("an address is shown: %+v", got)
	}
	want(at("list --status silenced", with...), exitOK, "silenced by "+id)
	want(at("status", with...), exitProblems, id+"  1 ")
	want(at("status", with...), exitProblems, "1 open; of these 1 silenced")
	var quiet []explain.Listed
	if got := at("list --json"); json.Unmarshal([]byte(got.stdout), &quiet) != nil || quiet[0].Quiet.Silences["slack"] != "" {
		t.Errorf("without the configuration only those are known that were told: %+v", quiet)
	}
	want(at("silence end "+id, "--author", "bob"), exitOK, "has ended")
	want(at("silence list"), exitOK, "There is no silence.")
	want(at("silence list --all"), exitOK, "ended by bob")
	want(at("list --status silenced", with...), exitOK, "No incident is like that")
	want(at("silence end s-00000000", "--author", "bob"), exitProblems, "there is no stored silence of this id")
	want(at("silence end nights", append(with, "--author", "bob")...), exitProblems, "is in the configuration: take it out there and deploy")
	want(at("silence add", append(with, "--owner", "chekout", "--until", "2h", "--reason", "x", "--author", "a")...), exitProblems, `there is no owner "chekout" (did you mean "checkout"?); the configuration has checkout`)
	weekly := at("silence add", "--owner", "*", "--window", "mon,tue 22:00-07:00", "--zone", "Europe/Berlin", "--reason", "nights", "--author", "alice")
	want(weekly, exitOK, "mon,tue 22:00-07:00 Europe/Berlin")
	want(weekly, exitOK, "Names were not checked")
	if strings.Contains(add.stderr, "not checked") {
		t.Errorf("with the configuration names are checked: %+v", add)
	}
	want(at("silence end "+regexp.MustCompile(`s-[0-9a-f]{8}`).FindString(weekly.stdout), "--author", "bob"), exitOK, "has ended")

	want(at("ack --note rolling-back "+testKey, "--author", "alice"), exitOK, testKey+" is taken on by alice")
	want(at("list --status acked"), exitOK, "taken on by alice")
	want(at("explain "+testKey), exitOK, "alice has taken it on; no reminders until it is over: rolling-back")
	want(at("ack --undo "+testKey, "--author", "bob"), exitOK, "reminds again")
	want(at("explain "+testKey), exitOK, "bob has given it back; reminders go on")
	want(at("ack --undo "+testKey, "--author", "bob"), exitProblems, "nobody has acknowledged it")
	want(at("ack nothing-like-it", "--author", "bob"), exitProblems, "no incident has this key")
}

func TestMisusedSilences(t *testing.T) {
	for args, want := range map[string]string{
		"silence":         "say add, list or end ID",
		"silence end":     "say add, list or end ID",
		"silence end s-1": "--author: say who",
		"silence add --key * --reason x --author a":                                             "say when it ends",
		"silence add --until 2h --reason x --author a":                                          "say what to keep quiet",
		"silence add --key * --until 2h":                                                        "--reason: say why",
		"silence add --key * --until 2h --reason x --author a@b":                                "not a mail address",
		"silence add --key * --until soon --reason x --author a":                                `--until: "soon" is no time: write 2026-01-02T15:04:05Z, or a day as 2026-01-02, or how long: 30m, 2h, 3d; see`,
		"silence add --key * --until 2h --from soon --reason x --author a":                      `--from: "soon" is no time: write 2026-01-02T15:04:05Z, or a day as 2026-01-02; see`,
		"silence add --key * --until 2020-01-01 --reason x --author a":                          "is over already",
		"silence add --key * --window 7-9 --zone UTC --reason x --author a":                     `--window: "7" is no time of day`,
		"silence add --key * --window 07:00-09:00 --reason x --author a":                        "--zone:",
		"silence add --key * --window 07:00-09:00 --zone Mars --reason x --author a":            `there is no time zone "Mars"`,
		"silence add --key * --until 2h --zone UTC --reason x --author a":                       "--zone is only for a --window",
		"silence add --key * --until 2h --from 2030-01-02 --reason x --author a --window x y z": "one argument too many",
		"ack --author a": "say which incident",
		"ack k1":         "--author: say who",
	} {
		if got := ringonce(nil, strings.Fields(args)...); got.code != exitUsage || !strings.Contains(got.stderr, want) || got.stdout != "" {
			t.Errorf("ringonce %s: %+v, want %q", args, got, want)
		}
	}
}
