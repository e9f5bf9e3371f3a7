package source

import (
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/observation"
)

// seen remembers which items were listed, and on which page first.
type seen map[string]int

// first tells whether an item was not listed before. Lists move while they are
// read, so a vendor may repeat an item on the next page; two items of one page
// that the vendor gave no id may well be two.
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
