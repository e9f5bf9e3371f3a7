package source

import (
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/observation"
)

// seen remembers which items were listed, and on which page first.
type seen map[string]int

// first reports whether an item is listed for the first time. Lists move while they
// are read, so a vendor may repeat an item on the next page; two equal items on one
// page without a vendor id may well be two.
func (s seen) first(it observation.Item, page int) bool {
	var b strings.Builder
	for _, p := range it.Parts {
		b.WriteString(strconv.Itoa(len(p.Value)) + ":" + p.Value)
	}
	b.WriteString("|" + string(it.Verdict) + "|" + it.Evidence.VendorID)
	id := b.String()
	before, ok := s[id]
	if !ok {
		s[id] = page
		return true
	}
	return before == page && it.Evidence.VendorID == ""
}
