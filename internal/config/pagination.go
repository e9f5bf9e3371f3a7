package config

import (
	"slices"
	"strconv"
	"strings"
)

// Defaults of a source's paging. Pages of 4 MiB made to be hard to decode were
// measured to take 430 MB, which the poll function has; a larger limit may be set for
// a vendor that needs it, with more memory for the function.
const (
	DefaultMaxPages       = 20
	DefaultMaxBytes int64 = 4 * mib
)

const (
	mib      = 1 << 20
	maxBytes = 64 * mib
)

var paginations = words(PaginationNone, PaginationLink, PaginationPage, PaginationOffset, PaginationToken, PaginationNextURL)

// pagingFields lists the fields that belong to some types of pagination only.
var pagingFields = []struct {
	name  string
	types []PaginationType
}{
	{"param", []PaginationType{PaginationPage, PaginationOffset, PaginationToken}},
	{"size_param", []PaginationType{PaginationPage, PaginationOffset}},
	{"first", []PaginationType{PaginationPage}},
	{"size", []PaginationType{PaginationPage, PaginationOffset}},
	{"pages", []PaginationType{PaginationPage}},
	{"more", []PaginationType{PaginationOffset}},
	{"next", []PaginationType{PaginationToken, PaginationNextURL}},
}

// pagingNeeds lists the fields that a type of pagination requires.
var pagingNeeds = []struct {
	typ       PaginationType
	name, fix string
}{
	{PaginationPage, "param", "name the query parameter that takes the page's number, such as page"},
	{PaginationOffset, "param", "name the query parameter that takes the number of items to skip, such as offset"},
	{PaginationToken, "param", "name the query parameter that takes the token, such as cursor"},
	{PaginationOffset, "more", "a jq program that tells from an answer whether more follow, such as .more"},
	{PaginationToken, "next", "a jq program that gives the next token of an answer, such as .next_token"},
	{PaginationNextURL, "next", "a jq program that gives the next address of an answer, such as .pagination.next"},
}

func (f *fields) pagination() Pagination {
	p := Pagination{
		Type:      PaginationType(f.choice("type", string(PaginationNone), paginations)),
		Param:     f.text("param"),
		SizeParam: f.text("size_param"),
		First:     f.count("first", 1, 0, 1),
		Size:      f.count("size", 100, 1, 10_000),
		Pages:     f.text("pages"),
		More:      f.text("more"),
		Next:      f.text("next"),
		MaxPages:  f.count("max_pages", DefaultMaxPages, 1, 1000),
		MaxBytes:  f.size("max_bytes", DefaultMaxBytes, 1024, maxBytes),
	}
	if _, said := f.given("size"); !said && p.Type == PaginationPage && p.SizeParam == "" {
		// The size is neither declared nor requested, so no page is known to be
		// short. With a guessed size, a vendor whose pages are smaller would be read
		// in part and taken as complete.
		p.Size = 0
	}
	for _, need := range pagingNeeds {
		if need.typ == p.Type && f.text(need.name) == "" {
			f.missing(need.name, need.fix)
		}
	}
	for _, own := range pagingFields {
		// A preset's field for a type that its user replaced does no harm.
		at, given := f.given(own.name)
		if given && !slices.Contains(own.types, p.Type) && at.File == f.place("type").File {
			f.fail(own.name, "is only for pagination of type "+strings.Join(words(own.types...), " or "), "remove it, or set type: "+string(own.types[0]))
		}
	}
	f.end()
	return p
}

// size parses a number of bytes: a whole number, or one with KiB or MiB.
func (f *fields) size(name string, def, low, high int64) int64 {
	n := f.scalar(name)
	if n == nil {
		return def
	}
	number, factor := n.text, int64(1)
	if t, ok := strings.CutSuffix(n.text, "KiB"); ok {
		number, factor = t, 1<<10
	} else if t, ok := strings.CutSuffix(n.text, "MiB"); ok {
		number, factor = t, mib
	}
	v, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || v > high/factor || v*factor < low {
		f.fail(name, show(n.text)+" is not a size from 1KiB to 64MiB", "write bytes, or a number with KiB or MiB, such as 8MiB")
		return def
	}
	return v * factor
}
