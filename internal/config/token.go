package config

import "strings"

// tokens are what the credentials of common services look like: Slack's
// tokens and webhook addresses, GitHub, GitLab, Grafana, Sentry, AWS access
// keys, JSON Web Tokens, and the values of an Authorization header.
var tokens = lazily(`\b(?:` + strings.Join([]string{
	`xox[a-z]-[0-9A-Za-z-]{8,}`, `xapp-[0-9A-Za-z-]{8,}`, `hooks\.slack(?:-gov)?\.com/`,
	`gh[opsur]_[0-9A-Za-z]{16,}`, `github_pat_[0-9A-Za-z_]{16,}`, `glpat-[0-9A-Za-z_-]{16,}`,
	`gl(?:sa|c)_[0-9A-Za-z_+/=]{16,}`, `sntry[su]_[0-9A-Za-z_+/=]{16,}`, `A(?:KIA|SIA)[0-9A-Z]{16}\b`,
	`eyJ[0-9A-Za-z_-]{8,}`, `(?i:^(?:bearer|basic|token) +[^ ]{12,}$)`,
}, "|") + `)`)

// holdsToken reports whether a text holds something shaped like a known
// credential.
func holdsToken(text string) bool { return len(text) > 12 && tokens().MatchString(text) }
