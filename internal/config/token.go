package config

import (
	"regexp"
	"strings"
)

// tokens are the forms of common services' credentials: Slack's tokens and webhook
// addresses, GitHub, GitLab, Grafana, Sentry, AWS access keys, JSON Web Tokens, and
// the values of an Authorization header. Each has a mark that a matching text must
// contain, so that expressions are rarely compiled.
var tokens = []struct {
	mark string
	form func() *regexp.Regexp
}{
	{"xox", lazily(`\bxox[a-z]-[0-9A-Za-z-]{8,}`)},
	{"xapp-", lazily(`\bxapp-[0-9A-Za-z-]{8,}`)},
	{"hooks.slack", lazily(`\bhooks\.slack(?:-gov)?\.com/`)},
	{"gh", lazily(`\bgh[opsur]_[0-9A-Za-z]{16,}`)},
	{"github_pat_", lazily(`\bgithub_pat_[0-9A-Za-z_]{16,}`)},
	{"glpat-", lazily(`\bglpat-[0-9A-Za-z_-]{16,}`)},
	{"gl", lazily(`\bgl(?:sa|c)_[0-9A-Za-z_+/=]{16,}`)},
	{"sntry", lazily(`\bsntry[su]_[0-9A-Za-z_+/=]{16,}`)},
	{"IA", lazily(`\bA(?:KIA|SIA)[0-9A-Z]{16}\b`)},
	{"eyJ", lazily(`\beyJ[0-9A-Za-z_-]{8,}`)},
	{" ", lazily(`(?i)^(?:bearer|basic|token) +[^ ]{12,}$`)},
}

// holdsToken reports whether a text holds something shaped like a known
// credential.
func holdsToken(text string) bool {
	if len(text) <= 12 {
		return false
	}
	for _, t := range tokens {
		if strings.Contains(text, t.mark) && t.form().MatchString(text) {
			return true
		}
	}
	return false
}
