package dynamo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

const stateRecord = "state"

type stateRow struct {
	IncidentKey string `dynamodbav:"incident_key"`
	Record      string `dynamodbav:"record"`
	// Active is there only while polls must look at the key, which makes the
	// index of that name sparse.
	Active string `dynamodbav:"active,omitempty"`
	// Sources repeats the names in Verdicts, without their ticks: the index projects
	// it, and a projected attribute that does not change costs no index write.
	Sources  []string              `dynamodbav:"sources,omitempty,stringset"`
	Verdicts map[string]verdictRow `dynamodbav:"verdicts,omitempty"`
	// Policies are in few letters, as every write of the row pays for them.
	Policies []inForceRow `dynamodbav:"policies,omitempty"`

	Version       int64             `dynamodbav:"version"`
	DecisionSeq   int64             `dynamodbav:"decision_seq"`
	Episode       int               `dynamodbav:"episode"`
	Open          bool              `dynamodbav:"open"`
	Sequence      int               `dynamodbav:"sequence"`
	Reminders     int               `dynamodbav:"reminders"`
	FailingStreak int               `dynamodbav:"failing_streak"`
	HealthyStreak int               `dynamodbav:"healthy_streak"`
	BrokenStreak  int               `dynamodbav:"broken_streak,omitempty"`
	LastFailing   tick              `dynamodbav:"last_failing,omitempty"`
	LastHealthy   tick              `dynamodbav:"last_healthy,omitempty"`
	StreakStart   tick              `dynamodbav:"streak_start,omitempty"`
	OpenedAt      tick              `dynamodbav:"opened_at,omitempty"`
	LastNotified  tick              `dynamodbav:"last_notified,omitempty"`
	ResolvedAt    tick              `dynamodbav:"resolved_at,omitempty"`
	KeptAt        tick              `dynamodbav:"kept_at,omitempty"`
	RecentOpens   []tick            `dynamodbav:"recent_opens,omitempty"`
	Flapping      bool              `dynamodbav:"flapping,omitempty"`
	Told          []string          `dynamodbav:"told,omitempty"`
	Silenced      map[string]string `dynamodbav:"silenced,omitempty"`
	Ack           *ackRow           `dynamodbav:"ack,omitempty"`
	Title         string            `dynamodbav:"title,omitempty"`
	Kind          string            `dynamodbav:"kind,omitempty"`
	Parts         []partRow         `dynamodbav:"parts,omitempty"`
	Source        string            `dynamodbav:"source,omitempty"`
	Owner         string            `dynamodbav:"owner,omitempty"`
	Summary       string            `dynamodbav:"summary,omitempty"`
	Evidence      evidenceRow       `dynamodbav:"evidence"`
	Enriched      bool              `dynamodbav:"enriched,omitempty"`
}

// ackRow has incident.Acknowledgement's fields.
type ackRow struct {
	By   string    `dynamodbav:"by"`
	Note string    `dynamodbav:"note,omitempty"`
	At   time.Time `dynamodbav:"at"`
}

type inForceRow struct {
	Source string `dynamodbav:"s"`
	From   tick   `dynamodbav:"f"`
	Policy string `dynamodbav:"p"`
}

func inForceRows(all []incident.InForce) []inForceRow {
	var rows []inForceRow
	for _, p := range all {
		rows = append(rows, inForceRow{p.Source, tick(p.From), p.Policy})
	}
	return rows
}

func inForce(rows []inForceRow) []incident.InForce {
	var all []incident.InForce
	for _, r := range rows {
		all = append(all, incident.InForce{Source: r.Source, From: time.Time(r.From), Policy: r.Policy})
	}
	return all
}

// stateItem returns the row of the next version of a state.
func stateItem(s incident.State) (item, error) {
	row := stateRow{
		IncidentKey: s.Key, Record: stateRecord, Verdicts: verdictRows(s.Sources), Policies: inForceRows(s.Policies),
		Sources: slices.Sorted(maps.Keys(s.Sources)), Version: s.Version + 1,
		DecisionSeq: s.DecisionSeq, Episode: s.Episode, Open: s.Open, Sequence: s.Sequence,
		Reminders: s.Reminders, FailingStreak: s.FailingStreak, HealthyStreak: s.HealthyStreak,
		BrokenStreak: s.BrokenStreak, LastFailing: tick(s.LastFailing), LastHealthy: tick(s.LastHealthy),
		StreakStart: tick(s.StreakStart), OpenedAt: tick(s.OpenedAt), LastNotified: tick(s.LastNotified),
		ResolvedAt: tick(s.ResolvedAt), KeptAt: tick(s.KeptAt), RecentOpens: ticks(s.RecentOpens), Flapping: s.Flapping,
		Told: s.Told, Silenced: s.Silenced, Title: s.Title, Kind: s.Kind, Parts: partRows(s.Parts), Source: s.Source,
		Owner: s.Owner, Summary: s.Summary, Evidence: evidenceRow(s.Evidence), Enriched: s.Enriched,
	}
	if s.Acked() {
		row.Ack = &ackRow{s.Ack.By, s.Ack.Note, s.Ack.At}
	}
	if s.Active() {
		row.Active = shard(s.Key, indexShards)
	}
	return encode(row)
}

func stateFromItem(it item) (incident.State, error) {
	r, err := decode[stateRow](it)
	if err == nil {
		err = errors.Join(requireTexts(it, "incident_key"), requireNumbers(it, "version"))
	}
	if err != nil {
		return incident.State{}, fmt.Errorf("state of %s: %w", r.IncidentKey, err)
	}
	var ack incident.Acknowledgement
	if r.Ack != nil {
		ack = incident.Acknowledgement(*r.Ack)
	}
	return incident.State{
		Key: r.IncidentKey, Sources: verdicts(r.Verdicts), Policies: inForce(r.Policies), Version: r.Version,
		DecisionSeq: r.DecisionSeq, Episode: r.Episode, Open: r.Open, Sequence: r.Sequence,
		Reminders: r.Reminders, FailingStreak: r.FailingStreak, HealthyStreak: r.HealthyStreak,
		BrokenStreak: r.BrokenStreak, LastFailing: time.Time(r.LastFailing), LastHealthy: time.Time(r.LastHealthy),
		StreakStart: time.Time(r.StreakStart), OpenedAt: time.Time(r.OpenedAt),
		LastNotified: time.Time(r.LastNotified), ResolvedAt: time.Time(r.ResolvedAt), KeptAt: time.Time(r.KeptAt),
		RecentOpens: times(r.RecentOpens), Flapping: r.Flapping,
		Told: r.Told, Silenced: r.Silenced, Ack: ack, Title: r.Title, Kind: r.Kind, Parts: parts(r.Parts), Source: r.Source,
		Owner: r.Owner, Summary: r.Summary, Evidence: observation.Evidence(r.Evidence), Enriched: r.Enriched,
	}, nil
}

func stateKey(key string) item {
	return item{"incident_key": text(key), "record": text(stateRecord)}
}
