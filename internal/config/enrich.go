package config

import "strings"

// IDPlace is the placeholder of the item's vendor id in an enrichment's address.
const IDPlace = "{id}"

// enrich reads a source's second request; ids is the program for its items' vendor
// ids.
func (f *fields) enrich(ids string) Enrich {
	e := Enrich{URL: f.text("url"), Evidence: f.child("evidence").evidence()}
	switch {
	case e == Enrich{}:
	case e.URL == "":
		f.missing("url", "write the address to ask for each new failure, with "+IDPlace+" for its id")
	case e.Evidence == EvidenceMap{}:
		f.missing("evidence", "say what of the answer a reader sees, such as evidence: {deployment: .release}")
	case !strings.Contains(e.URL, IDPlace):
		f.fail("url", "does not say which failure is meant", "write "+IDPlace+" where the failure's id goes")
	case ids == "":
		f.fail("url", "needs the failure's id", "write map.evidence.vendor_id, the jq program that gives it")
	}
	f.end()
	return e
}
