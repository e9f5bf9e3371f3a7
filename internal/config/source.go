package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// DefaultMaxNewIncidents is how many keys of one source may start to fail in one
// tick; more are reported as one overflow.
const DefaultMaxNewIncidents = 100

const (
	maxSources        = 200
	maxOperatorAction = 300
)

var (
	absences = []string{string(AbsentHealthy), string(AbsentMissing), string(AbsentUnknown)}

	absentFix = "say what it means that a complete answer no longer holds a key: " + strings.Join(absences, ", ")
	actionFix = "say in one sentence what a person does about any incident of this source"
)

func (b *builder) sources(root *fields) {
	nodes := root.list("sources")
	if len(nodes) == 0 {
		root.missing("sources", "poll at least one source")
		return
	}
	if len(nodes) > maxSources {
		root.fail("sources", fmt.Sprintf("more than %d sources", maxSources), "deploy a second Ringonce for some of them")
		return
	}
	merged := *root.node.find("sources")
	merged.items = make([]*node, len(nodes))
	for i, n := range nodes {
		src, node := b.source(n, index("sources", i))
		merged.items[i] = node
		b.cfg.Sources = append(b.cfg.Sources, src)
	}
	b.pos.root = b.pos.root.with("sources", &merged)
}

// source reads one source. It returns it with the node it was read from: the preset,
// overlaid with the user's fields, with the parameters filled in.
func (b *builder) source(n *node, path string) (Source, *node) {
	before := len(b.r.problems)
	own := b.r.fields(n, path, n.at)
	p := b.preset(own)
	args := arguments(own, p)
	usable := p != nil && p.node != nil
	if usable {
		n = merge(p.node, n)
	}
	f := b.r.fields(b.r.fill(n, path, args), path, n.at)
	if !usable && own.text("preset") != "" {
		f.quiet = true // what the preset would have brought is not missing
	}
	f.known = own.known
	src := b.readSource(f)
	if usable && p.credential != "" && !src.Request.authenticates() {
		b.r.warn(own.place("preset"), join(path, "request"), "has no credential, and the preset "+p.name+" asks a vendor that wants one", p.credential)
	}
	f.end()
	if f.quiet {
		b.r.problems = withoutPresets(b.r.problems, before, path)
	}
	pos := b.pos.sources[src.ID]
	pos.sound = f.node != nil && !f.quiet && readable(b.r.problems[before:], path)
	b.pos.sources[src.ID] = pos
	if f.node != nil {
		n = f.node
	}
	return src, n
}

// polledBy are the fields that say how a source is polled, which presets set.
var polledBy = []string{"params", "request", "discovery", "rate_limit", "pagination", "map", "canary", "enrich"}

// readable reports whether no problem concerns the fields that a source is polled by.
func readable(problems Problems, source string) bool {
	return !slices.ContainsFunc(problems.Of(Mistake), func(p Problem) bool {
		return slices.Contains(polledBy, fieldOf(p, source))
	})
}

// fieldOf returns the field of a source that a problem is in.
func fieldOf(p Problem, source string) string {
	field, _, _ := strings.Cut(strings.TrimPrefix(p.Path, source+"."), ".")
	return field
}

// withoutPresets removes problems of a source that only follow from its missing
// preset, so that one misspelt name is one problem.
func withoutPresets(all Problems, before int, source string) Problems {
	kept := all[:before:before]
	for _, p := range all[before:] {
		field := fieldOf(p, source)
		follows := strings.HasPrefix(p.Path, source+".") && (field == "failing_within" || slices.Contains(polledBy, field))
		if !follows {
			kept = append(kept, p)
		}
	}
	return kept
}

func (b *builder) readSource(f *fields) Source {
	s := Source{
		ID:             b.sourceID(f),
		Preset:         f.text("preset"),
		Owner:          b.sourceOwner(f),
		OperatorAction: f.operatorAction(),
		Interval:       f.interval(),
		Kind:           f.id("kind", f.requiredText("kind", "say what its incidents are in a word, such as error, alert or heartbeat")),
		Stage:          f.label("stage", f.text("stage"), maxLabel),
		Absent:         Absent(f.requiredChoice("absent", absences, absentFix)),
	}
	s.UnreachableAfter = f.countOr(never, "unreachable_after", DefaultUnreachableAfter, 1, maxStreak)
	s.MaxNewIncidents = f.count("max_new_incidents", DefaultMaxNewIncidents, 1, 10_000)
	s.FailingWithin = f.durationOr(never, "failing_within", 0, time.Minute, 400*day)
	r := f.child("policy").policy(b.ownerRuling(s.Owner), LayerSource)
	s.Policy = r.policy
	b.checkPolicy(f, s, r)
	request := f.requiredChild("request", "say what to ask the vendor for: request: {url: …}")
	s.Request = request.request()
	s.Discovery = f.child("discovery").discovery()
	s.RateLimit = f.child("rate_limit").rateLimit()
	s.Pagination = f.child("pagination").pagination()
	b.checkPages(f, s, r)
	s.Map = f.requiredChild("map", "say how an answer becomes items: map: {items: …, status: …, verdicts: …, key: …, summary: …}").mapping(s.Absent)
	f.checkOwnKinds(s)
	s.Canary = f.child("canary").canary()
	s.Enrich = f.child("enrich").enrich(s.Map.Evidence.VendorID)
	if s.FailingWithin > 0 && s.Map.Evidence.LastSeen == "" {
		f.fail("failing_within", "needs to know when a failure was last seen", "write map.evidence.last_seen, the jq program that gives it")
	}
	b.pos.sources[s.ID] = sourcePosition{path: f.path, ruling: r}
	return s
}

// ownKinds are the kinds of incidents about a source itself; their keys have one
// part, named source.
var ownKinds = []string{incident.KindHeartbeat, incident.KindOverflow}

// checkOwnKinds refuses a key that could equal that of an incident about the source
// itself: what a vendor reports and whether it can be read would be one incident.
func (f *fields) checkOwnKinds(s Source) {
	if slices.Contains(ownKinds, s.Kind) && len(s.Map.Key) == 1 && s.Map.Key[0].Name == "source" {
		f.fail("kind", show(s.Kind)+" with source as the key's only part is how a source's own incidents are named", "name the key's part after what the vendor calls it")
	}
}

func (b *builder) sourceID(f *fields) string {
	id := f.id("id", f.requiredText("id", "give the source a name of its own, such as sentry-checkout"))
	if first, twice := b.pos.sources[id]; twice && id != "" {
		f.fail("id", "there is another source "+show(id)+", "+first.path, "give each source an id of its own")
	}
	return id
}

// id checks that a text is a valid id.
func (f *fields) id(name, text string) string {
	if text != "" && !isID(text) {
		f.fail(name, show(text)+" is not a usable name", idFix)
	}
	return text
}

func (b *builder) sourceOwner(f *fields) string {
	owner := f.requiredText("owner", "name who pays for and acts on its incidents; "+didYouMean("", sortedKeys(b.cfg.Owners)))
	if owner == "" {
		return ""
	}
	b.used["owners."+owner] = true
	if _, ok := b.cfg.Owners[owner]; !ok {
		f.fail("owner", "there is no owner "+show(owner), didYouMean(owner, sortedKeys(b.cfg.Owners)))
	}
	return owner
}

// ownerRuling returns the policy that a source of this owner starts from.
func (b *builder) ownerRuling(owner string) ruling {
	if r, ok := b.owners[owner]; ok {
		return r
	}
	return b.defaults
}

// operatorAction requires a sentence, which has at least two words; it cannot check
// whether it helps.
func (f *fields) operatorAction() string {
	action := f.label("operator_action", f.requiredText("operator_action", actionFix), maxOperatorAction)
	if action != "" && len(strings.Fields(action)) < 2 {
		f.fail("operator_action", show(action)+" is no sentence", actionFix)
	}
	return action
}

// interval requires whole minutes, since the schedule runs once a minute.
func (f *fields) interval() time.Duration {
	d := f.duration("interval", time.Minute, time.Minute, day)
	if d%time.Minute != 0 {
		f.fail("interval", "is not a whole number of minutes", "sources are polled on the minute: write 1m, 5m, 1h")
	}
	return d
}
