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
	// Config says whose an incident is and by which rules it is decided now;
	// nil when it is not at hand.
	Config *config.Config
	// Silences say who keeps what quiet, and why; only the ids are known without
	// them.
	Silences silence.Set
	// Now tells what has had time to expire from what is missing; zero takes all
	// that is missing for expired, but of an open incident, which keeps everything.
	Now time.Time
}

// Explain reconstructs one incident. Observations are streamed: memory is bound
// by the number of actions, not by that of observations.
func (x *Explainer) Explain(ctx context.Context, f Found, q Query) (*Report, error) {
	// The row first: what it has folded, the log holds when it is read after it.
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
	rules := newRules(x.Store, x.Config, stored, log)
	r := newReplay(rules, q, stored, log)
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
		Deliveries: deliveries, Evidence: r.evidence, Notes: append([]string{}, r.rules.notes...),
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

func (r *replay) shownEpisodes() []Episode {
	all := make([]Episode, 0, len(r.episodes))
	for _, ep := range r.episodes {
		all = append(all, *ep)
	}
	slices.SortFunc(all, func(a, b Episode) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// limits says what keeps the explanation from being whole.
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

// overdue is how long after its time a reminder is still under way.
const overdue = 2 * time.Minute

// newestOf says how old the newest evidence is.
func evidenceAge(e Evidence) string {
	if e.Last == nil || e.Last.Tick.IsZero() {
		return ""
	}
	return ", and the newest evidence is of " + stamp(e.Last.Tick)
}

// short is enough of a hash to tell two apart.
func short(hash string) string { return hash[:min(len(hash), 15)] }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

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

// coming is the policy by which an incident goes on: the configured one, by which
// nothing may have been decided yet, else the newest that is known.
func (r *replay) policyNow(id Identity) *incident.Policy {
	if p, ok := r.rules.configuredFor(r.stored.Source); ok {
		return &p
	}
	return id.Policy
}

// Status is how an incident stands, in one word.
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
		p, err := r.rules.policy(ctx, source, id.PolicyHash)
		if err == nil && p.Hash() == id.PolicyHash {
			id.Policy = &p
		}
		return id, err
	}
	if p, ok := r.rules.configuredFor(source); ok {
		id.Policy, id.PolicyHash, id.ConfigHash = &p, p.Hash(), x.Config.Hash
	}
	return id, nil
}

// configured lets the configuration have the last word on whose it is.
func (x *Explainer) fillFromConfig(id *Identity, source string) {
	if x.Config == nil {
		return
	}
	id.Environment = x.Config.Environment
	if owner, ok := x.Config.OwnerOf(source); ok {
		id.Owner, id.CostCenter, id.OperatorAction = owner.ID, owner.CostCenter, x.Config.OperatorActionFor(source)
	}
}

func (r *replay) anySource() string {
	if sources := slices.Sorted(maps.Keys(r.stored.Sources)); len(sources) > 0 {
		return sources[0]
	}
	if len(r.timeline.entries) > 0 {
		return r.timeline.entries[0].Source
	}
	return ""
}
