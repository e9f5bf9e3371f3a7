package source

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// Fault is a mistake in a source's declaration.
type Fault struct {
	// Path names the field as the configuration does: map.key[1].value.
	Path string
	// What is wrong, and Fix is the remedy.
	What string
	Fix  string
}

func (f Fault) String() string { return f.Path + ": " + f.What + "; " + f.Fix }

// Check finds the mistakes of one declaration, with its preset merged in, without
// sending a request or reading secrets.
func Check(src config.Source) []Fault {
	faults := checkRequest(src.Request)
	faults = append(faults, checkPagination(src)...)
	faults = append(faults, checkEnrich(src)...)
	faults = append(faults, checkDiscovery(src)...)
	faults = append(faults, checkRateLimit(src.RateLimit)...)
	return append(faults, compileSource(src).faults...)
}

// faults collects mistakes.
type faults []Fault

func (f *faults) add(path, what, fix string) { *f = append(*f, Fault{path, what, fix}) }

const (
	largestPages = 1000
	largestSize  = 10_000
)

func checkPagination(src config.Source) []Fault {
	var f faults
	p := src.Pagination
	if _, ok := pagers[p.Type]; !ok {
		f.add("pagination.type", fmt.Sprintf("%q is no way of paging", p.Type), "use none, link, page, offset, token or next_url")
	}
	checkPagingFields(&f, p)
	if p.SizeParam != "" && p.Size <= 0 {
		f.add("pagination.size", "is missing", "say how many items a full page has, since size_param asks for that many")
	}
	if p.Size < 0 || p.Size > largestSize {
		f.add("pagination.size", "is out of range", fmt.Sprintf("use 1 to %d", largestSize))
	}
	if p.First < 0 {
		f.add("pagination.first", "is negative", "use the number of the first page: 0 or 1")
	}
	if p.MaxPages < 0 || p.MaxPages > largestPages {
		f.add("pagination.max_pages", "is out of range", fmt.Sprintf("use 1 to %d", largestPages))
	}
	if p.MaxBytes < 0 || p.MaxBytes > maxTotalBytes {
		f.add("pagination.max_bytes", "is out of range", fmt.Sprintf("use 1 to %d", maxTotalBytes))
	}
	counts := p.Type == config.PaginationOffset || (p.Type == config.PaginationPage && p.Pages == "")
	if counts && mayDrop(src.Map.Items) {
		f.add("map.items", "leaves items out, so that a full page may look short and end the list early",
			"list every item, and give the unwanted ones a status that is not in map.verdicts")
	}
	return f
}

// checkPagingFields reports missing fields that the way of paging requires.
func checkPagingFields(f *faults, p config.Pagination) {
	for _, need := range []struct {
		typ               config.PaginationType
		field, value, fix string
	}{
		{config.PaginationPage, "param", p.Param, "name the query parameter that carries the page's number"},
		{config.PaginationOffset, "param", p.Param, "name the query parameter that carries the number of items to skip"},
		{config.PaginationToken, "param", p.Param, "name the query parameter that carries the token"},
		{config.PaginationOffset, "more", p.More, "write the jq program that tells from an answer whether more follow"},
		{config.PaginationToken, "next", p.Next, "write the jq program that gives the next token of an answer"},
		{config.PaginationNextURL, "next", p.Next, "write the jq program that gives the next address of an answer"},
	} {
		if p.Type == need.typ && need.value == "" {
			f.add("pagination."+need.field, "is missing", need.fix)
		}
	}
}

// mayDrop reports whether an items program may yield fewer items than the page holds.
// Where the answer itself is the list, its length is known regardless.
func mayDrop(items string) bool {
	if strings.HasPrefix(strings.TrimSpace(items), ".[]") {
		return false
	}
	return dropping.MatchString(items)
}

// dropping matches calls that drop items, but not a field such as .limits.
var dropping = regexp.MustCompile(`(?:^|[^.\w])(?:select|empty|first|last|limit|unique|unique_by|group_by)\b`)

// checkMapping checks all that is not a program; compilation checks the programs.
func checkMapping(m config.Mapping) []Fault {
	var f faults
	if m.Items == "" {
		f.add("map.items", "is missing", "write the jq program that gives each item of an answer, such as .[]")
	}
	if m.Status == "" {
		f.add("map.status", "is missing", "write the jq program that gives the vendor's word for an item's state, such as .status")
	}
	failing := false
	for status, word := range m.Verdicts {
		v, err := observation.ParseVerdict(word)
		if err != nil {
			f.add("map.verdicts."+status, fmt.Sprintf("%q is no verdict", word), "use failing, healthy or unknown")
		}
		failing = failing || v == observation.Failing
	}
	if !failing {
		f.add("map.verdicts", "no status is failing, so that this source can never open an incident", "say which of the vendor's states means failing")
	}
	checkKey(&f, m.Key)
	return f
}

func checkKey(f *faults, key []config.KeyPart) {
	if len(key) == 0 {
		f.add("map.key", "is missing", "name the parts that make an incident of this source the same incident tomorrow")
	}
	seen := map[string]bool{}
	for i, k := range key {
		at := fmt.Sprintf("map.key[%d].", i)
		switch {
		case k.Name == "":
			f.add(at+"name", "is missing", "name the part, such as service")
		case seen[k.Name]:
			f.add(at+"name", fmt.Sprintf("%q is used twice", k.Name), "give every part its own name")
		}
		seen[k.Name] = true
		if k.Value == "" {
			f.add(at+"value", "is missing", "write the jq program that gives the part, such as .service")
		}
		if k.Type != config.KeyPartID && k.Type != config.KeyPartText {
			f.add(at+"type", fmt.Sprintf("%q is no type of a key part", k.Type), "use id for what is taken as it is, or text to take numbers, times and ids out")
		}
	}
}
