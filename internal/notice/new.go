package notice

import (
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Input is everything a notice is made from: a decision, and what
// configuration says about whose it is.
type Input struct {
	// State is the state that follows the decision.
	State       incident.State
	Observation observation.Observation
	Action      incident.Action
	Reason      incident.Reason
	Policy      incident.Policy

	Environment    string
	Owner          string
	CostCenter     string
	OperatorAction string
	// Unannounced tells that its reader was told nothing of the episode before.
	Unannounced bool
	// Zone is the owner's time zone; empty is UTC.
	Zone string
	// Page is the signed link to the incident's page, if there is one.
	Page string
	// DeliveryID is that of the one destination the notice is for.
	DeliveryID string
}

// New puts a decision into a person's terms. What failed is told from the
// state, not from the observation: a resolve often comes from absence, which
// describes nothing.
func New(in Input) Notice {
	s := in.State
	n := Notice{
		Action: in.Action, Environment: in.Environment, Kind: s.Kind,
		Title: valid(s.Title), Summary: valid(s.Summary), Source: s.Source,
		Owner: in.Owner, CostCenter: in.CostCenter, OperatorAction: in.OperatorAction, Zone: in.Zone,
		Since: s.StreakStart.UTC(), Tick: in.Observation.Tick.UTC(),
		Missing: in.Reason.Missing(), Unannounced: in.Unannounced,
		Unseen:   in.Reason.Code == incident.NoLongerSeen,
		Why:      clockIn(in.Zone).why(in.Reason, s, in.Policy, in.Observation.Tick),
		Evidence: FromEvidence(s.Evidence).valid(), Page: in.Page,
		IncidentKey: s.Key, Episode: s.Episode, Sequence: s.Sequence, DeliveryID: in.DeliveryID,
	}
	if next := s.NextReminder(in.Policy); !next.IsZero() {
		n.NextReminder = next.UTC()
	}
	switch in.Action {
	case incident.Remind:
		n.Reminder = s.Reminders
	case incident.Resolve:
		n.Until = s.ResolvedAt.UTC()
	}
	return n
}

// valid mends broken UTF-8 before the notice is frozen: JSON mends it in a way
// of its own, and a message that is rendered anew would differ.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func (e Evidence) valid() Evidence {
	for _, s := range []*string{&e.Link, &e.VendorID, &e.Stage, &e.Deployment, &e.CorrelationID} {
		*s = valid(*s)
	}
	e.Samples = slices.Clone(e.Samples)
	for i := range e.Samples {
		e.Samples[i] = valid(e.Samples[i])
	}
	return e
}
