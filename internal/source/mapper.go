package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/redact"
)

// mapper maps one vendor's items to observations.
type mapper struct {
	src      config.Source
	programs *programs
	// redact is for what people read. keyRedact lacks the operator's patterns, so
	// that adding a pattern does not rename every open incident.
	redact, keyRedact *redact.Redactor
}

func newMapper(src config.Source, p *programs, forText, forKeys *redact.Redactor) *mapper {
	return &mapper{src: src, programs: p, redact: forText, keyRedact: forKeys}
}

// item maps one item. ok is false if its identity or status cannot be read. An item
// whose summary or evidence cannot be read is ok: it exists, and is failing or not.
// In both cases the faults name the field.
func (m *mapper) item(ctx context.Context, v any) (it observation.Item, faults []string, ok bool) {
	r := &reader{ctx: ctx, item: v, redact: m.redact}
	it.Kind = m.src.Kind
	it.Evidence.VendorID = r.id(m.programs.evidence.vendorID)
	evidenceFaults := r.take()
	it.Parts = m.parts(r)
	status := r.required(m.programs.status)
	if essential := r.take(); len(essential) > 0 {
		return it, append(essential, evidenceFaults...), false
	}
	it.Status = r.shown(status, maxShort)
	it.Verdict = m.verdict(status)
	it.Summary = r.text(m.programs.summary, maxSummary)
	m.evidence(r, &it.Evidence)
	return it, append(evidenceFaults, r.take()...), true
}

// verdict returns the verdict of a status. A status that the mapping does not list is
// unknown: a word that a vendor adds tomorrow must neither open nor resolve anything.
func (m *mapper) verdict(status string) observation.Verdict {
	v, err := observation.ParseVerdict(m.src.Map.Verdicts[status])
	if err != nil {
		return observation.Unknown
	}
	return v
}

func (m *mapper) parts(r *reader) []observation.Part {
	parts := make([]observation.Part, 0, len(m.src.Map.Key))
	for i, k := range m.src.Map.Key {
		// Vendors differ in how they encode the same letters (é as one character or
		// as two): the key uses one form, so that one incident does not become two.
		value := norm.NFC.String(r.required(m.programs.key[i]))
		switch {
		case k.Type == config.KeyPartText:
			value = incident.Normalise(m.keyRedact.Text(headOf(value)))
		case m.keyRedact.Knows(value):
			r.faults = append(r.faults, fault(m.programs.key[i], errSecretPart))
		default:
			value = redactedID(value)
		}
		parts = append(parts, observation.Part{Name: k.Name, Value: strings.TrimSpace(value)})
	}
	return parts
}

// redactedID is redact.ID for a text of any length: a long one keeps its head, and a
// hash of the whole text keeps different ids different.
func redactedID(s string) string {
	head := headOf(s)
	if head == s {
		return redact.ID(s)
	}
	sum := sha256.Sum256([]byte(s))
	return redact.ID(head) + "~" + hex.EncodeToString(sum[:])
}

// errSecretPart reports an id that holds a secret. A key is stored for years, in rows
// and messages, so it must not hold one, and a placeholder could make two incidents
// one.
var errSecretPart = errors.New("holds a secret of this source, so the item is left out; take another field")

func (m *mapper) evidence(r *reader, e *observation.Evidence) {
	p := &m.programs.evidence
	p.fill(r, e)
	if e.Stage == "" {
		e.Stage = m.src.Stage
	}
}

// fill reads all evidence except the vendor's id.
func (p *evidencePrograms) fill(r *reader, e *observation.Evidence) {
	e.FirstSeen, e.LastSeen = r.time(p.firstSeen), r.time(p.lastSeen)
	e.Count = r.count(p.count)
	e.Link = r.link(p.link)
	e.Stage = r.text(p.stage, maxShort)
	e.Deployment = r.text(p.deployment, maxShort)
	e.CorrelationID = r.text(p.correlationID, maxShort)
	e.Samples = r.texts(p.samples)
}

// fault names the field and what its program did.
func fault(p *program, err error) string { return fmt.Sprintf("%s: %s", p.path, err) }
