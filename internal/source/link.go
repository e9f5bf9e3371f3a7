package source

import "strings"

// link is one entry of a Link header.
type link struct {
	target string
	params map[string]string
}

// nextLink finds the first link whose relation is next.
func nextLink(headers []string) (link, bool) {
	for _, h := range headers {
		for _, l := range parseLinks(h) {
			for _, rel := range strings.Fields(l.params["rel"]) {
				if strings.EqualFold(rel, "next") {
					return l, true
				}
			}
		}
	}
	return link{}, false
}

// parseLinks reads <target>; name="value"; name=value, <target>… (RFC 8288,
// section 3). It stops at what it cannot read. Commas and semicolons may stand
// inside the target and inside quotes.
func parseLinks(h string) []link {
	var out []link
	for {
		h = strings.TrimLeft(h, " \t,")
		if !strings.HasPrefix(h, "<") {
			return out
		}
		target, rest, ok := strings.Cut(h[1:], ">")
		if !ok {
			return out
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
	return b.String(), ""
}
