package config

import (
	"strconv"
	"strings"
)

const (
	mib          = 1 << 20
	defaultBytes = 16 * mib
	maxBytes     = 64 * mib
)

var paginations = []string{"none", "link", "page"}

func (f *fields) pagination() Pagination {
	p := Pagination{
		Type:      f.choice("type", "none", paginations),
		Param:     f.text("param"),
		SizeParam: f.text("size_param"),
		First:     f.count("first", 1, 0, 1),
		Size:      f.count("size", 100, 1, 10_000),
		MaxPages:  f.count("max_pages", 20, 1, 1000),
		MaxBytes:  f.size("max_bytes", defaultBytes, 1024, maxBytes),
	}
	if p.Type == "page" && p.Param == "" {
		f.missing("param", "name the query parameter that takes the page's number, such as page")
	}
	for _, name := range []string{"param", "size_param", "first", "size"} {
		// What a preset has for a type that its user replaced is of no harm.
		at, given := f.given(name)
		if given && p.Type != "page" && at.File == f.place("type").File {
			f.fail(name, "is only for pagination of type page", "remove it, or set type: page")
		}
	}
	f.end()
	return p
}

// size returns a number of bytes: a whole number, or one with KiB or MiB.
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
