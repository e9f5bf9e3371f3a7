package operate

import (
	"os"
	"path/filepath"
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

// Case O2: each part is switched off after the first tick, or from the start
// where a mapping is; within three minutes of ticks the heartbeat is 0. With
// all parts on it is 1 at every tick.
func TestCaseO2TheHeartbeatMissesEachPart(t *testing.T) {
	for _, c := range []struct {
		off           string
		mapping       string
		polls, sweeps bool
	}{
		{"nothing", "", true, true},
		{"poll's schedule", "", false, true},
		{"sweep's schedule", "", true, false},
		{"decide's mapping", "DecideFunction", true, true},
		{"deliver's mapping", "DeliverFunction", true, true},
	} {
		t.Run(c.off, func(t *testing.T) {
			p := startServices(t)
			w := open(t, configuration, without(t, c.mapping), functions(t), p.env("none")...)
			for minute := range 4 {
				at := start.Add(time.Duration(minute) * time.Minute)
				check(t, w.tick(t.Context(), at, c.polls || minute == 0, c.sweeps || minute == 0))
				check(t, w.Heartbeat(t.Context(), at))
			}
			check(t, w.Close())
			w.mu.Lock()
			defer w.mu.Unlock()
			last := 0.0
			if c.off == "nothing" {
				last = 1
			}
			if len(w.beats) != 4 || w.beats[0] != 1 || w.beats[3] != last {
				t.Errorf("heartbeats %v, want 1 at first and %v three minutes later\n%s", w.beats, last, strings.Join(w.other, "\n"))
			}
		})
	}
}
