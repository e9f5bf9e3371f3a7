package source

import "strings"

// link is one entry of a Link header.
type link struct {
	target string
	params map[string]string
}

// nextLink finds the first link whose relation is next. whole is false when a
// header could not be read to its end: then there may be a next page that was
// not found.
func nextLink(headers []string) (next link, found, whole bool) {
	whole = true
	for _, h := range headers {
		links, all := parseLinks(h)
		whole = whole && all
		for _, l := range links {
			for _, rel := range strings.Fields(l.params["rel"]) {
				if strings.EqualFold(rel, "next") {
					return l, true, whole
				}
			}
		}
	}
	return link{}, false, whole
}

// parseLinks reads <target>; name="value"; name=value, <target>… (RFC 8288,
// section 3). It stops at what it cannot read, and says whether it read all.
// Commas and semicolons may stand inside the target and inside quotes.
func parseLinks(h string) (out []link, all bool) {
	for {
		h = strings.TrimLeft(h, " \t,")
		if !strings.HasPrefix(h, "<") {
			return out, h == ""
		}
		target, rest, ok := strings.Cut(h[1:], ">")
		if !ok {
			return out, false
		}
		l := link{target: target, params: map[string]string{}}
		h = l.readParams(rest)
		out = append(out, l)
	}
}

// readParams reads parameters up to the comma that ends the link; of a name
// given twice the first counts.
func (l *link) readParams(h string) string {
	for {
		h = strings.TrimLeft(h, " \t")
		if !strings.HasPrefix(h, ";") {
			return h
		}
		name, value, rest := readParam(h[1:])
		if _, ok := l.params[name]; !ok {
			l.params[name] = value
		}
		h = rest
	}
}

func readParam(h string) (name, value, rest string) {
	end := strings.IndexAny(h, "=;,")
	if end < 0 {
		end = len(h)
	}
	name = strings.ToLower(strings.TrimSpace(h[:end]))
	h = h[end:]
	if !strings.HasPrefix(h, "=") {
		return name, "", h
	}
	h = strings.TrimLeft(h[1:], " \t")
	if strings.HasPrefix(h, `"`) {
		value, rest = readQuoted(h[1:])
		return name, value, rest
	}
	end = strings.IndexAny(h, ";,")
	if end < 0 {
		end = len(h)
	}
	return name, strings.TrimSpace(h[:end]), h[end:]
}

// readQuoted reads up to the closing quote. Without one the rest is a quote,
// which no link starts with, so that the header does not count as read to its end.
func readQuoted(h string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(h); i++ {
		switch {
		case h[i] == '"':
			return b.String(), h[i+1:]
		case h[i] == '\\' && i+1 < len(h):
			i++
		}
		b.WriteByte(h[i])
	}
	return b.String(), `"`
}
