package redact

import (
	"net/url"
	"strings"
)

var (
	// userinfo ends at the last @ before the path: everything before it may be
	// part of a password.
	userinfo = later(`://[^\s/?#<>"'|]*@`)
	// broken is a user name and password with a mark in it that ends the host, which
	// should have been escaped. A port is digits alone.
	broken = later(`://[^\s/?#:@\[\]<>"'|]*:[^\s/?#@<>"'|]*[^\s/?#@<>"'|\d][^\s/?#@<>"'|]*[/?#][^\s@<>"'|]*@`)
	// session is a parameter of a path, as Java's servers add it.
	session = later(`(?i)(/[^\s?#;"'<>]*;jsessionid=)[^\s/?#;"'<>]+`)
	// escapedUserinfo is the same where JSON has escaped the slashes.
	escapedUserinfo = later(`:\\/\\/[^\s/?#<>"'|\\]*@`)
	// dialled and thin are a user name and password as Go's driver for MySQL and
	// Oracle's for Java write them, without a scheme.
	dialled = later(`[\w.%+$!~*-]+:[^\s"'<>]*?@(tcp|unix)\(`)
	thin    = later(`(?i)(jdbc:oracle:[a-z0-9]+:)[^\s"'<>/@{}]+/[^\s"'<>@{}]+@`)
	// door is an address whose path lets in whoever has it, besides Slack's: webhooks
	// of Discord, Teams, Feishu, Mattermost and Rocket.Chat, of Zapier, IFTTT, Make and
	// webhook.site, integrations of PagerDuty, VictorOps, Grafana OnCall and Better
	// Stack, bots of Telegram, pings of Healthchecks, Better Stack, Dead Man's Snitch
	// and Cronitor. An own Healthchecks has pings under /ping/.
	door = slashed(`(\b(?:discord(?:app)?\.com/api/(?:v\d+/)?webhooks/|[a-z0-9.-]*webhook\.office\.com/|outlook\.office(?:365)?\.com/webhook/` +
		`|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/|hooks\.zapier\.com/hooks/|maker\.ifttt\.com/|hook\.[a-z0-9.]+\.make\.com/|webhook\.site/` +
		`|events(?:\.eu)?\.pagerduty\.com/(?:integration|x-ere)/|alert\.victorops\.com/integrations/|api\.telegram\.org/(?:file/)?bot|hc-ping\.com/|hchk\.io/|nosnch\.in/|cronitor\.link/` +
		`|/api/v1/(?:heartbeat|incoming-webhook)/|/integrations/v1/[a-z_]+/))`)
	// ownDoor is one on a server of one's own: it ends in a UUID, or in 17 letters and
	// digits or more.
	ownDoor = later(`(\\?/(?:hooks|ping)\\?/)(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|[A-Za-z0-9]{17})[^\s<>"'|{]*`)
	// Slack's own list of webhook forms: "Sending messages using incoming
	// webhooks", and workflow triggers.
	slackHook = later(`(?i)\bhooks\.slack(?:-gov)?\.com(?::\d+)?\\?/(?:services|workflows|triggers)\\?/[^\s<>"'|{]+`)
)

// hidden stands for a value inside an address, where braces would break it.
const hidden = "redacted"

// links keeps addresses usable but takes out what opens doors: user names and
// passwords, secret query values, Slack webhook paths. No address goes beyond a
// blank or a quote, so that it is looked for in words that could hold one.
func links(s string) string { return inWords(s, "/@", link) }

func link(s string) string {
	if strings.Contains(s, "hooks.slack") || strings.Contains(s, "HOOKS.SLACK") {
		s = slackHook.ReplaceAllStringFunc(s, func(m string) string {
			return m[:strings.IndexByte(m, '/')+1] + "{webhook}"
		})
	}
	if mayHoldDoor(s) {
		s = ownDoor.ReplaceAllString(door.ReplaceAllString(s, "${1}{webhook}"), "${1}{webhook}")
	}
	if strings.Contains(s, ";") {
		s = session.ReplaceAllString(s, "${1}"+hidden)
	}
	if strings.Contains(s, "@") {
		s = withoutUser(s)
	}
	if (!strings.Contains(s, "://") && !strings.Contains(s, `:\/\/`)) || !strings.ContainsAny(s, "?#;") {
		return s
	}
	return inAddresses(s, queries)
}

func withoutUser(s string) string {
	if strings.Contains(s, "://") {
		s = broken.ReplaceAllLiteralString(userinfo.ReplaceAllLiteralString(s, "://"), "://")
	}
	if strings.Contains(s, `:\/\/`) {
		s = escapedUserinfo.ReplaceAllLiteralString(s, `:\/\/`)
	}
	if strings.Contains(s, "@tcp(") || strings.Contains(s, "@unix(") {
		s = dialled.ReplaceAllString(s, "{secret}@${1}(")
	}
	if strings.Contains(s, "oracle:") {
		s = thin.ReplaceAllString(s, "${1}{secret}@")
	}
	return logins(s)
}

func mayHoldDoor(s string) bool {
	for _, word := range doorWords {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// doorWords are in every form of door, at least one.
var doorWords = []string{
	"webhook", "telegram", "hc-ping", "/ping", "heartbeat", "integration", "/hook", "zapier", "ifttt", "make.com", "x-ere", "hchk.io", "nosnch.in", "cronitor.link",
}

// queries hides secret values in the query and the fragment of one address, and
// the settings that some add to a path behind semicolons, and leaves every other
// byte of it alone.
func queries(addr string) string {
	at := strings.IndexAny(addr, "?#;")
	if at < 0 {
		return addr
	}
	var b strings.Builder
	b.WriteString(addr[:at])
	path := true
	for rest := addr[at:]; rest != ""; {
		mark := 1
		if rest[0] == '\\' {
			mark = len(escapedAnd)
		}
		path = path && rest[0] == ';'
		end := mark + pairEnd(rest[mark:])
		b.WriteString(rest[:mark])
		if p := rest[mark:end]; path {
			b.WriteString(assignments(p, hidden))
		} else {
			b.WriteString(pair(p))
		}
		rest = rest[end:]
	}
	return b.String()
}

// pairEnd is where a parameter ends.
func pairEnd(s string) int {
	for i := range len(s) {
		if strings.IndexByte("?#&;", s[i]) >= 0 || s[i] == '\\' && strings.HasPrefix(s[i:], escapedAnd) {
			return i
		}
	}
	return len(s)
}

// pair hides the value of a parameter that is a secret, or what is one in a value
// that is a form itself.
func pair(p string) string {
	name, value, ok := strings.Cut(p, "=")
	switch {
	case !ok || value == "":
		return p
	case secretName(name):
		return name + "=" + hidden
	default:
		return name + "=" + assignments(value, hidden)
	}
}

// secretName tells whether a query parameter carries a secret, however it is
// spelt: api_key, apiKey, X-Amz-Signature, access%5Ftoken.
func secretName(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = plainName(name)
	switch name {
	case "key", "sig", "hmac", "auth", "pass", "pwd", "jwt", "code", "otp", "cvv", "cvc", "assertion", "clientassertion", "samlresponse":
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
	"token", "secret", "password", "passwd", "passphrase", "passcode", "signature", "credential", "authorization",
	"apikey", "appkey", "accesskey", "privatekey", "applicationkey", "authkey", "subscriptionkey", "signingkey", "encryptionkey",
	"sharedkey", "masterkey", "licensekey", "routingkey", "integrationkey", "sessionid", "phpsessid",
}
