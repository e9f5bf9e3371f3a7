package incident

import (
	"strconv"
	"strings"
	"time"
)

// ParseReason parses the output of Reason.String.
func ParseReason(text string) Reason {
	code, rest, _ := strings.Cut(text, " ")
	r := Reason{Code: Code(code)}
	if by, ok := strings.CutPrefix(rest, "by="); ok {
		// A person's name may contain spaces.
		r.By = by
		return r
	}
	for _, field := range strings.Fields(rest) {
		r = r.with(field)
	}
	return r
}

func (r Reason) with(field string) Reason {
	name, value, named := strings.Cut(field, "=")
	if !named {
		n, of, _ := strings.Cut(field, "/")
		r.N, _ = strconv.Atoi(n)
		r.Of, _ = strconv.Atoi(of)
		return r
	}
	switch name {
	case "last", "next", "last_resolved":
		r.At, _ = time.Parse(time.RFC3339, value)
	case "window":
		r.Window, _ = time.ParseDuration(value)
	case "source":
		r.Source = value
	case "silence":
		r.By = value
	default:
		r.N, _ = strconv.Atoi(value)
	}
	return r
}
