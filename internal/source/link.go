package source

import "strings"

// link is one entry of a Link header.
type link struct {
	target string
	params map[string]string
}

// nextLink finds the first link whose relation is next. whole is false when a header
// could not be parsed to its end: it may hold a next page that was not found.
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

// parseLinks parses <target>; name="value"; name=value, <target>… (RFC 8288, section
// 3). It stops at a syntax error, and reports whether it parsed all. Commas and
// semicolons may appear inside the target and inside quotes.
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

// readParams parses parameters up to the comma that ends the link; the first of
// several with one name counts.
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

// readQuoted reads up to the closing quote. Without one, it returns a quote as the
// rest: no link starts with a quote, so the header does not count as fully parsed.
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
