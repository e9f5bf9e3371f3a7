package source

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ringonce/ringonce/internal/config"
)

// compiled is a mapping's programs, made when they are first needed.
type compiled struct {
	once     sync.Once
	programs *programs
}

// programs are the compiled programs of one mapping; an optional one that is
// not configured is nil.
type programs struct {
	items, status, summary *program
	key                    []*program
	evidence               evidencePrograms
	faults                 []Fault
}

type evidencePrograms struct {
	firstSeen, lastSeen, count, link, vendorID, stage, deployment, correlationID, samples *program
}

// programs compiles a mapping once. Two sources with the same mapping share
// it; a source whose mapping changed gets its own.
func (c *Client) programs(m config.Mapping) *programs {
	id := mappingID(m)
	c.mu.Lock()
	entry, ok := c.compiled[id]
	if !ok {
		entry = &compiled{}
		c.compiled[id] = entry
	}
	c.mu.Unlock()
	entry.once.Do(func() { entry.programs = compileMapping(m) })
	return entry.programs
}

// mappingID names a mapping by its content.
func mappingID(m config.Mapping) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q %q %q", m.Items, m.Status, m.Summary, m.Key, m.Verdicts)
	fmt.Fprintf(&b, "%q", m.Evidence)
	return b.String()
}

func compileMapping(m config.Mapping) *programs {
	p := &programs{faults: checkMapping(m)}
	get := func(path, text string) *program {
		prog, fault := compile("map."+path, text)
		if fault != nil {
			p.faults = append(p.faults, *fault)
		}
		return prog
	}
	p.items, p.status, p.summary = get("items", m.Items), get("status", m.Status), get("summary", m.Summary)
	for i, k := range m.Key {
		p.key = append(p.key, get(fmt.Sprintf("key[%d].value", i), k.Value))
	}
	e := m.Evidence
	p.evidence = evidencePrograms{
		firstSeen: get("evidence.first_seen", e.FirstSeen), lastSeen: get("evidence.last_seen", e.LastSeen),
		count: get("evidence.count", e.Count), link: get("evidence.link", e.Link),
		vendorID: get("evidence.vendor_id", e.VendorID), stage: get("evidence.stage", e.Stage),
		deployment: get("evidence.deployment", e.Deployment), correlationID: get("evidence.correlation_id", e.CorrelationID),
		samples: get("evidence.samples", e.Samples),
	}
	return p
}
