package redact

import "strings"

// logins removes user:password before @host:port, without a scheme. A password of
// digits only is taken for a port, since nodes of clusters are written so.
func logins(s string) string {
	var b strings.Builder
	kept := 0
	for at := 0; at < len(s); at++ {
		next := strings.IndexByte(s[at:], '@')
		if next < 0 {
			break
		}
		at += next
		if from := loginBefore(s, at, kept); from >= 0 && hostAndPort(s[at+1:]) {
			b.WriteString(s[kept:from] + "{secret}")
			kept = at
		}
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// maxLogin bounds the search backwards.
const maxLogin = 256

// loginBefore returns where the user:password that ends before s[at] starts, or a
// negative number.
func loginBefore(s string, at, kept int) int {
	colon := -1
	word := false
	i := at - 1
	for ; i >= max(kept, at-maxLogin); i-- {
		c := s[i]
		if c == ':' && colon < 0 {
			colon = i
			continue
		}
		if colon < 0 && strings.IndexByte(" \t\r\n/@\"'<>{}\\", c) >= 0 || colon >= 0 && !alnum(c) && strings.IndexByte(".%+-", c) < 0 {
			break
		}
		word = word || colon < 0 && !digit(c)
	}
	if colon < 0 || !word || colon == i+1 {
		return -1
	}
	return i + 1
}

// hostAndPort reports whether a text begins with a host's name and a port number. An
// image digest, which has a name before its colon too, is none.
func hostAndPort(s string) bool {
	host := dotted.length(s)
	if host == 0 || host == len(s) || s[host] != ':' || strings.HasPrefix(s, "sha") {
		return false
	}
	n := 0
	for host+1+n < len(s) && digit(s[host+1+n]) {
		n++
	}
	return n >= 2 && n <= 5 && wordEnds(s, host+1+n)
}
