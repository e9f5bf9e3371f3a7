package notice

import (
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Input is what a notice is made from: a decision, and the configuration of its owner.
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
	// Unannounced reports that the destination was not notified of the episode before.
	Unannounced bool
	// Zone is the owner's time zone; empty is UTC.
	Zone string
	// Page is the signed link to the incident's page, if there is one.
	Page string
	// DeliveryID is the id of the notice's delivery.
	DeliveryID string
}

// New returns the notice of a decision. It describes the failure from the state, not from
// the observation: the observation of a resolve is often an absence, which describes
// nothing.
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

// valid replaces invalid UTF-8 before the notice is stored. JSON would replace it
// differently, and a message rendered again would then differ.
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
