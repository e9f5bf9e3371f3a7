// Package story holds the demonstration: a scripted afternoon of three monitoring
// vendors, two channels that sometimes fail, and the messages that people must
// receive, no more and no less.
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

// Step is the world at one tick.
type Step struct {
	Title string
	World World
	// Slack and Mail make the channels fail from this tick on, once each.
	Slack []Fault
	// Restart kills every worker while the tick is being processed.
	Restart bool
	// Again fires the schedule a second time for the same tick.
	Again bool
	// Told is what people must be notified of because of this tick, by its end or
	// later.
	Told []Telling
}

// World is the content of the vendors' answers.
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

// Fault is one failed answer of a Slack webhook.
type Fault struct {
	Destination string
	Status      int
	RetryAfter  int
}

// Telling is one action of one incident, which every destination of its owner
// receives.
type Telling struct {
	// Thing is what failed; for a source itself, the id of the source.
	Thing  string
	Action incident.Action
}

// Destinations returns the destinations of the owner of a thing.
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
