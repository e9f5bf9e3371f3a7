package dynamo

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

type verdictRow struct {
	Verdict string `dynamodbav:"verdict"`
	Tick    tick   `dynamodbav:"tick"`
	Until   tick   `dynamodbav:"until,omitempty"`
}

func verdictRows(sources map[string]incident.SourceVerdict) map[string]verdictRow {
	rows := make(map[string]verdictRow, len(sources))
	for id, v := range sources {
		rows[id] = verdictRow{Verdict: string(v.Verdict), Tick: tick(v.Tick), Until: tick(v.Until)}
	}
	return rows
}

func verdicts(rows map[string]verdictRow) map[string]incident.SourceVerdict {
	all := make(map[string]incident.SourceVerdict, len(rows))
	for id, r := range rows {
		all[id] = incident.SourceVerdict{
			Verdict: observation.Verdict(r.Verdict), Tick: time.Time(r.Tick), Until: time.Time(r.Until),
		}
	}
	return all
}
