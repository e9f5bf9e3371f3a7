package config

import (
	"fmt"
	"strings"

	"github.com/ringonce/ringonce/internal/observation"
)

const maxParts = 10

var (
	verdicts  = words(observation.Failing, observation.Healthy, observation.Unknown)
	partTypes = words(KeyPartID, KeyPartText)
)

// mapping reads the jq programs; the adapter that runs them reports whether they
// compile.
func (f *fields) mapping(absent Absent) Mapping {
	m := Mapping{
		Items:    f.requiredText("items", "a jq program that gives the answer's items, such as .failures[]"),
		Status:   f.requiredText("status", "a jq program that gives an item's status, such as .state"),
		Verdicts: f.verdicts(absent),
		Key:      f.key(),
		Summary:  f.requiredText("summary", "a jq program that gives an item's headline, such as .title"),
	}
	m.Evidence = f.child("evidence").evidence()
	f.end()
	return m
}

func (f *fields) evidence() EvidenceMap {
	m := EvidenceMap{
		FirstSeen: f.text("first_seen"), LastSeen: f.text("last_seen"), Count: f.text("count"),
		Link: f.text("link"), VendorID: f.text("vendor_id"), Stage: f.text("stage"),
		Deployment: f.text("deployment"), CorrelationID: f.text("correlation_id"), Samples: f.text("samples"),
	}
	f.end()
	return m
}

func (f *fields) verdicts(absent Absent) map[string]string {
	c := f.requiredChild("verdicts", "say which status means what, such as {firing: failing, ok: healthy}")
	if c.node == nil {
		return nil
	}
	m := make(map[string]string, len(c.node.entries))
	has := map[string]bool{}
	for _, e := range c.node.entries {
		m[e.key] = c.choice(e.key, "", verdicts)
		has[m[e.key]] = true
	}
	switch {
	case has[""]: // a verdict is wrong, which has been reported
	case !has[string(observation.Failing)]:
		f.fail("verdicts", "no status gives failing, so no incident can open", "give the failing statuses")
	case !has[string(observation.Healthy)] && absent == AbsentUnknown:
		f.r.warn(f.place("verdicts"), join(f.path, "verdicts"), "no status gives healthy and absence means unknown, so no incident can be resolved", "give the healthy statuses, or set absent to healthy or missing")
	}
	return m
}

func (f *fields) key() []KeyPart {
	items := f.list("key")
	if len(items) == 0 {
		f.missing("key", "list the parts that tell one incident from another, such as - {name: service, value: .service, type: id}")
		return nil
	}
	if len(items) > maxParts {
		f.fail("key", fmt.Sprintf("more than %d parts", maxParts), "keep what tells incidents apart and lasts")
	}
	seen := map[string]bool{}
	parts := make([]KeyPart, 0, len(items))
	for i, n := range items {
		p := f.r.fields(n, index(join(f.path, "key"), i), n.at)
		parts = append(parts, p.keyPart(seen))
	}
	return parts
}

func (f *fields) keyPart(seen map[string]bool) KeyPart {
	k := KeyPart{
		Name:  f.partName("name", f.requiredText("name", "name the part, such as service")),
		Value: f.requiredText("value", "a jq program that gives the part's value, such as .service"),
		Type:  KeyPartType(f.requiredChoice("type", partTypes, "write id for a value taken as it is, text for one with volatile parts such as times and numbers")),
	}
	if k.Name != "" && seen[k.Name] {
		f.fail("name", "the part "+show(k.Name)+" is there already", "give each part a name of its own")
	}
	seen[k.Name] = true
	f.end()
	return k
}

// partName accepts what ids accept, and underscores, which are common in vendors'
// field names.
func (f *fields) partName(name, text string) string {
	if text != "" && !isID(strings.ReplaceAll(text, "_", "-")) {
		f.fail(name, show(text)+" is not a usable name", "use a to z, 0 to 9, - and _, starting with a letter or digit")
	}
	return text
}
