package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestValidateFindsTheFile(t *testing.T) {
	if got := ringonce(map[string]string{"RINGONCE_CONFIG": example}, "validate"); got.code != exitOK || !strings.Contains(got.stdout, example) {
		t.Errorf("with RINGONCE_CONFIG: %+v", got)
	}
	t.Chdir(t.TempDir())
	if got := ringonce(nil, "validate"); got.code != exitProblems || !strings.Contains(got.stderr, "ringonce.yaml does not exist") {
		t.Errorf("without it: %+v", got)
	}
}

func TestValidatePrintsEveryProblem(t *testing.T) {
	got := ringonce(nil, "validate", bad+"limits.yaml")
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if got.code != exitProblems || got.stderr != "" || len(lines) != 12 {
		t.Fatalf("%d lines: %+v", len(lines), got)
	}
	if want := bad + "limits.yaml:4:27: retention.observations: "; !strings.HasPrefix(lines[6], want) {
		t.Errorf("line %q, want it to start with %q", lines[6], want)
	}
	if want := bad + "limits.yaml is not usable: 11 problems"; lines[11] != want {
		t.Errorf("it ends with %q, want %q", lines[11], want)
	}
}

// A configuration that is tried out on a machine names variables of it, which no
// deployed function has: it would poll nothing, and send nothing.
func TestWhatOnlyThisMachineHasIsNotDeployed(t *testing.T) {
	if got := ringonce(nil, "validate", "--deploy", example); got.code != exitOK || !strings.Contains(got.stdout, "is usable") {
		t.Errorf("the example: %+v", got)
	}
	path := filepath.Join(t.TempDir(), "mine.yaml")
	mine := strings.NewReplacer("ssm:/slack", "env:SLACK", "ssm:/sentry", "file:/token").Replace(whole)
	if err := os.WriteFile(path, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ringonce(nil, "validate", path); got.code != exitOK {
		t.Errorf("on this machine: %+v", got)
	}
	got := ringonce(nil, "validate", "--deploy", path)
	if got.code != exitProblems || !strings.Contains(got.stdout, "mine.yaml: env:SLACK: no deployed") || !strings.Contains(got.stdout, "file:/token: no deployed") || !strings.Contains(got.stdout, "is not usable: 2 problems") {
		t.Errorf("to be deployed: %+v", got)
	}
}

// The functions can read what is below SecretPrefix, which is a path whatever it is.
func TestASecretBelowNoPathIsNotDeployed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	mine := strings.ReplaceAll(whole, "ssm:/slack", "ssm:slack")
	if err := os.WriteFile(path, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	got := ringonce(nil, "validate", "--deploy", path)
	if got.code != exitProblems || !strings.Contains(got.stdout, "mine.yaml: ssm:slack: no deployed") || !strings.Contains(got.stdout, "ssm:/sentry: no deployed") || !strings.Contains(got.stdout, "is not usable: 2 problems") {
		t.Errorf("%+v", got)
	}
}

func TestWarningsDoNotFail(t *testing.T) {
	got := ringonce(nil, "validate", bad+"unused.yaml")
	if got.code != exitOK || strings.Count(got.stdout, ": warning: ") != 3 || !strings.Contains(got.stdout, "is usable") {
		t.Errorf("%+v", got)
	}
}

// TestValidateChecksPrograms: the jq programs of every source whose mapping
// could be read, each fault in its line.
func TestValidateChecksPrograms(t *testing.T) {
	const file = "../../../testdata/config/programs/jq.yaml"
	got := ringonce(nil, "validate", file)
	if got.code != exitProblems {
		t.Errorf("exit code %d", got.code)
	}
	for _, want := range []string{
		":17:15: sources[0].map.status: ",
		":28:34: sources[1].map.key[0].value: ",
		":30:12: sources[2].owner: ",
		":35:18: sources[2].map.items: ",
	} {
		if !strings.Contains(got.stdout, file+want) {
			t.Errorf("nothing at %s in\n%s", want, got.stdout)
		}
	}
	if n := strings.Count(got.stdout, "\n"); n != 5 {
		t.Errorf("%d lines, want 5:\n%s", n, got.stdout)
	}
}

// TestExplain: each value with the layer, file and line that won.
func TestExplain(t *testing.T) {
	got := ringonce(nil, "validate", example, "--explain", "sentry-checkout")
	if got.code != exitOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		`owner +checkout, cost center CC-1041\n`,
		`asks for +Open the issue in Sentry`,
		`unreachable +after 3 failed polls`,
		`healthy_required +3 +source, \S+ringonce\.yaml:\d+:\d+ +2 \(policy\), 2 \(built-in\)\n`,
		`cooldown +30m +policy, \S+ringonce\.yaml:\d+:\d+ +30m \(built-in\)\n`,
		`policy p1-[0-9a-f]+\nconfiguration c1-[0-9a-f]{64}\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(got.stdout) {
			t.Errorf("nothing like %s in\n%s", want, got.stdout)
		}
	}
	got = ringonce(nil, "validate", example, "--explain", "datadog-payments")
	if !regexp.MustCompile(`cooldown +1h +owner, \S+:\d+:\d+ +30m \(policy\), 30m \(built-in\)\n`).MatchString(got.stdout) {
		t.Errorf("the owner's cooldown is not explained:\n%s", got.stdout)
	}
}

func TestExplainOfAWrongFile(t *testing.T) {
	got := ringonce(nil, "validate", "--explain", "x", bad+"limits.yaml")
	if got.code != exitProblems || !strings.Contains(got.stdout, "is not usable") {
		t.Errorf("%+v", got)
	}
}

// TestValidateChecksProgramsBesideOtherMistakes: one mistake must not hide
// another.
func TestValidateChecksProgramsBesideOtherMistakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.yaml")
	text := `version: 1
environment: test
owners:
  payments: {cost_center: CC-1, destinations: [slack]}
destinations:
  slack: {channel: slack_webhook, webhook_url: "env:HOOK"}
sources:
  - id: sentry
    preset: sentry
    owner: paymets
    operator_action: Open the issue.
    interval: 1m
    map: {summary: ".title |"}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := ringonce(nil, "validate", path)
	if got.code != exitProblems || strings.Contains(got.stdout, "preset/") {
		t.Errorf("exit status %d, and a mistake of the user's is laid on the preset", got.code)
	}
	for _, want := range []string{`:10:12: sources[0].owner: there is no owner "paymets"`, "sources[0].params.org: is missing", ":13:20: sources[0].map.summary:"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in:\n%s", want, got.stdout)
		}
	}
}

// TestExplainAKey: by its kind and the names of its parts, whatever their
// values; two sources of one vendor make keys alike.
func TestExplainAKey(t *testing.T) {
	whole := ringonce(nil, "validate", example, "--explain", "sentry-checkout").stdout
	key := regexp.MustCompile(`speaks for +kind (\S+), told apart by (.+)\n`).FindStringSubmatch(whole)
	if key == nil {
		t.Fatalf("no kind and parts in\n%s", whole)
	}
	path := "k1/" + key[1] + "/" + strings.ReplaceAll(key[2], ", ", "=%2F%20x/") + "=1"
	got := ringonce(nil, "validate", example, "--explain", path)
	if got.code != exitOK || !strings.Contains(got.stdout, strings.TrimSuffix(whole, whole[strings.LastIndex(whole, "configuration"):])) {
		t.Errorf("%s: %+v", path, got)
	}
	got = ringonce(nil, "validate", example, "--explain", "k1/heartbeat/source=sentry-checkout")
	for _, want := range []string{
		`speaks for +itself: whether it can be read\n`,
		`asks for +Check that sentry-checkout is reachable`,
		`failing_required +3 +unreachable_after *\n`,
		`healthy_required +1 +the first good poll *\n`,
		`cooldown +30m +policy, `,
	} {
		if !regexp.MustCompile(want).MatchString(got.stdout) {
			t.Errorf("nothing like %s in\n%s", want, got.stdout)
		}
	}
	if strings.Count(got.stdout, "policy p1-") != 1 || strings.Contains(whole, regexp.MustCompile(`policy p1-\S+`).FindString(got.stdout)) {
		t.Errorf("the source itself has a policy of its own:\n%s", got.stdout)
	}
}
