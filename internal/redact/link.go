package redact

import (
	"net/url"
	"strings"
)

var (
	// userinfo ends at the last @ before the path: everything before it may belong to
	// a password.
	userinfo = later(`://[^\s/?#<>"'|]*@`)
	// broken is a user name and password with an unescaped character that ends the
	// host. A port has digits only.
	broken = later(`://[^\s/?#:@\[\]<>"'|]*:[^\s/?#@<>"'|]*[^\s/?#@<>"'|\d][^\s/?#@<>"'|]*[/?#][^\s@<>"'|]*@`)
	// session is a parameter of a path, as Java's servers add it.
	session = later(`(?i)(/[^\s?#;"'<>]*;jsessionid=)[^\s/?#;"'<>]+`)
	// escapedUserinfo is the same where JSON has escaped the slashes.
	escapedUserinfo = later(`:\\/\\/[^\s/?#<>"'|\\]*@`)
	// dialled and thin are a user name and password without a scheme, as Go's driver
	// for MySQL and Oracle's for Java write them.
	dialled = later(`[\w.%+$!~*-]+:[^\s"'<>]*?@(tcp|unix)\(`)
	thin    = later(`(?i)(jdbc:oracle:[a-z0-9]+:)[^\s"'<>/@{}]+/[^\s"'<>@{}]+@`)
	// door is an address whose path alone gives access, other than Slack's: webhooks
	// of Discord, Teams, Feishu, Mattermost and Rocket.Chat, of Zapier, IFTTT, Make
	// and webhook.site, integrations of PagerDuty, VictorOps, Grafana OnCall and
	// Better Stack, bots of Telegram, pings of Healthchecks, Better Stack, Dead Man's
	// Snitch and Cronitor. A self-hosted Healthchecks has pings under /ping/.
	door = slashed(`(\b(?:discord(?:app)?\.com/api/(?:v\d+/)?webhooks/|[a-z0-9.-]*webhook\.office\.com/|outlook\.office(?:365)?\.com/webhook/` +
		`|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/|hooks\.zapier\.com/hooks/|maker\.ifttt\.com/|hook\.[a-z0-9.]+\.make\.com/|webhook\.site/` +
		`|events(?:\.eu)?\.pagerduty\.com/(?:integration|x-ere)/|alert\.victorops\.com/integrations/|api\.telegram\.org/(?:file/)?bot|hc-ping\.com/|hchk\.io/|nosnch\.in/|cronitor\.link/` +
		`|/api/v1/(?:heartbeat|incoming-webhook)/|/integrations/v1/[a-z_]+/))`)
	// ownDoor is such an address on a self-hosted server: it ends in a UUID, or in at
	// least 17 letters and digits.
	ownDoor = later(`(\\?/(?:hooks|ping)\\?/)(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|[A-Za-z0-9]{17})[^\s<>"'|{]*`)
	// Slack's own list of webhook forms: "Sending messages using incoming
	// webhooks", and workflow triggers.
	slackHook = later(`(?i)((?:\b|%2f)hooks\.slack(?:-gov)?\.com(?::\d+)?(?:\\?/|%2f))(?:services|workflows|triggers)(?:\\?/|%2f)[^\s<>"'|{]+`)
)

// hidden replaces a value inside an address, which braces would break.
const hidden = "redacted"

// links keeps addresses usable but removes what gives access: user names and
// passwords, secret query values, Slack webhook paths. An address ends at a blank or
// a quote, so only words that could hold one are searched.
func links(s string) string { return inWords(s, "/@", link) }

func link(s string) string {
	if strings.Contains(s, "hooks.slack") || strings.Contains(s, "HOOKS.SLACK") {
		s = slackHook.ReplaceAllString(s, "${1}{webhook}")
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

// doorWords are words of which every form of door holds at least one.
var doorWords = []string{
	"webhook", "telegram", "hc-ping", "/ping", "heartbeat", "integration", "/hook", "zapier", "ifttt", "make.com", "x-ere", "hchk.io", "nosnch.in", "cronitor.link",
}

// queries hides secret values in the query and the fragment of one address, and in
// the settings that some add to a path after semicolons, and leaves every other byte
// unchanged.
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

// pairEnd returns where a parameter ends.
func pairEnd(s string) int {
	for i := range len(s) {
		if strings.IndexByte("?#&;", s[i]) >= 0 || s[i] == '\\' && strings.HasPrefix(s[i:], escapedAnd) {
			return i
		}
	}
	return len(s)
}

// pair hides the value of a parameter that is a secret, or the secrets within a value
// that is itself a form.
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

// secretName reports whether a query parameter carries a secret, in any spelling:
// api_key, apiKey, X-Amz-Signature, access%5Ftoken.
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
