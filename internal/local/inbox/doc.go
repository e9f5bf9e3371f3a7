// Package inbox plays the services that carry messages, on this machine: Slack's
// incoming webhooks and the part of its Web API that bots post with, SES,
// version 2, PagerDuty's Events API and a receiver of signed webhooks. It refuses what they refuse, in
// their words, keeps what it accepts in order of arrival, and can be told to
// misbehave. Nothing it accepts goes anywhere.
//
// Its rules are the documented ones (docs.slack.dev and the SES API reference);
// where a service is said to be stricter than its documentation, so is this.
package inbox
