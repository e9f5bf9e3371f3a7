package infra_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/emf"
)

// Prices of us-east-1 in US dollars, without the free tiers, as others quote them:
// DynamoDB's units since November 2024 (quoted in July 2025), CloudWatch's in June
// 2026, Lambda's for arm64 in May 2026; storage, PITR and EventBridge Scheduler are
// not looked up again. AWS's own word is on https://aws.amazon.com/dynamodb/pricing/,
// /cloudwatch/pricing/, /lambda/pricing/ and /eventbridge/pricing/: compare before
// relying on them.
const (
	million = 1e6

	writeUnit     = 0.625 / million // one KB written
	readUnit      = 0.125 / million // four KB read consistently
	storedGB      = 0.25            // a month
	recoverableGB = 0.20            // a month, for PITR
	request       = 0.20 / million  // a Lambda invocation
	gbSecond      = 0.0000133334
	scheduled     = 1.00 / million // a firing of EventBridge Scheduler
	customMetric  = 0.30           // a month
	alarm         = 0.10
	composite     = 0.50
	dashboard     = 3.00
	loggedGB      = 0.50
)

// What a stack does. The requests are held by internal/dynamo's TestRequests, and
// that a key's rows are one unit each by TestAnUnchangedKeyIsTwoWriteUnits.
const (
	ticks   = 730 * 60 // minutes of a month
	sources = 5        // of the example, each polled every minute
	batch   = 100      // observations of one call of decide; see the template
	days    = 14       // that observations are kept

	// A source's tick is claimed and finished; decide, sweep and heartbeat leave
	// a beat each.
	writesATick = sources*2 + 3
	// A source's runs are read by poll and heartbeat; the shards of the indexes
	// active (poll, sweep) and due (sweep, heartbeat) at half a unit; beats,
	// silences (decide, sweep), usage.
	readsATick = sources*2 + 4*4*0.5 + 1 + 2 + 1
	// A key's evidence and state are written; its state is read by decide and by
	// sweep, and its entry in the index active, of 200 bytes, by poll and sweep.
	writesAKey = 2
	readsAKey  = 2 + 2*0.5*200/4096
	// evidence is what a row of evidence takes, with DynamoDB's 100 bytes.
	evidence = 750.0

	// Seconds that a call takes, most of it waiting; generous.
	pollSeconds, sweepSeconds, heartbeatSeconds = 2.0, 0.2, 0.2
	decideSeconds                               = 0.25
	// loggedACall are bytes: the platform's own lines, metrics, one line a source.
	loggedACall = 2500.0
)

// costs are what so many keys that fail all month cost, by what it is for.
func costs(t *testing.T, failing float64) (fixed, keys, stored float64) {
	t.Helper()
	decides := ceil(failing / batch)
	fixed = ticks*(writesATick*writeUnit+readsATick*readUnit) +
		ticks*(3*(request+scheduled)+(0.5*pollSeconds+0.25*(sweepSeconds+heartbeatSeconds))*gbSecond) +
		ticks*3*loggedACall/1e9*loggedGB +
		float64(metrics())*customMetric + watching(t)
	keys = ticks*failing*(writesAKey*writeUnit+readsAKey*readUnit) +
		ticks*decides*(request+0.25*decideSeconds*gbSecond+loggedACall/1e9*loggedGB)
	stored = failing * days * 24 * 60 * evidence / 1e9 * (storedGB + recoverableGB)
	return fixed, keys, stored
}

func ceil(f float64) float64 {
	if n := float64(int(f)); n == f {
		return n
	}
	return float64(int(f)) + 1
}

// metrics counts the custom metrics of the example: each once for the stack and
// once for each value of a dimension. CloudWatch charges for the hours in which
// one has values, so that this is the most.
func metrics() int {
	values := map[string]int{emf.Source: sources, emf.Action: 4, emf.Channel: 2, emf.Destination: 4, emf.Owner: 3}
	n := 0
	for _, m := range emf.Metrics {
		n++
		for _, d := range m.By {
			n += values[d]
		}
	}
	return n
}

// watching is what the template's alarms and dashboard cost.
func watching(t *testing.T) float64 {
	t.Helper()
	data, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	alarms := strings.Count(string(data), "Type: AWS::CloudWatch::Alarm\n")
	if alarms < 10 {
		t.Fatalf("the template has %d alarms", alarms)
	}
	return float64(alarms)*alarm + composite + dashboard
}

// cost is the README's table.
func cost(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| keys | all healthy | all failing, all month | of that writes and reads | of that evidence kept |\n|---|---|---|---|---|\n")
	for _, n := range []float64{10, 1000, 100000} {
		fixed, keys, stored := costs(t, n)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", thousands(n), dollars(fixed), dollars(fixed+keys+stored), dollars(keys), dollars(stored))
	}
	fmt.Fprintf(&b, `
The fixed part is %s of custom metrics (%d at %.2f), %s of alarms and dashboard, and the rest for polls, schedules and logs. One failing
key: %d ticks × (%d writes × %.3f + %.2f reads × %.3f) / 1,000,000 = %s a month, and %s for its evidence of %d days with PITR.
`, dollars(float64(metrics())*customMetric), metrics(), customMetric, dollars(watching(t)),
		int(ticks), int(writesAKey), writeUnit*million, readsAKey, readUnit*million,
		dollars(ticks*(writesAKey*writeUnit+readsAKey*readUnit)), dollars(days*24*60*evidence/1e9*(storedGB+recoverableGB)), days)
	return b.String()
}

func dollars(f float64) string {
	if f >= 100 {
		return thousands(f) + " USD"
	}
	return fmt.Sprintf("%.2f USD", f)
}

func thousands(f float64) string {
	s := fmt.Sprintf("%.0f", f)
	if len(s) > 3 {
		s = s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}

// TestCostGrowsWithWhatFails: keys that are healthy cost nothing, and a failing
// one costs the same whatever else fails.
func TestCostGrowsWithWhatFails(t *testing.T) {
	fixed, none, kept := costs(t, 0)
	if none != 0 || kept != 0 || fixed < 10 || fixed > 100 {
		t.Errorf("nothing fails: %.2f fixed, %.2f and %.2f for keys", fixed, none, kept)
	}
	_, hundred, _ := costs(t, 100)
	_, thousand, _ := costs(t, 1000)
	if ratio := thousand / hundred; ratio < 9.99 || ratio > 10.01 {
		t.Errorf("1,000 keys cost %.2f times what 100 do", ratio)
	}
}
