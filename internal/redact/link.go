package redact

import (
	"net/url"
	"strings"
)

var (
	address = later(`[A-Za-z][A-Za-z0-9+.-]*://[^\s<>"'|\\^` + "`" + `]+`)
	// userinfo ends at the last @ before the path: everything before it may be
	// part of a password.
	userinfo = later(`://[^\s/?#<>"'|]*@`)
	// broken is a user name and password with a mark in it that ends the host, which
	// should have been escaped. A port is digits alone.
	broken = later(`://[^\s/?#:@\[\]<>"'|]*:[^\s/?#@<>"'|]*[^\s/?#@<>"'|\d][^\s/?#@<>"'|]*[/?#][^\s@<>"'|]*@`)
	// session is a parameter of a path, as Java's servers add it.
	session = later(`(?i)(/[^\s?#;"'<>]*;jsessionid=)[^\s/?#;"'<>]+`)
	// door is an address whose path lets in whoever has it, besides Slack's: webhooks
	// of Discord and Teams, integrations of PagerDuty, bots of Telegram, pings of
	// Healthchecks and Better Stack.
	door = later(`\b(discord(?:app)?\.com/api/(?:v\d+/)?webhooks/|[a-z0-9.-]*webhook\.office\.com/|outlook\.office(?:365)?\.com/webhook/|events(?:\.eu)?\.pagerduty\.com/integration/|api\.telegram\.org/bot|hc-ping\.com/|/api/v1/heartbeat/)[^\s<>"'|{]+`)
	// Slack's own list of webhook forms: "Sending messages using incoming
	// webhooks", and workflow triggers.
	slackHook = later(`(?i)\bhooks\.slack(?:-gov)?\.com(?::\d+)?\\?/(?:services|workflows|triggers)\\?/[^\s<>"'|{]+`)
)

// hidden stands for a value inside an address, where braces would break it.
const hidden = "redacted"

// links keeps addresses usable but takes out what opens doors: user names and
// passwords, secret query values, Slack webhook paths.
func links(s string) string {
	if strings.Contains(s, "hooks.slack") || strings.Contains(s, "HOOKS.SLACK") {
		s = slackHook.ReplaceAllStringFunc(s, func(m string) string {
			return m[:strings.IndexByte(m, '/')+1] + "{webhook}"
		})
	}
	if mayHoldDoor(s) {
		s = door.ReplaceAllString(s, "${1}{webhook}")
	}
	if strings.Contains(s, ";") {
		s = session.ReplaceAllString(s, "${1}"+hidden)
	}
	if !strings.Contains(s, "://") {
		return s
	}
	if strings.Contains(s, "@") {
		s = broken.ReplaceAllLiteralString(userinfo.ReplaceAllLiteralString(s, "://"), "://")
	}
	if !strings.ContainsAny(s, "?#") {
		return s
	}
	return address.ReplaceAllStringFunc(s, queries)
}

func mayHoldDoor(s string) bool {
	for _, word := range []string{"webhook", "telegram", "hc-ping", "heartbeat", "integration"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// queries hides secret values in the query and the fragment of one address,
// and leaves every other byte of it alone.
func queries(addr string) string {
	at := strings.IndexAny(addr, "?#")
	if at < 0 {
		return addr
	}
	var b strings.Builder
	b.WriteString(addr[:at])
	for rest := addr[at:]; rest != ""; {
		b.WriteByte(rest[0])
		end := strings.IndexAny(rest[1:], "?#&;")
		if end < 0 {
			end = len(rest) - 1
		}
		b.WriteString(pair(rest[1 : end+1]))
		rest = rest[end+1:]
	}
	return b.String()
}

func pair(p string) string {
	name, value, ok := strings.Cut(p, "=")
	if !ok || value == "" || !secretName(name) {
		return p
	}
	return name + "=" + hidden
}

// secretName tells whether a query parameter carries a secret, however it is
// spelt: api_key, apiKey, X-Amz-Signature, access%5Ftoken.
func secretName(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = plainName(name)
	switch name {
	case "key", "sig", "hmac", "auth", "pass", "pwd", "jwt", "code":
		return true
	}
	for _, part := range secretParts {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

var secretParts = []string{
	"token", "secret", "password", "passwd", "signature", "credential", "authorization",
	"apikey", "accesskey", "privatekey", "applicationkey", "authkey", "subscriptionkey", "sessionid",
}
