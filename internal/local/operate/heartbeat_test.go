package operate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// without returns a template in which a mapping passes nothing on, as one that
// is disabled does.
func without(t *testing.T, function string) string {
	t.Helper()
	path := filepath.Join(root, "template.yaml")
	if function == "" {
		return path
	}
	content, err := os.ReadFile(path)
	check(t, err)
	before, after, ok := strings.Cut(string(content), "\n  "+function+":\n")
	if !ok {
		t.Fatalf("the template has no %s", function)
	}
	after = strings.Replace(after, `{"eventName": ["INSERT"]}`, `{"eventName": ["REMOVE"]}`, 1)
	changed := filepath.Join(t.TempDir(), "template.yaml")
	check(t, os.WriteFile(changed, []byte(before+"\n  "+function+":\n"+after), 0o600))
	return changed
}

// Case O2: each part is switched off after the first tick, or from the start;
// within three minutes of ticks the heartbeat is 0 or is there no more. With all
// parts on it is 1 at every tick, the first one of a new stack among them.
func TestCaseO2TheHeartbeatMissesEachPart(t *testing.T) {
	for off, c := range map[string]struct {
		// mapping is off from the start; the others are on for so many ticks.
		mapping                         string
		polls, sweeps, reports, watches int
		want                            []float64
	}{
		"nothing":                   {"", 9, 9, 9, 9, []float64{1, 1, 1, 1, 1}},
		"poll's schedule":           {"", 1, 9, 9, 9, []float64{1, 1, 1, 0, 0}},
		"poll, from the start":      {"", 0, 9, 9, 9, []float64{1, 1, 1, 0, 0}},
		"sweep's schedule":          {"", 9, 1, 9, 9, []float64{1, 1, 1, 0, 0}},
		"sweep, from the start":     {"", 9, 0, 9, 9, []float64{1, 1, 1, 0, 0}},
		"decide's mapping":          {"DecideFunction", 9, 9, 9, 9, []float64{1, 1, 1, 0, 0}},
		"deliver's mapping":         {"DeliverFunction", 9, 9, 9, 9, []float64{1, 1, 1, 0, 0}},
		"SES's reports to receipts": {"", 9, 9, 0, 9, []float64{1, 1, 1, 0, 0}},
		"heartbeat's schedule":      {"", 9, 9, 9, 2, []float64{1, 1}},
	} {
		t.Run(off, func(t *testing.T) {
			p := startServices(t)
			w := open(t, configuration, without(t, c.mapping), functions(t), p.env("none")...)
			for minute := range 5 {
				at := start.Add(time.Duration(minute) * time.Minute)
				check(t, w.tick(t.Context(), at, minute < c.polls, minute < c.sweeps))
				if minute < c.reports {
					p.report(t, w, "send")
				}
				if minute < c.watches {
					check(t, w.Heartbeat(t.Context(), at))
				}
			}
			check(t, w.Close())
			w.mu.Lock()
			defer w.mu.Unlock()
			if !slices.Equal(w.beats, c.want) {
				t.Errorf("heartbeats %v, want %v\n%s", w.beats, c.want, strings.Join(w.other, "\n"))
			}
		})
	}
}
