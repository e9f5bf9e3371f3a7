package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Secrets in this file are invented or published as examples by their issuers.
func TestTextTakesOut(t *testing.T) {
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	tests := []struct{ name, in, want string }{
		{"e-mail", "assigned to jane.doe+x@example.co.uk now", "assigned to {email} now"},
		{"e-mail in a query", "https://x.example/?who=jane%40example.com&p=1", "https://x.example/?who={email}&p=1"},
		{"bearer", "sent Bearer 0123456789abcdef", "sent Bearer {token}"},
		{"bearer first", "bearer 0123456789abcdef", "bearer {token}"},
		{"key in an address", "https://x.example/?key=abc", "https://x.example/?key=redacted"},
		{"one laid bare by another", "jane@example.comx-api-key: token=@", "{email}: token={secret}"},
		{"authorization header", "Authorization: Bearer abc", "Authorization: Bearer {secret}"},
		{"basic header", "authorization: Basic dXNlcjpwYXNz", "authorization: Basic {secret}"},
		{"JSON field", `{"password":"hunter2","a":1}`, `{"password":"{secret}","a":1}`},
		{"escaped JSON field", `{\"api_key\":\"hunter2\"}`, `{\"api_key\":\"{secret}\"}`},
		{"setting", "DB_PASSWORD=hunter2 failed", "DB_PASSWORD={secret} failed"},
		{"header with colon", "DD-APPLICATION-KEY: 0123456789abcdef0123", "DD-APPLICATION-KEY: {secret}"},
		{"JWT", "got " + jwt + ".", "got {token}."},
		{"AWS key id", "AKIAIOSFODNN7EXAMPLE was denied", "{key} was denied"},
		{"GitHub token", "ghp_0123456789abcdefABCDEF0123456789abcd", "{key}"},
		{"Slack webhook", "POST https://hooks.slack.com/services/T000/B000/XXXX failed", "POST https://hooks.slack.com/{webhook} failed"},
		{"Slack webhook, no scheme", "hooks.slack.com/services/T000/B000/XXXX", "hooks.slack.com/{webhook}"},
		{"user name and password", "https://jane:p@ss@db.example/x", "https://db.example/x"},
		{"other schemes", "postgres://app:secret@db:5432/shop", "postgres://db:5432/shop"},
		{"address inside an address", "https://p.example/https://u:p@h.example/", "https://p.example/https://h.example/"},
		{"query values", "https://x.example/a?api_key=1&b=2&X-Amz-Signature=ff#access_token=3", "https://x.example/a?api_key=redacted&b=2&X-Amz-Signature=redacted#access_token=redacted"},
		{"escaped query name", "https://x.example/a?%74oken=1", "https://x.example/a?%74oken=redacted"},
		{"card", "card 4111111111111111 declined", "card {card} declined"},
		{"card in groups", "4111 1111 1111 1111, 3782-822463-10005", "{card}, {card}"},
		{"cards of other networks", "5555555555554444 2223003122003222 30569309025904 38520000023237 6011111111111117 3530111333300000", "{card} {card} {card} {card} {card} {card}"},
		{"card before a number", "4111 1111 1111 1111 123", "{card} 123"},
		{"IBAN", "to DE89370400440532013000.", "to {iban}."},
		{"phone", "call +49 30 901820 or +1 (212) 555-0199 now", "call {phone} or {phone} now"},
		{"phone without marks", "caller=+442079460958, refused", "caller={phone}, refused"},
		{"phone of North America", "(212) 555-0199, 212-555-0199 and 1-212-555-0199.", "{phone}, {phone} and {phone}."},
		{"e-mail of other alphabets", "jösé@bücher.example and 用户@例子.广告", "{email} and {email}"},
		{"e-mail written otherwise", `"john doe"@example.com jane\u0040example.com jane&#64;example.com jane＠example.com o'brien@[192.0.2.1]`, "{email} {email} {email} {email} {email}"},
		{"bearer written otherwise", "Bearer: abcdef0123456789, bearer%20abcdef0123456789", "Bearer: {token}, bearer%20{token}"},
		{"other schemes of authorization", "Authorization: ApiKey abcdef0123456789", "Authorization: ApiKey {token}"},
		{"cookies", "Cookie: session=abcdef0123456789; theme=dark", "Cookie: {secret}"},
		{"a password in a sentence's form", "passphrase: hunter2", "passphrase: {secret}"},
		{"JWT behind a name", "jwt_" + jwt, "jwt{token}"},
		{"encrypted token", "eyJhbGciOiJkaXIifQ..48V1_ALb6US04U3b.5eym8TW_c8SuK0.XFBoMYUZodetZdvTiFvSkQ.", "{token}."},
		{"private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY----- and -----BEGIN PRIVATE KEY-----\\nMII", "{key} and {key}"},
		{"keys of more issuers", "glsa_abcdefghijkl_0123 hcw_abcdefghijklmnop ifr_abcdefghijkl0123 sk_test_4eC39HqLyjWDarjtT1 whsec_abcdefghijklm", "{key} {key} {key} {key} {key}"},
		{"addresses that let in", "https://hc-ping.com/0000-1111 https://discord.com/api/webhooks/1/abc https://api.telegram.org/bot1:abc/x", "https://hc-ping.com/{webhook} https://discord.com/api/webhooks/{webhook} https://api.telegram.org/bot{webhook}"},
		{"heartbeats of Better Stack", "POST https://uptime.betterstack.com/api/v1/heartbeat/abcdef", "POST https://uptime.betterstack.com/api/v1/heartbeat/{webhook}"},
		{"session in a path", "https://x.example/a;jsessionid=AB12?x=1", "https://x.example/a;jsessionid=redacted?x=1"},
		{"card with other marks", "4111.1111.1111.1111 4111\u00a01111\u00a01111\u00a01111 4111–1111–1111–1111 411111 1111111111 card_4111111111111111", "{card} {card} {card} {card} card_{card}"},
		{"IBAN written otherwise", "de89370400440532013000 DE89-3704-0044-0532-0130-00 DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000", "{iban} {iban} {iban}"},
		{"phone written otherwise", "0049 30 901820, +49\u00a030\u00a0901820, +49/30/901820, +1-212-555-0199x12", "{phone}, {phone}, {phone}, {phone}"},
		{"webhooks spelt otherwise", `HTTPS://HOOKS.SLACK.COM/services/T0/B0/x https://hooks.slack.com:443/services/T0/B0/x https:\/\/hooks.slack.com\/services\/T0\/B0\/x`, `HTTPS://HOOKS.SLACK.COM/{webhook} https://hooks.slack.com:443/{webhook} https:\/\/hooks.slack.com\/{webhook}`},
		{"more addresses that let in", "https://discord.com/api/v10/webhooks/1/abc https://outlook.office.com/webhook/a@b/IncomingWebhook/c https://events.pagerduty.com/integration/0123456789abcdef/enqueue", "https://discord.com/api/v10/webhooks/{webhook} https://outlook.office.com/webhook/{webhook} https://events.pagerduty.com/integration/{webhook}"},
		{"passwords that break their address", "postgres://app:p/w@db:5432/x redis://:a#b@h/0 https://jane:x?y=1@h.example/", "postgres://db:5432/x redis://h/0 https://h.example/"},
		{"keys of settings", "SECRET_KEY=abc AccountKey=Zm9v==; encryption_key: abcd1234", "SECRET_KEY={secret} AccountKey={secret}; encryption_key: {secret}"},
		{"e-mail with an escaped plus", "?q=jane%2Btag%40example.com", "?q={email}"},
		{"IBANs of more countries", "KZ86 125K ZT50 0410 0100, GE29NB0000000101904917, EG380019000500000000263180002, QA58DOHB00001234567890ABCDEFG", "{iban}, {iban}, {iban}, {iban}"},
		{"settings in a list", "password=swordfish,user=app,token=abc;host=db", "password={secret},user=app,token={secret};host=db"},
		{"settings in a path", "jdbc:sqlserver://h:1433;user=sa;password=abc;encrypt=true", "jdbc:sqlserver://h:1433;user=sa;password=redacted;encrypt=true"},
		{"a login before a host", "dial app:hunTer2@db:5432, app:p@ss@tcp(db:3306)/x", "dial {secret}@db:5432, {secret}@tcp(db:3306)/x"},
		{"a flag", "mysqldump --password swordfish --host db", "mysqldump --password {secret} --host db"},
		{"a key of PagerDuty", `{"routing_key":"R0123456789ABCDEF0123456789ABCDE","event_action":"trigger"}`, `{"routing_key":"{secret}","event_action":"trigger"}`},
		{"IBAN in groups", "GB82 WEST 1234 5698 7654 32 EUR", "{iban} EUR"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Text(tt.in)
			if got != tt.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if again := Text(got); again != got {
				t.Errorf("redacting twice: %q became %q", got, again)
			}
		})
	}
}

func TestTextKeeps(t *testing.T) {
	for _, s := range []string{
		"", "Error: Tool is already registered", "Endpoint Regression (POST /oauth/token)",
		"invalid password: too short", "Basic authentication failed", "bearer token missing", "unexpected token: EOF",
		"https://example-org.sentry.io/issues/6507376925/", "https://app.datadoghq.com/monitors/72887070?group=host%3Aweb-01",
		"https://prometheus.example.com/graph?g0.expr=up+%3D%3D+0&g0.tab=1", "issue 6507376925 seen 25 times",
		"2026-03-11T12:49:18.427Z", "1654052094000", "1654052094000123456", "0.4539148803436467", "load 4539148803436467.5",
		"https://x.example/issues/4539148803436467/", "4111111111111112", "41111111111111111111111", "ab4111111111111111", "4111111111111111ab", "DE89370400440532013000AB",
		"DE89370400440532013001", "SE45 something", "DENY12345678 AB12CDEF34567890", "k1/error/org=x/issue=6507376925",
		"/opt/app@2/main.go", "user @here", "ratio 3:4", "a=b", "ünïcödé 💥", "\x00\xff",
		"2026-03-11T12:49:18+01:00", "2026-03-11 12:49:18 +0100", "1.5e+00000012", "a+12345678", "+17 items", "+1234567", "123-456-7890", "up+12345678901",
		"order 555-0199", "+1234567890123456", "build 212.555.0199", "1212-555-0199",
		"lodash@4.17.21", "img@sha256:ab12", "version 4111.1111.1111.1112", "cookie: consent missing", "Keyboard.eyJ", "de12 months", "00123 items of 4000 at 12:00", "sk-bratislava-region",
		"http://h.example:8080/pkg@1.2.3", "https://h.example/a:b/c@d", "https://[2001:db8::1]/x@y", "http://h:80?to=a@b", "https://h.example/a#b@c", "a://h:1/x b@c", "bypass=1 keys=3 secret keys: two", "hooks.slack.example/services/T", "https://discord.com/channels/1/2",
		"HeyJude.example", "1234 5678 9012 3456", "810ccf7f-c957-474a-b383-7e76d66a4d3b", "54c2f185e49cfccb",
	} {
		if got := Text(s); got != s {
			t.Errorf("Text(%q) = %q, want it unchanged", s, got)
		}
	}
}

// fragments are drawn and joined, so that shapes touch, nest and cut each other.
var fragments = []string{
	"jane@example.com", "@", "%40", "://", "https://", "a:b@", "/", "?", "&", "#", "token=", "key=", "sig", "=", ":", " ", "\"", "'", "\\", "|", "<",
	"Bearer ", "basic ", "authorization: ", "password=", "x-api-key: ", "secret", "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz",
	"eyJhbGciOiJIUzI1NiJ9", ".", "AKIAIOSFODNN7EXAMPLE", "ghp_", "hooks.slack.com/services/", "T000/B000/XXXX", "4111111111111111",
	"4111", "\u00a01111", ".1111", "0049 30 ", " 901820", "x12", "＠", "\\u0040", "&#64;", "ü", "_", "cookie: a=b", "-----BEGIN PRIVATE KEY-----", "hc-ping.com/", ";jsessionid=", "apikey ", "discord.com/api/v9/webhooks/", "HOOKS.SLACK.COM\\/services\\/", "postgres://a:b/", "p/w@db", "secret_key=", "%2B", "a:80/x@y", " 1111", "-1111", "378282246310005", "DE89370400440532013000", "DE89", " 3704", "+49 30 ", "(212) 555-0199", "{email}", "{secret}", "{token}", "{", "}", "redacted", "é", "\xff",
	"routing_key=", "db_pass=", "--password ", "pass=", " --token", "cvv=", "737", "=> ", ":=", "%3D", "%26", "%22", `\"`, `\\`, `\u0026`, `https:\/\/`, "<password>", "</", "Digest a=\"b\", c=d",
	`"name":"DB_PASSWORD","value":"`, "PWD={", "Authorization: ", `["Authorization", "`, "IDENTIFIED BY '", "curl -u ", "jdbc:oracle:thin:", "@tcp(", "@db:5432", ";password=", "/ping/", "0e1f2a3b-4c5d-", "SG.", "re_", "xoxb-", "sk_live_", ".atlasv1.", "123456789:AA", "Q~", "$2b$12$", "api key: ", "-----END PRIVATE KEY-----", "null", ",",
}

func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(fragments), rapid.String()), 0, 12).Draw(t, "fragments"), "")
	})
}

func TestTextTwiceIsOnce(t *testing.T) {
	wide, err := New(`[a-f]+\d`, `order-\w+`)
	if err != nil {
		t.Fatal(err)
	}
	wide = wide.WithSecrets("hunter2", "1111")
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		for _, r := range []*Redactor{{}, wide} {
			once := r.Text(s)
			if twice := r.Text(once); twice != once {
				t.Fatalf("%q became %q and then %q", s, once, twice)
			}
		}
	})
}

// The quick looks that spare most texts the rules must never spare one that a
// rule would change.
func TestQuickLooksHideNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		found := look(s)
		for i, rule := range rules {
			if out := rule.replace(s); out != s && !rule.may(s, found) {
				t.Fatalf("rule %d would make %q of %q, but is not tried", i, out, s)
			}
		}
	})
}

func TestTextFindsSecretsInAnyProse(t *testing.T) {
	secrets := []string{
		"Jane@example.com", "4111111111111111", "DE89370400440532013000", "AKIAIOSFODNN7EXAMPLE",
		"https://hooks.slack.com/services/T000/B000/XXXX", "https://u:pw1@h.example/", "password=hunter2",
	}
	leaks := []string{"Jane", "41111111", "DE8937", "AKIAIO", "B000", "pw1", "hunter2"}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}[.,]?|\d{1,5}`), 0, 5)
		i := rapid.IntRange(0, len(secrets)-1).Draw(t, "secret")
		s := strings.Join(words.Draw(t, "before"), " ") + " " + secrets[i] + " " + strings.Join(words.Draw(t, "after"), " ")
		if got := Text(s); strings.Contains(got, leaks[i]) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

func TestNewRefusesPatternsThatCannotWork(t *testing.T) {
	for _, p := range []string{"(", "x*"} {
		if _, err := New("ok", p); err == nil || !strings.Contains(err.Error(), "pattern 2") {
			t.Errorf("New(%q) = %v, want an error that names pattern 2", p, err)
		}
	}
}

func TestOwnPatternsAndKnownSecrets(t *testing.T) {
	r, err := New(`CUST-\d+`)
	if err != nil {
		t.Fatal(err)
	}
	got := r.WithSecrets("opensesame", "abc", "a/b+c d").Text("CUST-17 said opensesame to jane@example.com, abc, a/b+c d as a%2Fb%2Bc+d and a%2Fb+c%20d")
	if want := "{redacted} said {secret} to {email}, abc, {secret} as {secret} and {secret}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
