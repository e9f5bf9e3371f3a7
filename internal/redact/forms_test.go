package redact

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// planted is a secret in the form that an issuer gives it or a program writes it: what
// stands before and after it, and itself. All are invented, and put together here so that
// no scanner takes this file for a leak.
type planted struct{ name, before, secret, after string }

const (
	anyHex = "3f9a1c07be5d2846"
	alpha  = "q7Rt2Wz9Kd4Lm8Xc1Vb6Ns3Hf5Gj0Pa"
)

func hexOf(n int) string { return strings.Repeat(anyHex, 16)[:n] }

func alphaOf(n int) string { return strings.Repeat(alpha, 10)[:n] }

// tokens are secrets that tell by themselves what they are.
func tokenForms() []planted {
	uuid := "0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b"
	forms := []planted{
		{"AWS key id", "", "AKIA" + "QWERTYUIOP234567", ""},
		{"AWS key id of a session", "", "ASIA" + "QWERTYUIOP234567", ""},
		{"AWS session token", "", "IQoJb3JpZ2lu" + "X2VjE" + alphaOf(60), ""},
		{"GitHub fine-grained", "", "github_pat_" + alphaOf(22) + "_" + alphaOf(59), ""},
		{"GitLab", "", "glpat-" + alphaOf(20), ""},
		{"GitLab routable", "", "glpat-" + alphaOf(27) + ".01.0w1abcdef", ""},
		{"GitLab runner", "", "glrt-" + "t1_" + alphaOf(27), ""},
		{"GitLab deploy", "", "gldt-" + alphaOf(20), ""},
		{"npm", "", "npm_" + alphaOf(36), ""},
		{"PyPI", "", "pypi-AgE" + "IcHlwaS5vcmc" + alphaOf(60), ""},
		{"Docker", "", "dckr_pat_" + alphaOf(27), ""},
		{"Slack bot", "", "xoxb-" + "123456789012-123456789012-" + alphaOf(24), ""},
		{"Slack user", "", "xoxp-" + "123456789012-123456789012-123456789012-" + hexOf(32), ""},
		{"Slack app", "", "xapp-" + "1-A0123456789-123456789012-" + hexOf(64), ""},
		{"Slack rotating", "", "xoxe.xoxb-" + "1-" + alphaOf(60), ""},
		{"Stripe", "", "sk_live_" + alphaOf(24), ""},
		{"Stripe restricted", "", "rk_live_" + alphaOf(24), ""},
		{"webhook secret", "", "whsec_" + alphaOf(32), ""},
		{"Google API", "", "AIza" + alphaOf(35), ""},
		{"Google OAuth", "", "ya29." + "a0Af" + alphaOf(60), ""},
		{"Google client", "", "GOCSPX-" + alphaOf(28), ""},
		{"SendGrid", "", "SG." + alphaOf(22) + "." + alphaOf(43), ""},
		{"Twilio", "", "SK" + hexOf(32), ""},
		{"Mailgun", "", "key-" + hexOf(32), ""},
		{"Brevo", "", "xkeysib-" + hexOf(64) + "-" + alphaOf(16), ""},
		{"Resend", "", "re_" + alphaOf(8) + "_" + alphaOf(24), ""},
		{"Grafana service account", "", "glsa_" + alphaOf(32) + "_" + hexOf(8), ""},
		{"Grafana cloud", "", "glc_" + alphaOf(60), ""},
		{"Sentry organization", "", "sntrys_" + "eyJpYXQiOjE3" + alphaOf(60) + "_" + alphaOf(43), ""},
		{"Sentry user", "", "sntryu_" + hexOf(64), ""},
		{"Sentry integration", "", "sntryi_" + hexOf(64), ""},
		{"Healthchecks", "", "hcw_" + alphaOf(28), ""},
		{"New Relic", "", "NRAK-" + strings.ToUpper(alphaOf(27)), ""},
		{"New Relic license", "", hexOf(32) + "FFFF" + "NRAL", ""},
		{"Honeycomb", "", "hcaik_" + alphaOf(58), ""},
		{"Dynatrace", "", "dt0c01." + strings.ToUpper(alphaOf(24)) + "." + strings.ToUpper(alphaOf(64)), ""},
		{"Vault", "", "hvs." + alphaOf(90), ""},
		{"Doppler", "", "dp.pt." + alphaOf(43), ""},
		{"Doppler service", "", "dp.st.prd." + alphaOf(40), ""},
		{"Terraform Cloud", "", alphaOf(14) + ".atlasv1." + alphaOf(67), ""},
		{"Databricks", "", "dapi" + hexOf(32), ""},
		{"DigitalOcean", "", "dop_v1_" + hexOf(64), ""},
		{"Hugging Face", "", "hf_" + strings.Repeat("aBcDeFgHiJkLmNoPqR", 2)[:34], ""},
		{"OpenAI", "", "sk-proj-" + alphaOf(74) + "T3Blbk" + "FJ" + alphaOf(74), ""},
		{"OpenAI of old", "", "sk-" + alphaOf(20) + "T3Blbk" + "FJ" + alphaOf(20), ""},
		{"Anthropic", "", "sk-ant-" + "api03-" + alphaOf(93) + "AA", ""},
		{"Shopify", "", "shpat_" + hexOf(32), ""},
		{"Square", "", "sq0atp-" + alphaOf(22), ""},
		{"Telegram bot", "", "123456789" + ":AA" + alphaOf(33), ""},
		{"Discord bot", "", "MTk4NjIyNDgzNDcxOTI1MjQ4" + "." + "Cl2FMQ" + "." + alphaOf(27), ""},
		{"Azure application", "", "abc8Q~" + alphaOf(34), ""},
		{"Linear", "", "lin_api_" + alphaOf(40), ""},
		{"Notion", "", "ntn_" + "12345678901" + alphaOf(35), ""},
		{"Postman", "", "PMAK-" + hexOf(24) + "-" + hexOf(34), ""},
		{"PagerDuty", "", "pdus+" + "_0XBPWQQ_" + alphaOf(36), ""},
		{"Plaid", "", "access-production-" + uuid, ""},
		{"Atlassian", "", "ATATT3x" + alphaOf(60), ""},
		{"age", "", "AGE-SECRET-KEY-1" + strings.ToUpper(alphaOf(58)), ""},
		{"1Password", "", "A3-" + "ABCDEF-GHJKLM-NPQRS-TVWXY-Z2345-6789A", ""},
		{"JWT", "", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0." + alphaOf(43), ""},
		{"bcrypt", "", "$2b$12$" + alphaOf(53), ""},
		{"Argon2", "", "$argon2id$v=19$m=65536,t=3,p=4$" + alphaOf(22) + "$" + alphaOf(43), ""},
		{"private key", "", "-----BEGIN " + "RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\nMIIEow" + alpha + "\n-----END RSA " + "PRIVATE KEY-----", ""},
		{"private key in JSON", "", `-----BEGIN ` + `PRIVATE KEY-----\nMIIEvQ` + alpha + `\n-----END ` + `PRIVATE KEY-----\n`, ""},
		{"private key of OpenPGP", "", "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\nVersion: x-1\n\nlQOYBF" + alpha + "\n-----END PGP " + "PRIVATE KEY BLOCK-----", ""},
		{"Healthchecks ping", "https://hc-ping.com/", uuid, ""},
		{"Healthchecks ping, own server", "https://checks.example/ping/", uuid, "/fail"},
		{"Better Stack heartbeat", "https://uptime.betterstack.com/api/v1/heartbeat/", alphaOf(24), ""},
		{"Slack webhook", "https://hooks.slack.com/services/", "T01ABCDEF/B01ABCDEF/" + alphaOf(24), ""},
		{"Slack webhook in an address", "https://x.example/a?to=https%3A%2F%2Fhooks.slack.com%2Fservices%2F", "T01ABCDEF%2FB01ABCDEF%2F" + alphaOf(24), ""},
		{"Slack workflow", "https://hooks.slack.com/triggers/", "E01ABCDEF/1234567890123/" + hexOf(32), ""},
		{"Discord webhook", "https://discord.com/api/webhooks/", "123456789012345678/" + alphaOf(68), ""},
		{"Teams webhook", "https://acme.webhook.office.com/webhookb2/", uuid + "@" + uuid + "/IncomingWebhook/" + hexOf(32) + "/" + uuid, ""},
		{"Mattermost webhook", "https://chat.example/hooks/", "xk7rt2wz9kd4lm8xc1vb6ns3hf", ""},
		{"Grafana OnCall", "https://oncall.example/integrations/v1/webhook/", alphaOf(25), "/"},
		{"VictorOps", "https://alert.victorops.com/integrations/generic/20131114/alert/", uuid, "/team"},
		{"Telegram call", "https://api.telegram.org/bot", "123456789:AA" + alphaOf(33), "/sendMessage"},
		{"ping in JSON with escaped slashes", `"https:\/\/hc-ping.com\/`, uuid, `"`},
		{"basic auth", "https://", "deploy:hun-Ter2!", "@registry.example/v2/"},
		{"basic auth, escaped slashes", `"https:\/\/`, "deploy:hun-Ter2", `@registry.example\/v2"`},
		{"Postgres", "postgres://", "shop:hunTer2%21", "@db.example:5432/shop?sslmode=require"},
		{"Redis", "redis://:", "hunTer2xyz", "@cache.example:6379/0"},
		{"MongoDB", "mongodb+srv://", "app:hunTer2", "@cluster0.example/shop"},
		{"AMQP", "amqps://", "app:hunTer2", "@mq.example/%2f"},
		{"Sentry DSN", "https://", hexOf(32), "@o123456.ingest.sentry.io/4501234567"},
		{"MySQL of Go", "dial ", "shop:hun/Ter2@x", "@tcp(db.example:3306)/shop"},
		{"login without a scheme", "connect ", "shop:hunTer2", "@db.example:5432 failed"},
		{"Oracle", "jdbc:oracle:thin:", "scott/tiGer9", "@//db.example:1521/ORCL"},
		{"SQL Server", "jdbc:sqlserver://db.example:1433;databaseName=shop;user=sa;password=", "hunTer2", ";encrypt=true"},
		{"JDBC query", "jdbc:mysql://db.example/shop?user=app&password=", "hunTer2", "&useSSL=false"},
		{"presigned", "https://s3.example/a?X-Amz-Date=20260101T000000Z&X-Amz-Signature=", hexOf(64), ""},
		{"SAS", "https://x.blob.core.windows.net/a?sv=2022-11-02&sig=", alphaOf(40) + "%3D", "&se=2026-01-01"},
		{"query in JSON", `"https://x.example/a?page=1\u0026key=`, alphaOf(30), `"`},
		{"query in HTML", `<a href="https://x.example/a?page=1&amp;api_key=`, alphaOf(30), `">`},
		{"form in a query", "https://x.example/a?body=user%3Djane%26password%3D", "hunTer2", "%26x%3D1"},
		{"card", "", "4111111111111111", ""},
		{"card in groups", "", "5500 0000 0000 0004", ""},
		{"IBAN", "", "DE89370400440532013000", ""},
		{"e-mail", "", "jane.doe@example.com", ""},
		{"phone", "", "+49 30 901820", ""},
	}
	for _, p := range []string{"p", "o", "u", "s", "r"} {
		forms = append(forms, planted{"GitHub " + p, "", "gh" + p + "_" + alphaOf(36), ""})
	}
	return forms
}

// settings of programs: the name tells that the value is secret.
func settingForms() []planted {
	const v = "hun-Ter2.zebra"
	forms := []planted{
		{"routing key", "routing_key=", alphaOf(32), ""},
		{"routing key in JSON", `{"routing_key":"`, hexOf(32), `","event_action":"trigger"}`},
		{"routing key in a sentence", "invalid routing key: ", "R0" + strings.ToUpper(alphaOf(30)), ""},
		{"integration key", "integrationKey: ", hexOf(32), ""},
		{"password of a database", "db_pass=", v, " host=db"},
		{"password of a database, a word", "DB_PASS=", "swordfish", ""},
		{"pass alone", "user=app pass=", "swordfish", " host=db"},
		{"pass in JSON", `{"user":"app","pass":"`, "sword fish", `"}`},
		{"pass in camel", "smtpPass: ", "hunter2x", ""},
		{"flag", "mysqldump --password ", "swordfish", " shop"},
		{"flag with a value in quotes", `deploy --api-key "`, "sword fish", `" --force`},
		{"flag in a list", `["--password", "`, "swordfish", `"]`},
		{"flag of one dash", "java -Dx=1 -storepass ", v, " -jar"},
		{"curl", "curl -sS -u ", "deploy:swordfish", " https://x.example/"},
		{"curl, long", "curl --user ", "deploy:swordfish", " https://x.example/"},
		{"SQL", "ALTER USER app WITH PASSWORD '", "sword fish", "'"},
		{"SQL of MySQL", "CREATE USER app IDENTIFIED BY '", "swordfish", "'"},
		{"YAML", "db_password: ", "swordfish", "\nhost: db"},
		{"YAML in quotes", "password: '", "swordfish", "'"},
		{"ini", "password = ", "swordfish", "\nport = 5432"},
		{"quoted with blanks", `{"password":"`, "correct horse battery", `"}`},
		{"quoted with a quote", `{"password":"`, `pa\"ss-word`, `"}`},
		{"escaped JSON with blanks", `{\"client_secret\":\"`, "correct horse", `\"}`},
		{"twice escaped JSON", `{\\\"token\\\":\\\"`, "swordfish", `\\\"}`},
		{"with a comma", "password=", "sword,Fish", " user=app"},
		{"with braces", "password=", "sw{or}dFish", " user=app"},
		{"with a backslash", "password=", `sword\Fish`, " user=app"},
		{"ODBC", "Driver={PG};UID=app;PWD={", "sword;fish", "};Server=db"},
		{"ODBC, plain", "Server=db;UID=app;Pwd=", "swordfish", ";Encrypt=yes"},
		{"Ruby", `:password=>"`, "swordfish", `"`},
		{"PHP", `'password' => '`, "swordfish", `'`},
		{"Go", `Password:"`, "swordfish", `"`},
		{"Go's :=", `password := "`, "swordfish", `"`},
		{"twice equal", "password==", "swordfish", ""},
		{"comparison", "password == ", "swordFish7", ""},
		{"Python's bytes", "password=b'", "swordfish", "'"},
		{"XML", "<password>", "swordfish", "</password>"},
		{"XML with a name space", "<wsse:Password>", "swordfish", "</wsse:Password>"},
		{"attribute", `<add key="SmtpPassword" value="`, "swordfish", `"/>`},
		{"environment in JSON", `{"name":"DB_PASSWORD","value":"`, "swordfish", `"}`},
		{"escaped equals sign", `{"body":"user\u003djane\u0026password\u003d`, "swordfish", `\u0026x\u003d1"}`},
		{"equals sign escaped twice", `{\"body\":\"password\\u003D`, "swordfish", `\\u0026x\"}`},
		{"escaped form", "user%3Djane%26password%3D", "swordfish", "%26x%3D1"},
		{"index", `params["password"] = "`, "swordfish", `"`},
		{"numbered", "PASSWORD2=", "swordfish", ""},
		{"confirmation", `"password_confirmation"=>"`, "swordfish", `"`},
		{"secret string", `"SecretString":"`, "swordfish", `"`},
		{"AWS secret", "aws_secret_access_key = ", alphaOf(20) + "/" + alphaOf(19), ""},
		{"AWS secret in JSON", `"SecretAccessKey": "`, alphaOf(20) + "/" + alphaOf(19), `"`},
		{"Datadog", "DD_API_KEY=", hexOf(32), ""},
		{"Datadog header", "DD-APPLICATION-KEY: ", hexOf(40), ""},
		{"Datadog application", "DD_APP_KEY=", hexOf(40), ""},
		{"Azure storage", "AccountName=x;AccountKey=", alphaOf(60) + "==", ";EndpointSuffix=core"},
		{"Azure bus", "SharedAccessKeyName=root;SharedAccessKey=", alphaOf(43) + "=", ""},
		{"Heroku", "HEROKU_API_KEY=", "0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b", ""},
		{"npmrc", "//registry.example/:_authToken=", "0e1f2a3b-4c5d", ""},
		{"docker's auth", `"auth": "`, alphaOf(30), `"`},
		{"session in PHP", "PHPSESSID=", "q7rt2wz9kd4lm8xc1vb6ns3hf5", ""},
		{"card's check digits", "cvv=", "737", " amount=12"},
		{"check digits in JSON", `"cvc": "`, "737", `"`},
		{"one-time code", "otp=", "482913", ""},
		{"social security", "ssn: ", "078-05-1120", ""},
		{"authorization", "Authorization: Bearer ", "swordfish", ""},
		{"authorization in a list", `["Authorization", "Bearer `, alphaOf(20), `"]`},
		{"authorization of Go", `"Authorization":["Bearer `, alphaOf(20), `"]`},
		{"basic authorization", "authorization: Basic ", "ZGVwbG95OnN3b3JkZmlzaA==", ""},
		{"authorization of Splunk", "Authorization: Splunk ", "0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b", ""},
		{"authorization of Okta", "Authorization: SSWS ", "00" + alphaOf(40), ""},
		{"authorization of PagerDuty", "Authorization: Token token=", "y_NbAkKc66ryYTWUXYEu", ""},
		{"authorization of Opsgenie", "Authorization: GenieKey ", "0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b", ""},
		{"digest", "Authorization: Digest ", `username="jane", realm="x", response="` + hexOf(32) + `"`, ""},
		{"AWS signature", "Authorization: AWS4-HMAC-SHA256 ", "Credential=x/20260101/eu-central-1/s3/aws4_request, SignedHeaders=host, Signature=" + hexOf(64), ""},
		{"header in a list", `[["X-Api-Key","`, alphaOf(20), `"]]`},
		{"key of Healthchecks", "X-Api-Key: ", alphaOf(32), ""},
		{"cookie", "Cookie: ", "sid=s%3A" + alphaOf(20), ""},
		{"cookie in quotes", `Cookie: `, `sid="` + alphaOf(20) + `"; theme=dark`, ""},
		{"cookie of Go", `"Cookie":["`, "sid=" + alphaOf(20), `"]`},
		{"set cookie", "Set-Cookie: ", "session=" + alphaOf(20) + "; Path=/; HttpOnly", ""},
	}
	return forms
}

// case C7: each form, alone and in the company of other text, leaves nothing of it.
func TestNoFormSurvives(t *testing.T) {
	for _, p := range append(tokenForms(), settingForms()...) {
		t.Run(p.name, func(t *testing.T) {
			for _, around := range [][2]string{{"", ""}, {"2026-03-11T12:49:18Z ERROR checkout: ", ""}, {"(", ")"}, {"", "\nnext line"}, {"x=1 ", ", retrying"}, {"a\t", "\tb"}} {
				in := around[0] + p.before + p.secret + p.after + around[1]
				got := Text(in)
				if part := leaked(got, p.secret); part != "" {
					t.Errorf("%q became %q, which holds %q", in, got, part)
				}
				if again := Text(got); again != got {
					t.Errorf("%q became %q and then %q", in, got, again)
				}
				if id := ID(in); !strings.Contains(p.name, "card") && p.name != "IBAN" && p.name != "phone" {
					if part := leaked(id, p.secret); part != "" {
						t.Errorf("the id %q became %q, which holds %q", in, id, part)
					}
					if twice := ID(id); twice != id {
						t.Errorf("the id %q became %q and then %q", in, id, twice)
					}
					if text := Text(id); text != id {
						t.Errorf("the id %q became %q, and as a text %q", in, id, text)
					}
				}
			}
		})
	}
}

// leaked is a part of the secret that a text still holds: the words of it that are
// long enough to tell, or all of it if none is.
func leaked(text, secret string) string {
	parts := strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(" \n\\\"=,;/", r) })
	for _, p := range append(parts, secret) {
		if (len(p) >= 6 || p == secret) && !harmless[p] && strings.Contains(text, p) {
			return p
		}
	}
	return ""
}

// harmless are words that stand in secrets' surroundings and tell nothing.
var harmless = map[string]bool{"PRIVATE": true, "username": true, "response": true, "Signature": true, "IncomingWebhook": true, "aws4_request": true, "HttpOnly": true}

// Whatever surrounds a form, nothing of it is left, also where a letter or an escape
// stands right before a token that cannot be anything else.
func TestNoFormSurvivesAnywhere(t *testing.T) {
	forms := append(tokenForms(), settingForms()...)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(forms).Draw(t, "form")
		around := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "7", "checkout", "failed:", "=", ":", "{", "}", "(", "x=1", `"k":"v"`, "Error", "\n", "é", "token expired", "https://h.example/a?b=c", "{email}", "jane@example.com",
		}), 0, 6)
		in := strings.Join(around.Draw(t, "before"), " ") + " " + p.before + p.secret + p.after + " " + strings.Join(around.Draw(t, "after"), " ")
		got := Text(in)
		if part := leaked(got, p.secret); part != "" {
			t.Fatalf("%s: %q became %q, which holds %q", p.name, in, got, part)
		}
		if again := Text(got); again != got {
			t.Fatalf("%q became %q and then %q", in, got, again)
		}
	})
}

func TestTokensBehindLettersAndEscapes(t *testing.T) {
	for _, before := range []string{"_", "%3D", `\n`, `\u0026`, "é", "=", "'", "(", "-"} {
		for _, p := range tokenForms()[:62] {
			if strings.HasPrefix(p.name, "private") || p.before != "" {
				continue
			}
			if got := Text(before + p.secret); leaked(got, p.secret) != "" {
				t.Errorf("%s: %q became %q", p.name, before+p.secret, got)
			}
		}
	}
	for _, token := range []string{"ghp_" + alphaOf(36), "xoxb-" + "123456789012-" + alphaOf(24), "glpat-" + alphaOf(20), "whsec_" + alphaOf(32), "sntryu_" + hexOf(64)} {
		if got := Text("id" + token + "é"); got != "id{key}é" {
			t.Errorf("behind a letter, %q became %q", token, got)
		}
	}
}

// What vendors write every day and is no secret.
func TestVendorsWordsStay(t *testing.T) {
	for _, s := range []string{
		"token expired", "password reset failed", "pass=3 fail=2", "pass=true", "pass=ok skipped=1", "first_pass=250ms", "2-pass=1.5", "bypass=all compass=north",
		"tests: pass: 12, fail: 3", `{"pass":3,"fail":0}`, "PASS: TestTokens", "--- PASS: TestA (0.00s)", "render_pass=12", "pass=3/4",
		"routing_key=orders.created", "routing_key=payments", `routing_key="team-a"`, "integration_key=", "service_key: checkout",
		"password=", "password= user=jane host=db", "password=\nuser=jane", `password=""`, `{"password":""}`, `{"token":null}`, "token: ", "api_key=&page=2", "secret: ''",
		"flag --password is required", "--token must be set", "use --api-key or the environment", "--password --user x", "unknown flag: --token", "--pass-through all", "--password-file /run/x",
		"Unexpected token '<' in JSON at position 0", `Unexpected token "}"`, "SyntaxError: Unexpected token 'export'", "unexpected token: EOF", "Invalid token: expected ')'",
		"invalid password: too short", "wrong password for user shop", "Access token has expired", "JWT expired", "jwt malformed", "auth: failed", "auth=oauth2", "basic_auth=true", "auth_type=basic",
		"Basic authentication failed", "bearer token missing", "Authorization header missing", "authorization: denied", "Authorization failed for user", "Proxy-Authorization required",
		"secret not found", "Secret checkout/db-credentials not found", "secrets \"db\" is forbidden", "key not found: checkout", "key=checkout", `key="checkout"`, "cache_key=checkout:17", "primary key violation",
		"idempotency_key=0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b", "dedup_key=k1/monitor/site=datadoghq.com/monitor=72887070", "incident_key: srv01/HTTP", "partition key: 0e1f2a3b4c5d4e6f", "public_key=3f9a1c07be5d28463f9a1c07be5d2846",
		"commit 3f9a1c07be5d28463f9a1c07be5d28463f9a1c07", "sha=f6ab4b9", "sha256:3f9a1c07be5d28463f9a1c07be5d28463f9a1c07be5d28463f9a1c07be5d2846",
		"registry.example/shop/checkout:1.2.3@sha256:3f9a1c07be5d28463f9a1c07be5d28463f9a1c07be5d28463f9a1c07be5d2846",
		"trace_id=54c2f185e49cfccb54c2f185e49cfccb span_id=54c2f185e49cfccb", "traceparent: 00-54c2f185e49cfccb54c2f185e49cfccb-54c2f185e49cfccb-01", "request_id=req_8Yh2Kd9", "session_id=0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
		"X-Request-Id: 0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b", "monitor 72887070 group host:web-01", "issue 6507376925", "CHECKOUT-1A2", "i-0abcd1234ef567890", "arn:aws:iam::123456789012:role/checkout",
		"arn:aws:secretsmanager:eu-central-1:123456789012:secret:checkout/db-AbCdEf", "no access to resource: arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/checkout/db-password-2-AbCdEf",
		"encryption-key: arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab", "credentials=arn:aws:iam::123456789012:role/checkout-deployer-1", "arn:aws:sns:eu-central-1:123456789012:topic",
		`up{job="checkout",instance="web-1:9100",env="prod"} == 0`, `{alertname="HighErrorRate", severity="critical", namespace="shop"}`, `kube_pod_status_phase{phase="Pending"}`, `rate(http_requests_total{code=~"5.."}[5m]) > 0.05`,
		"npm_config_registry=x", "npm_lifecycle_event missing", "npm_package_version", "highs_and_lows_of_latency", "sk-bratislava-region", "task-queue-of-checkout-service", "disk-usage-of-database-primary", "risk-or-fraud-check-of-checkout",
		"re_try_payment_with_longer_timeout_2", "key-value-store-of-checkout", "API-GATEWAY-CHECKOUT", "secret_santa_campaign_of_marketing", "hf_model", "xai-worker", "cio-report", "u+0041", "SG.internal.example", "ya29.short",
		"access-production-database", "pat-na1-checkout", "dp.state.of.things", "hvs.example", "v1.0-rc1", "MyLongClassNameOfTheCheckoutService.method.call", "glc_id",
		"Foo::Token::parse", "std::secret::Manager::error", "oauth_token: expired", "GET /oauth/token: timeout", "POST /password/reset 500", "Endpoint Regression (POST /oauth/token)", "/api/v1/tokens?limit=20",
		"https://checks.example/checks/0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b/details/", "https://h.example/ping/", "https://h.example/shipping/17", "GET /hooks/ 404", "webhook delivery failed with 500", "https://app.example/a;v=1;lang=en?x=1", "https://app.example/a;code=eu;key=x",
		"127.0.0.1:30004@31004,host4 slave", "node-1:9092", "rabbit@web-1:5672", "kafka://broker:9092", "at 12:49:18@web-1:80", "lodash@4.17.21", "cookie consent missing", "cookies=3", "cookie policy: strict",
		"max_tokens=4096", "tokens: 512", "token_count=17", "token_type: bearer", "password_length=8", "passwords=3", "password_expired=true", "secret_name=checkout-db", "signature_version=4",
		`missing fields: ["password", "email"]`, `["token","secret"]`, "curl -u missing", "docker run --user 1000:1000", "id -u app", "cvv=missing", "cvc check failed", "otp required", "ssn: required", "code=500", "pin 17",
		"if token == nil", "token := parse(s)", "secret := []byte{0x00, 0x01}", "privateKey := make([]byte, size)",
		"$100 and $2 off", "price $1$", "Private-Lines missing", "-----BEGIN CERTIFICATE-----", "BEGIN PRIVATE KEY",
		`level=error msg="db down" err="password authentication failed for user \"shop\"" host=db-1`, `FATAL: password authentication failed for user "shop"`, `ERROR 1045 (28000): Access denied for user 'app'@'10.0.0.7' (using password: YES)`,
		"x509: certificate has expired or is not yet valid", "NoSuchKey: The specified key does not exist.", "SignatureDoesNotMatch", "InvalidClientTokenId: The security token included in the request is invalid",
		"ExpiredToken: The provided token has expired.", "Keyspace hits: 17", "monkey: 3", "hockey=2", "turkey: yes", "author: jane", "oauth2: cannot fetch token: 401 Unauthorized",
	} {
		if got := Text(s); got != s {
			t.Errorf("Text(%q) = %q, want it unchanged", s, got)
		}
	}
}

// The vendors' own examples lose addresses of people, of heartbeats, and the token of
// a next page, and no more.
func TestVendorsExamplesStay(t *testing.T) {
	files, err := filepath.Glob("../../testdata/vendors/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	known := regexp.MustCompile(`"[a-z.-]+@example\.com"|/heartbeat/EXAMPLE_TOKEN_\d+|"OPAQUE_EXAMPLE_TOKEN"`)
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(body), "\n") {
			if got := Text(line); (got == line) == known.MatchString(line) {
				t.Errorf("%s:%d %q became %q", f, i+1, line, got)
			}
		}
	}
}
