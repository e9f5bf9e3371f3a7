package redact

// issuer is a form of token that its issuer publishes, so that leaks can be found:
// its prefix, and the least length of the rest.
type issuer struct {
	prefix string
	rest   alphabet
	least  int
	// apart requires a word to start before it, since ordinary words end in the
	// prefix too.
	apart bool
}

// alphabet is the set of characters in the rest of a token.
type alphabet uint8

const (
	// wide is letters, digits, "_" and "-"; what follows may hold ".", "/", "+" and "=".
	wide alphabet = iota
	alnums
	hexes
	capitals
	// dotted is wide with points: two parts of a token, each of some length.
	dotted
)

// shortestKey is the least run of letters, digits, "_" and "-" in a token: a prefix
// of four, and ten more.
const shortestKey = 14

// issuers holds the forms that the issuers document, and those in the rule lists of
// gitleaks and of GitHub's secret scanning: prefixes and lengths, which are facts. If
// a prefix is an everyday word (npm_config_…, re_try), the whole length is required;
// otherwise a part suffices, since texts are cut.
var issuers = []issuer{
	// GitHub ("Behind GitHub's new authentication token formats"), GitLab ("Token
	// overview"), Bitbucket and Atlassian, Hugging Face, Docker, npm, PyPI, RubyGems,
	// crates.io, NuGet, Clojars, Artifactory.
	{"ghp_", wide, 10, true},
	{"ghp_", alnums, 30, false},
	{"gho_", wide, 10, true},
	{"gho_", alnums, 30, false},
	{"ghu_", wide, 10, true},
	{"ghu_", alnums, 30, false},
	{"ghs_", wide, 10, true},
	{"ghs_", alnums, 30, false},
	{"ghr_", wide, 10, true},
	{"ghr_", alnums, 30, false},
	{"github_pat_", wide, 10, false},
	{"glpat-", wide, 10, false},
	{"gldt-", wide, 16, false},
	{"glrt-", wide, 16, false},
	{"glrtr-", wide, 16, false},
	{"glptt-", wide, 16, false},
	{"glft-", wide, 16, false},
	{"glcbt-", wide, 16, false},
	{"glimt-", wide, 16, false},
	{"glagent-", wide, 16, false},
	{"gloas-", wide, 16, false},
	{"glsoat-", wide, 16, false},
	{"glffct-", wide, 16, false},
	{"GR1348941", wide, 16, false},
	{"ATATT3x", wide, 16, false},
	{"ATCTT3x", wide, 16, false},
	{"ATBB", alnums, 24, true},
	{"hf_", alnums, 30, true},
	{"api_org_", alnums, 30, true},
	{"dckr_pat_", wide, 10, false},
	{"dckr_oat_", wide, 10, false},
	{"npm_", alnums, 20, true},
	{"pypi-AgE", wide, 10, false},
	{"rubygems_", hexes, 32, true},
	{"cio", alnums, 32, true},
	{"oy2", alnums, 43, true},
	{"CLOJARS_", alnums, 20, false},
	{"AKCp", alnums, 60, true},
	{"cmVmd", alnums, 50, true},
	// AWS ("IAM identifiers"; session tokens and Bedrock's keys begin with what their
	// text is in base64), Google, Azure, Alibaba, DigitalOcean, Fly, Heroku, Netlify,
	// Supabase, PlanetScale, Tailscale, Cloudflare's origin CA.
	{"AKIA", capitals, 16, true},
	{"ASIA", capitals, 16, true},
	{"ABIA", capitals, 16, true},
	{"ACCA", capitals, 16, true},
	{"ABSK", wide, 60, true},
	{"IQoJb3JpZ2lu", wide, 20, false},
	{"FwoGZXIvYXdz", wide, 20, false},
	{"bedrock-api-key-", wide, 16, false},
	{"AIza", wide, 10, true},
	{"ya29.", wide, 14, false},
	{"GOCSPX-", wide, 16, false},
	{"LTAI", alnums, 16, true},
	{"dop_v1_", wide, 16, false},
	{"doo_v1_", wide, 16, false},
	{"dor_v1_", wide, 16, false},
	{"fo1_", wide, 32, true},
	{"fm1a_", wide, 32, true},
	{"fm1r_", wide, 32, true},
	{"fm2_", wide, 32, true},
	{"HRKU-", wide, 30, true},
	{"nfp_", alnums, 30, true},
	{"sbp_", alnums, 30, true},
	{"sb_secret_", wide, 16, false},
	{"pscale_tkn_", wide, 16, false},
	{"pscale_oauth_", wide, 16, false},
	{"pscale_pw_", wide, 16, false},
	{"tskey-", wide, 16, true},
	{"v1.0-", hexes, 24, true},
	// Slack ("Token types").
	{"xoxa-", wide, 10, false},
	{"xoxb-", wide, 10, false},
	{"xoxc-", wide, 10, false},
	{"xoxd-", wide, 10, false},
	{"xoxe-", wide, 10, false},
	{"xoxe.xox", wide, 10, false},
	{"xoxo-", wide, 10, false},
	{"xoxp-", wide, 10, false},
	{"xoxr-", wide, 10, false},
	{"xoxs-", wide, 10, false},
	{"xapp-", wide, 10, false},
	{"xwfp-", wide, 10, false},
	// Monitoring: Grafana, Sentry ("Token and Credential Formats"), Healthchecks,
	// Infrai, New Relic, Honeycomb, Dynatrace, PagerDuty, Postman, Elastic, PostHog.
	{"glsa_", wide, 10, true},
	{"glc_", wide, 10, true},
	{"sntrys_", wide, 10, false},
	{"sntryu_", wide, 10, false},
	{"sntrya_", wide, 10, false},
	{"sntryi_", wide, 10, false},
	{"hcw_", wide, 10, true},
	{"hcr_", wide, 10, true},
	{"ifr_", wide, 10, true},
	{"NRAK-", wide, 16, true},
	{"NRII-", wide, 16, true},
	{"NRJS-", wide, 16, true},
	{"NRAA-", wide, 16, true},
	{"hcaik_", wide, 20, true},
	{"hcbik_", wide, 20, true},
	{"hcxik_", wide, 20, true},
	{"hcalk_", wide, 20, true},
	{"dt0c01.", dotted, 24, false},
	{"dt0s01.", dotted, 24, false},
	{"dt0s16.", dotted, 24, false},
	{"u+", wide, 18, true},
	{"pdus+", wide, 16, true},
	{"pdeu+", wide, 16, true},
	{"PMAK-", wide, 16, true},
	{"essu_", wide, 20, true},
	{"phx_", alnums, 30, true},
	// Money and mail: Stripe, Square, Shopify, EasyPost, Flutterwave, Shippo, Duffel,
	// Plaid, SendGrid, Brevo, Mailgun, Resend, Twilio.
	{"sk_live_", wide, 10, true},
	{"sk_test_", wide, 10, true},
	{"sk_prod_", wide, 10, true},
	{"rk_live_", wide, 10, true},
	{"rk_test_", wide, 10, true},
	{"rk_prod_", wide, 10, true},
	{"whsec_", wide, 10, false},
	{"sq0atp-", wide, 16, false},
	{"sq0csp-", wide, 16, false},
	{"EAAA", wide, 50, true},
	{"shpat_", wide, 10, false},
	{"shpca_", wide, 10, false},
	{"shppa_", wide, 10, false},
	{"shpss_", wide, 10, false},
	{"EZAK", alnums, 50, true},
	{"EZTK", alnums, 50, true},
	{"FLWSECK", wide, 12, false},
	{"shippo_live_", wide, 16, false},
	{"shippo_test_", wide, 16, false},
	{"duffel_live_", wide, 16, false},
	{"duffel_test_", wide, 16, false},
	{"access-production-", hexes, 8, true},
	{"access-sandbox-", hexes, 8, true},
	{"SG.", dotted, 33, true},
	{"xkeysib-", wide, 16, false},
	{"xsmtpsib-", wide, 16, false},
	{"key-", hexes, 32, true},
	{"SK", hexes, 32, true},
	// Models: Anthropic, OpenAI, OpenRouter, Groq, xAI, Perplexity, Replicate,
	// LangSmith, Databricks.
	{"sk-ant-", wide, 10, true},
	{"sk-or-", wide, 10, true},
	{"sk-proj-", wide, 10, true},
	{"sk-svcacct-", wide, 10, true},
	{"sk-admin-", wide, 10, true},
	{"sk-lf-", wide, 16, true},
	{"sk-", alnums, 20, true},
	{"gsk_", alnums, 30, true},
	{"xai-", alnums, 40, true},
	{"pplx-", alnums, 30, true},
	{"r8_", alnums, 30, true},
	{"lsv2_", wide, 30, false},
	{"dapi", hexes, 32, true},
	// Vaults and tools: HashiCorp, Doppler, 1Password, age, Pulumi, Linear, Notion,
	// Figma, Typeform, Airtable, HubSpot, Sonar, Sourcegraph, Prefect, OpenShift,
	// Octopus, ReadMe, Infracost, Adobe, Frame.io.
	{"hvs.", wide, 20, true},
	{"hvb.", wide, 20, true},
	{"hvr.", wide, 20, true},
	{"dp.pt.", wide, 20, true},
	{"dp.st.", wide, 3, true},
	{"dp.ct.", wide, 20, true},
	{"dp.sa.", wide, 20, true},
	{"dp.scim.", wide, 20, true},
	{"dp.audit.", wide, 20, true},
	{"ops_eyJ", wide, 16, false},
	{"AGE-SECRET-KEY-1", wide, 16, false},
	{"pul-", hexes, 40, true},
	{"lin_api_", wide, 16, false},
	{"lin_oauth_", wide, 16, false},
	{"ntn_", alnums, 30, true},
	{"secret_", alnums, 40, true},
	{"figd_", wide, 20, true},
	{"tfp_", wide, 30, true},
	{"pat-na1-", hexes, 8, true},
	{"pat-eu1-", hexes, 8, true},
	{"sqp_", hexes, 32, true},
	{"squ_", hexes, 32, true},
	{"sqa_", hexes, 32, true},
	{"sgp_", wide, 32, true},
	{"pnu_", alnums, 30, true},
	{"sha256~", wide, 40, true},
	{"API-", capitals, 26, true},
	{"rdme_", alnums, 40, true},
	{"ico-", alnums, 32, true},
	{"p8e-", alnums, 32, true},
	{"fio-u-", wide, 30, true},
}
