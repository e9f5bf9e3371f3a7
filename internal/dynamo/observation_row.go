package dynamo

import (
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/observation"
)

type observationRow struct {
	IncidentKey   string      `dynamodbav:"incident_key"`
	ObservationID string      `dynamodbav:"observation_id"`
	Kind          string      `dynamodbav:"kind,omitempty"`
	Parts         []partRow   `dynamodbav:"parts,omitempty"`
	Source        string      `dynamodbav:"source"`
	Tick          tick        `dynamodbav:"tick"`
	Verdict       string      `dynamodbav:"verdict"`
	Missing       bool        `dynamodbav:"missing,omitempty"`
	Unseen        bool        `dynamodbav:"unseen,omitempty"`
	Status        string      `dynamodbav:"status,omitempty"`
	Owner         string      `dynamodbav:"owner,omitempty"`
	Summary       string      `dynamodbav:"summary,omitempty"`
	Evidence      evidenceRow `dynamodbav:"evidence"`
	Enriched      bool        `dynamodbav:"enriched,omitempty"`
	ObservedAt    time.Time   `dynamodbav:"observed_at,omitempty"`
	ExpiresAt     int64       `dynamodbav:"expires_at,omitempty"`
}

func observationItem(o observation.Observation, expires time.Time) (item, error) {
	return encode(observationRow{
		IncidentKey: o.IncidentKey, ObservationID: o.ID(), Kind: o.Kind, Parts: partRows(o.Parts),
		Source: o.Source, Tick: tick(o.Tick), Verdict: string(o.Verdict), Missing: o.Missing, Unseen: o.Unseen,
		Status: o.Status, Owner: o.Owner, Summary: o.Summary, Evidence: evidenceRow(o.Evidence), Enriched: o.Enriched,
		ObservedAt: o.ObservedAt, ExpiresAt: epoch(expires),
	})
}

// ObservationFromItem reads a row of the Observations table, from a query or from its
// stream. It is strict: every attribute that a decision needs must be present and
// valid. Its errors name the attribute.
func ObservationFromItem(it map[string]types.AttributeValue) (observation.Observation, error) {
	row, err := decode[observationRow](it)
	if err == nil {
		err = requireTexts(it, "incident_key", "observation_id", "source", "tick", "verdict")
	}
	if err == nil {
		err = row.check()
	}
	if err != nil {
		return observation.Observation{}, fmt.Errorf("observation %s of %s: %w", row.ObservationID, row.IncidentKey, err)
	}
	return row.observation(), nil
}

func (r observationRow) check() error {
	if _, err := observation.ParseVerdict(r.Verdict); err != nil {
		return fmt.Errorf("attribute verdict: %w", err)
	}
	if want := r.observation().ID(); r.ObservationID != want {
		return fmt.Errorf("attribute observation_id: want %s, which its tick and source make", want)
	}
	return nil
}

func (r observationRow) observation() observation.Observation {
	return observation.Observation{
		IncidentKey: r.IncidentKey, Kind: r.Kind, Parts: parts(r.Parts), Source: r.Source,
		Tick: time.Time(r.Tick), Verdict: observation.Verdict(r.Verdict), Missing: r.Missing, Unseen: r.Unseen,
		Status: r.Status, Owner: r.Owner, Summary: r.Summary,
		Evidence: observation.Evidence(r.Evidence), Enriched: r.Enriched, ObservedAt: r.ObservedAt,
	}
}
