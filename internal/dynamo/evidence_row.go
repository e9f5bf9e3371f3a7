package dynamo

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// evidenceRow has observation.Evidence's fields, in order, so that the compiler
// refuses the conversion when one is added there and not here.
type evidenceRow struct {
	FirstSeen     time.Time `dynamodbav:"first_seen,omitempty"`
	LastSeen      time.Time `dynamodbav:"last_seen,omitempty"`
	Count         int64     `dynamodbav:"count,omitempty"`
	Link          string    `dynamodbav:"link,omitempty"`
	VendorID      string    `dynamodbav:"vendor_id,omitempty"`
	Stage         string    `dynamodbav:"stage,omitempty"`
	Deployment    string    `dynamodbav:"deployment,omitempty"`
	CorrelationID string    `dynamodbav:"correlation_id,omitempty"`
	Samples       []string  `dynamodbav:"samples,omitempty"`
}

type partRow struct {
	Name  string `dynamodbav:"name"`
	Value string `dynamodbav:"value"`
}

func partRows(parts []observation.Part) []partRow {
	var rows []partRow
	for _, p := range parts {
		rows = append(rows, partRow(p))
	}
	return rows
}

func parts(rows []partRow) []observation.Part {
	var all []observation.Part
	for _, r := range rows {
		all = append(all, observation.Part(r))
	}
	return all
}
