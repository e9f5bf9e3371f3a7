package redact

import "strings"

// flagAt returns the value after a flag's name, which begins at s[i], and a blank.
func flagAt(s string, i, kept int) (value, bool) {
	if i > kept && nameByte(s[i-1]) {
		return value{}, false
	}
	end := i
	for end < len(s) && end-i <= maxName && nameByte(s[end]) {
		end++
	}
	if end == len(s) || s[end] != ' ' && s[end] != '\t' {
		return value{}, false
	}
	flag := s[i:end]
	f := formOf(flag)
	curl := (flag == "-u" || flag == "--user") && strings.Contains(s[max(0, i-maxCommand):i], "curl")
	if f == none && !curl {
		return value{}, false
	}
	if curl {
		f = secret
	}
	v, ok := valueAt(s, end, f, "")
	if !ok {
		return value{}, false
	}
	text := s[v.from:v.end]
	if text[0] == '-' || placeholderAt(text) == len(text) || addressed(text) || curl && !login(text) {
		return value{}, false
	}
	return v, (v.quoted() || !isProse(strings.TrimRight(text, ".,:;!)"))) && f.isSecret(text, true)
}

// quotedAt returns a quoted password after a blank, as in SQL: IDENTIFIED BY '…'.
func quotedAt(s string, i, kept int) (value, bool) {
	if i == 0 || i+1 >= len(s) || !quote(s[i+1]) || !passwordsEnd(s[i-1]) {
		return value{}, false
	}
	n := nameBefore(s, i, kept)
	if formOf(n.text) != password && !identifiedBy(s, n) {
		return value{}, false
	}
	v, ok := valueAt(s, i+1, password, "")
	if !ok {
		return value{}, false
	}
	text := s[v.from:v.end]
	return v, placeholderAt(text) != len(text) && !addressed(text)
}

// passwordsEnd reports whether names of passwords, or "by", can end with a byte.
func passwordsEnd(c byte) bool { return strings.IndexByte("detys", c|0x20) >= 0 }

func identifiedBy(s string, n name) bool {
	const before = "identified "
	at := n.from - len(before)
	return at >= 0 && strings.EqualFold(n.text, "by") && strings.EqualFold(s[at:n.from], before)
}

// maxCommand bounds the search backwards for a command's name.
const maxCommand = 512

// login reports whether a text is a user name and a password.
func login(text string) bool {
	user, pw, ok := strings.Cut(text, ":")
	return ok && user != "" && pw != "" && strings.Trim(pw, "0123456789") != ""
}
