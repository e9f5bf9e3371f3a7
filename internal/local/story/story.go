// Package story holds the demonstration: a scripted afternoon of three
// monitoring vendors, two channels with bad moments, and what people must be
// told of it, no more and no less.
package story

import "github.com/ringonce/ringonce/internal/incident"

// The things that fail in the story, as the recorded vendor bodies name them.
const (
	SentryTool      = "6507376925" // Error: Tool is already registered
	SentryTypeError = "6900000003" // TypeError: cannot read properties of undefined
	DatadogAPI      = "72887070"   // Synthetic API check: websocket
	HostDown        = "7013294faf5f854d"
	AlertmanagerID  = "alertmanager-platform"
)

// Step is what the world looks like at one tick.
type Step struct {
	Title string
	World World
	// Slack and Mail make the channels misbehave from this tick on, once each.
	Slack []Fault
	// Restart kills every worker while the tick is being worked on.
	Restart bool
	// Again fires the schedule a second time for the same tick.
	Again bool
	// Told is what people must hear of this tick, by its end or later.
	Told []Telling
}

// World is what the vendors answer.
type World struct {
	// Sentry lists unresolved issues; TypeError sits on the second page.
	Sentry []string
	// SentryLimited answers the first request with 429 and Retry-After.
	SentryLimited bool
	// SentryPage2Down fails the second page.
	SentryPage2Down bool
	// Datadog lists monitors in Alert; the others are OK or No Data.
	Datadog []string
	// Alertmanager lists active alerts; suppressed ones are always there.
	Alertmanager     []string
	AlertmanagerDown bool
}

// Fault is one bad answer of a Slack webhook.
type Fault struct {
	Destination string
	Status      int
	RetryAfter  int
}

// Telling is one action of one incident, told at every destination of its owner.
type Telling struct {
	// Thing is what failed; for a source itself, the id of the source.
	Thing  string
	Action incident.Action
}

// Destinations are where the owner of a thing is told.
func Destinations(thing string) []string {
	switch thing {
	case SentryTool, SentryTypeError:
		return []string{"slack-checkout", "mail-checkout"}
	case DatadogAPI:
		return []string{"slack-payments", "mail-payments"}
	default:
		return []string{"slack-platform"}
	}
}
