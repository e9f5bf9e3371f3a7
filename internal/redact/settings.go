package redact

import "strings"

// assignments removes the values of secret names: name=value, name: value, "name":
// "value", name=>value, <name>value, --name value, a pair of a list, and escaped
// forms of these. An equals sign or a quoted name makes a setting; after a bare colon
// the value must look like a secret, since "invalid password: too short" is a
// sentence. Addresses have their own rules.
func assignments(s, with string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); i++ {
		if alnum(s[i]) {
			continue
		}
		if s[i] == ':' {
			if n := slashes(s[i:]); n > 0 {
				i = addressEnd(s, i+n) - 1
				continue
			}
		}
		v, ok := settingAt(s, i, kept)
		if !ok {
			continue
		}
		if v.form != none {
			v = v.whole(s)
		}
		b.WriteString(s[kept:v.from])
		b.WriteString(with)
		kept = v.end
		i = kept - 1
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// settingAt finds the secret that the mark at s[i] assigns, if any. The name does not
// begin before s[kept].
func settingAt(s string, i, kept int) (value, bool) {
	switch s[i] {
	case '=', ':':
		return assignedAt(s, i, kept)
	case '>':
		return elementAt(s, i, kept)
	case '%', '\\':
		return escapedAt(s, i, kept)
	case ',':
		return pairAt(s, i, kept)
	case '-':
		return flagAt(s, i, kept)
	case ' ', '\t':
		return quotedAt(s, i, kept)
	default:
		return value{}, false
	}
}

// assignedAt returns the value that follows "=", "==", "=>", ":" or ":=".
func assignedAt(s string, i, kept int) (value, bool) {
	n := nameBefore(s, i, kept)
	f := formOf(n.text)
	if f == none && strings.EqualFold(n.text, "value") {
		n, f = namedBefore(s, n, kept)
	}
	if f == none || ofARN(s, n) {
		return value{}, false
	}
	sure := s[i] == '=' || n.quoted
	next := i + 1
	switch {
	case next < len(s) && s[next] == '=':
		// With blanks, it may be a line of code: token := parse(s), token == nil.
		next++
		at := skipBlanks(s, next)
		sure = n.quoted || at == next || quoteAt(s, at) > 0
	case next < len(s) && s[next] == '>' && s[i] == '=':
		sure = true
		next++
	}
	if s[i] == ':' && next < len(s) && s[next] == ':' {
		return value{}, false
	}
	if !n.quoted && s[i] == '=' && emptyBefore(s, i, next) {
		return value{}, false
	}
	if v, ok := bracedAt(s, i, next, f); ok {
		return v, true
	}
	v, ok := valueAt(s, next, f, n.text)
	if n.quoted && s[i] == ':' && !v.quoted() && ok && nothing(s[v.from:v.end]) {
		return value{}, false // of JSON, which has secrets in quotes
	}
	return v, ok && taken(s, v, f, sure || v.from > v.scheme, n, kept)
}

// nothing reports whether a word is a JSON value that is no text, in the spelling of
// any language.
func nothing(word string) bool {
	switch strings.ToLower(word) {
	case "null", "nil", "none", "true", "false", "undefined":
		return true
	default:
		return false
	}
}

// taken decides whether to remove a value.
func taken(s string, v value, f form, sure bool, n name, kept int) bool {
	text := s[v.from:v.end]
	switch {
	case placeholderAt(text) == len(text), addressed(text), v.from == v.scheme && schemeName(text):
		return false
	case f.isSecret(text, sure):
		return true
	case f != password && f != pass || outcome(text) || f == pass && isCount(text):
		return false
	case v.quoted():
		return affixed(n.text) || f == password && !strings.ContainsAny(text, " \t")
	default:
		return affixed(n.text) && opens(s, n.from, kept) && closes(s, v.end)
	}
}

// ofARN tells whether a name is the kind of what an ARN names, behind an account's 12
// digits: arn:aws:secretsmanager:…:123456789012:secret:db-1.
func ofARN(s string, n name) bool {
	const account = 12
	from := n.from - account - 1
	return from > 0 && s[from-1] == ':' && s[n.from-1] == ':' && allDigits(s[from:n.from-1], account, account)
}

// addressed is a value that is an address, or the name of something in AWS.
func addressed(text string) bool {
	if strings.HasPrefix(text, "arn:aws") {
		return true
	}
	colon := strings.IndexByte(text, ':')
	return colon > 0 && slashes(text[colon:]) > 0 && schemeBefore(text, colon, 0) == 0
}

func schemeName(text string) bool {
	for _, name := range schemes {
		if strings.EqualFold(text, name) {
			return true
		}
	}
	return false
}

// opens reports whether s[i] starts a line, a list or a word of its own.
func opens(s string, i, kept int) bool {
	return i == 0 || i > kept && strings.IndexByte(" \t\r\n\"'`{[(,;", s[i-1]) >= 0
}

// closes reports whether what ends at s[i] ends the line or is one of several.
func closes(s string, i int) bool {
	return i == len(s) || strings.IndexByte("\r\n,;}\\\"'", s[i]) >= 0
}

// emptyBefore reports whether a name has no value and the next name follows, as in
// logs: password= user=jane.
func emptyBefore(s string, i, next int) bool {
	at := skipBlanks(s, next)
	if at == next || at == len(s) || i > 0 && (s[i-1] == ' ' || s[i-1] == '\t') || !letter(s[at]) {
		return false
	}
	n := at
	for n < len(s) && n-at < maxName && nameByte(s[n]) {
		n++
	}
	return n+1 < len(s) && s[n] == '=' && s[n+1] != '=' && s[n+1] != ' '
}

// bracedAt returns a password in braces, as ODBC writes one with a semicolon.
func bracedAt(s string, i, next int, f form) (value, bool) {
	if f != password || s[i] != '=' || next >= len(s) || s[next] != '{' || placeholderAt(s[next:]) > 0 {
		return value{}, false
	}
	for end := next + 1; end < len(s); end++ {
		if strings.IndexByte(" \t\r\n\"'{", s[end]) >= 0 {
			break
		}
		if s[end] == '}' {
			return value{from: next, end: end + 1}, true
		}
	}
	return value{}, false
}

// namedBefore reads the name in "name": "DB_PASSWORD", "value": "…" and in
// key="Password" value="…", whose last word is n.
func namedBefore(s string, n name, kept int) (name, form) {
	i := n.from
	for i > kept && n.from-i < maxName && strings.IndexByte(" \t\r\n,\"'\\", s[i-1]) >= 0 {
		i--
	}
	// i is after the name; its closing quote is among what was skipped.
	if i == n.from || !strings.ContainsAny(s[i:n.from], `"'`) {
		return n, none
	}
	of := nameBefore(s, i, kept)
	if of.from == 0 || !quote(s[of.from-1]) {
		return n, none
	}
	of.quoted = true
	return of, formOf(of.text)
}
