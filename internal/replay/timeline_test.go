package replay

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

var verdicts = map[rune]observation.Verdict{'F': observation.Failing, 'H': observation.Healthy, 'U': observation.Unknown, '-': ""}

// line makes one row a minute of a key: its verdicts (F, H, U) and, below them,
// what was true (F, H, or - where nobody knows). Without truth it is left out.
func line(key, verdictLine, truthLine string) trace.Rows {
	return func(yield func(trace.Row, error) bool) {
		for i, v := range verdictLine {
			row := trace.Row{Observation: observation.Observation{IncidentKey: key, Source: "s", Tick: minute(i), Verdict: verdicts[v]}}
			if truthLine != "" {
				row.Truth = verdicts[rune(truthLine[i])]
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// endless is a key a number, each with its verdict lines, over and over.
func endless(rows, keys int, verdictLine string) trace.Rows {
	return func(yield func(trace.Row, error) bool) {
		names := make([]string, keys)
		for k := range names {
			names[k] = fmt.Sprintf("k1/test/n=%d", k)
		}
		for i := range rows {
			tick := i / keys
			v := verdicts[rune(verdictLine[tick%len(verdictLine)])]
			row := trace.Row{Observation: observation.Observation{IncidentKey: names[i%keys], Source: "s", Tick: minute(tick), Verdict: v}, Truth: observation.Healthy}
			if v == observation.Failing {
				row.Truth = v
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

func actions(notices []Notice) string {
	var b strings.Builder
	for _, n := range notices {
		at, err := observation.ParseTick(n.Tick)
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&b, "%s@%d ", n.Action, int(at.Sub(noon)/time.Minute))
	}
	return strings.TrimSpace(b.String())
}
