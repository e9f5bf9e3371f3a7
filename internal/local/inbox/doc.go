// Package inbox imitates, on this machine, the services that carry messages: Slack's
// incoming webhooks and the part of its Web API that bots post with, SES version 2,
// PagerDuty's Events API and a receiver of signed webhooks. It refuses what they
// refuse, with their error texts, stores what it accepts in order of arrival, and can
// be set to misbehave. It forwards nothing.
//
// Its rules are the documented ones (docs.slack.dev and the SES API reference); where
// a service is known to be stricter than its documentation, so is this package.
package inbox
