package explain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/silence"
)

// Explainer explains incidents.
type Explainer struct {
	Store Store
	// Config says who owns an incident and by which policy it is decided now; nil if
	// it is not available.
	Config *config.Config
	// Silences give the author and the reason of a silence. Without them only its id
	// is known.
	Silences silence.Set
	// Now tells rows that have expired from rows that are missing. If it is zero, all
	// missing rows count as expired, except those of an open incident, which never
	// expire.
	Now time.Time
}

// Explain reconstructs one incident. It streams the observations: memory grows with
// the number of actions, not with that of observations.
func (x *Explainer) Explain(ctx context.Context, f Found, q Query) (*Report, error) {
	// The row is read first, so that the log holds every decision that the row counts.
	states, err := x.Store.States(ctx, []string{f.Key})
	if err != nil {
		return nil, err
	}
	stored := states[f.Key]
	stored.Key = f.Key
	log, err := x.Store.Decisions(ctx, f.Key)
	if err != nil {
		return nil, err
	}
	log, expired := x.dropExpired(log)
	r := newReplay(newPolicyFinder(x.Store, x.Config, stored, log), q, stored, log)
	r.expiredDecisions = expired
	r.checkLog()
	err = x.Store.Verdicts(ctx, f.Key, func(o observation.Observation) error { return r.observe(ctx, o) })
	if err == nil {
		err = r.end(ctx)
	}
	if err == nil {
		err = x.fillEvidence(ctx, f.Key, &r.evidence)
	}
	if err != nil {
		return nil, err
	}
	return x.report(ctx, f, r)
}

// report makes the report of a replay that has ended.
func (x *Explainer) report(ctx context.Context, f Found, r *replay) (*Report, error) {
	deliveries, newest, err := x.deliveries(ctx, f.Key, r)
	if err != nil {
		return nil, err
	}
	identity, err := x.identity(ctx, r, newest)
	if err != nil {
		return nil, err
	}
	rep := &Report{
		Key: f.Key, Found: f, Identity: identity, State: stateOf(r.stored, r.policyNow(identity)), Window: r.window,
		Episodes: r.shownEpisodes(), Timeline: r.timeline.finish(), Differences: []Difference{},
		Deliveries: deliveries, Evidence: r.evidence, Notes: append([]string{}, r.policies.notes...),
	}
	if rep.Evidence.Last == nil && newest.IncidentKey != "" {
		rep.Evidence.Last = &Seen{Tick: newest.Tick, Source: newest.Source, Summary: newest.Summary, Evidence: newest.Evidence}
	}
	x.checkMessages(rep, r)
	rep.Differences = append(rep.Differences, r.differences...)
	rep.Notes = append(rep.Notes, x.limitNotes(rep, r)...)
	rep.Silences = x.silencesOf(rep)
	rep.Why = why(rep, r)
	return rep, nil
}

// shownEpisodes returns the episodes in the window, in order.
func (r *replay) shownEpisodes() []Episode {
	all := make([]Episode, 0, len(r.episodes))
	for _, ep := range r.episodes {
		all = append(all, *ep)
	}
	slices.SortFunc(all, func(a, b Episode) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// limitNotes says what makes the explanation incomplete or uncertain.
func (x *Explainer) limitNotes(rep *Report, r *replay) []string {
	var notes []string
	if r.withoutEvidence > 0 && r.window.Stored == 0 {
		notes = append(notes, "no observation is stored any more: this is told from the log of decisions and the ledger alone")
	} else if r.withoutEvidence > 0 {
		notes = append(notes, fmt.Sprintf("observations from before %s have expired: what was decided before it (%s) is told from the log alone", stamp(r.window.First), count(r.withoutEvidence, "decision")))
	}
	if r.expiredDecisions > 0 {
		notes = append(notes, r.expiredText())
	}
	if r.expiredMessages > 0 {
		notes = append(notes, fmt.Sprintf("%s, the last decided on at %s, have expired with their attempts; usage still counts them", count(r.expiredMessages, "message"), stamp(r.lastExpiredMessage)))
	}
	if len(r.doubts) > 0 {
		notes = append(notes, r.doubts.doubtWords())
	}
	if r.undecided > 0 {
		notes = append(notes, fmt.Sprintf("%d of the newest observations are stored, but not decided on yet", r.undecided))
	}
	if due := rep.State.NextReminder; !due.IsZero() && rep.State.HealthyStreak == 0 && x.Now.Sub(due) > overdue {
		notes = append(notes, fmt.Sprintf("a reminder has been due since %s: it goes out with the next poll that sees the failure%s", stamp(due), evidenceAge(rep.Evidence)))
	}
	if x.Config != nil && rep.Identity.ConfigHash != "" && x.Config.Hash != rep.Identity.ConfigHash {
		notes = append(notes, fmt.Sprintf("the configuration given (%s) is not the one in force at the newest decision (%s)",
			short(x.Config.Hash), short(rep.Identity.ConfigHash)))
	}
	return notes
}

// overdue is how long after its due time a reminder is noted as missing.
const overdue = 2 * time.Minute

// stateOf returns the state of a row. The next reminder is due by the policy, if it is
// known.
func stateOf(s incident.State, p *incident.Policy) State {
	out := State{
		Status: Status(s), Episode: s.Episode, FailingStreak: s.FailingStreak, HealthyStreak: s.HealthyStreak,
		OpenedAt: s.OpenedAt, ResolvedAt: s.ResolvedAt, LastNotified: s.LastNotified,
		Silenced: s.Silenced,
	}
	if s.Acked() {
		out.Ack = &Ack{By: s.Ack.By, Note: s.Ack.Note, At: s.Ack.At}
	}
	if p != nil {
		out.NextReminder = s.NextReminder(*p)
	}
	return out
}

// policyNow returns the policy by which the next observation is judged: the
// configured one, even if nothing was decided by it yet, or else the newest known.
func (r *replay) policyNow(id Identity) *incident.Policy {
	if p, ok := r.policies.configuredFor(r.stored.Source); ok {
		return &p
	}
	return id.Policy
}

// Status returns the status of an incident: flapping, open, streak (failing, but not
// opened), resolved, or quiet if it never opened.
func Status(s incident.State) string {
	switch {
	case s.Open && s.Flapping:
		return "flapping"
	case s.Open:
		return "open"
	case s.FailingStreak > 0:
		return "streak"
	case s.Episode > 0:
		return "resolved"
	default:
		return "quiet"
	}
}

// identity returns what an incident is, who owns it, and the policy of its newest
// decision, or the configured one before the first.
func (x *Explainer) identity(ctx context.Context, r *replay, newest notice.Notice) (Identity, error) {
	s := r.stored
	id := Identity{
		Kind: s.Kind, Title: notice.OneLine(cmp.Or(s.Title, s.Summary, newest.Title)), Environment: newest.Environment,
		Owner: cmp.Or(newest.Owner, s.Owner), CostCenter: newest.CostCenter, OperatorAction: newest.OperatorAction,
	}
	if kind, parts, err := incident.SplitKey(s.Key); err == nil {
		id.Kind = kind
		for _, p := range parts {
			id.Parts = append(id.Parts, Part(p))
		}
	}
	source := cmp.Or(s.Source, r.anySource())
	x.fillFromConfig(&id, source)
	for _, d := range slices.Backward(r.log) {
		if d.PolicyHash == "" && !d.Action.Observed() {
			continue
		}
		id.PolicyHash, id.ConfigHash, source = d.PolicyHash, d.ConfigHash, d.Source
		p, err := r.policies.policy(ctx, source, id.PolicyHash)
		if err == nil && p.Hash() == id.PolicyHash {
			id.Policy = &p
		}
		return id, err
	}
	if p, ok := r.policies.configuredFor(source); ok {
		id.Policy, id.PolicyHash, id.ConfigHash = &p, p.Hash(), x.Config.Hash
	}
	return id, nil
}

// fillFromConfig sets the environment and the owner that the configuration gives; they
// override what is stored.
func (x *Explainer) fillFromConfig(id *Identity, source string) {
	if x.Config == nil {
		return
	}
	id.Environment = x.Config.Environment
	if owner, ok := x.Config.OwnerOf(source); ok {
		id.Owner, id.CostCenter, id.OperatorAction = owner.ID, owner.CostCenter, x.Config.OperatorActionFor(source)
	}
}

// anySource returns some source of the incident, for a row that names none.
func (r *replay) anySource() string {
	if sources := slices.Sorted(maps.Keys(r.stored.Sources)); len(sources) > 0 {
		return sources[0]
	}
	if len(r.timeline.entries) > 0 {
		return r.timeline.entries[0].Source
	}
	return ""
}
