package source

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ringonce/ringonce/internal/config"
)

// compiled is a source's programs, compiled on first use.
type compiled struct {
	once     sync.Once
	programs *programs
}

// programs are the compiled programs of one source; an optional one that is not
// configured is nil.
type programs struct {
	items, status, summary *program
	key                    []*program
	evidence, enrich       evidencePrograms
	pages, more, next      *program
	canary                 *program
	// discovery runs on a vendor's description of its answers; discoveryNext gives
	// that description's address.
	discovery, discoveryNext *program
	// stream, if not nil, yields the same as items without decoding whole pages;
	// list, if not nil, is the list that items iterates over.
	stream, list *stream
	faults       []Fault
}

type evidencePrograms struct {
	firstSeen, lastSeen, count, link, vendorID, stage, deployment, correlationID, samples *program
}

// programs returns a source's compiled programs, compiled once. Two sources with the
// same programs share them; a source whose programs changed gets new ones.
func (c *Client) programs(src config.Source) *programs {
	id := programsID(src)
	c.mu.Lock()
	entry, ok := c.compiled[id]
	if !ok {
		entry = &compiled{}
		c.compiled[id] = entry
	}
	c.mu.Unlock()
	entry.once.Do(func() { entry.programs = compileSource(src) })
	return entry.programs
}

// programsID identifies a source's programs by their content.
func programsID(src config.Source) string {
	var b strings.Builder
	m, p := src.Map, src.Pagination
	fmt.Fprintf(&b, "%q %q %q %q %q", m.Items, m.Status, m.Summary, m.Key, m.Verdicts)
	fmt.Fprintf(&b, "%q %q %q %q %q %q", m.Evidence, p.Pages, p.More, p.Next, src.Canary.Item, src.Enrich.Evidence)
	fmt.Fprintf(&b, "%q %q", src.Discovery.Next, src.Discovery.Fields)
	return b.String()
}

func compileSource(src config.Source) *programs {
	m := src.Map
	p := &programs{faults: checkMapping(m)}
	whole := func(path, text string) *program {
		prog, fault := compile(path, text)
		if fault != nil {
			p.faults = append(p.faults, *fault)
		}
		return prog
	}
	get := func(path, text string) *program { return whole("map."+path, text) }
	p.items, p.status, p.summary = get("items", m.Items), get("status", m.Status), get("summary", m.Summary)
	for i, k := range m.Key {
		p.key = append(p.key, get(fmt.Sprintf("key[%d].value", i), k.Value))
	}
	p.evidence = compileEvidence(m.Evidence, get)
	p.enrich = compileEvidence(src.Enrich.Evidence, func(path, text string) *program { return whole("enrich."+path, text) })
	p.pages = whole("pagination.pages", src.Pagination.Pages)
	p.more = whole("pagination.more", src.Pagination.More)
	p.next = whole("pagination.next", src.Pagination.Next)
	p.canary = whole("canary.item", src.Canary.Item)
	p.stream, p.list = streaming(m.Items, p.pages, p.more, p.next), parseList(m.Items)
	p.discoveryNext = whole("discovery.next", src.Discovery.Next)
	p.discovery = whole("discovery.fields", src.Discovery.Fields)
	return p
}

// withFields returns the programs of the mapping and the canary with $field set.
func (p *programs) withFields(field map[string]any) *programs {
	set := func(one *program) *program {
		if one == nil {
			return nil
		}
		bound := *one
		bound.known = field
		return &bound
	}
	out := *p
	out.items, out.status, out.summary, out.canary = set(p.items), set(p.status), set(p.summary), set(p.canary)
	out.key = make([]*program, len(p.key))
	for i, one := range p.key {
		out.key[i] = set(one)
	}
	out.evidence = p.evidence.each(set)
	if p.stream != nil {
		out.stream = &stream{path: p.stream.path, each: set(p.stream.each)}
	}
	return &out
}

func (p evidencePrograms) each(set func(*program) *program) evidencePrograms {
	for _, one := range []**program{
		&p.firstSeen, &p.lastSeen, &p.count, &p.link, &p.vendorID, &p.stage, &p.deployment, &p.correlationID, &p.samples,
	} {
		*one = set(*one)
	}
	return p
}

func compileEvidence(e config.EvidenceMap, get func(path, text string) *program) evidencePrograms {
	return evidencePrograms{
		firstSeen: get("evidence.first_seen", e.FirstSeen), lastSeen: get("evidence.last_seen", e.LastSeen),
		count: get("evidence.count", e.Count), link: get("evidence.link", e.Link),
		vendorID: get("evidence.vendor_id", e.VendorID), stage: get("evidence.stage", e.Stage),
		deployment: get("evidence.deployment", e.Deployment), correlationID: get("evidence.correlation_id", e.CorrelationID),
		samples: get("evidence.samples", e.Samples),
	}
}
