package sendertest

import (
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// Example is a named notice; golden files have its name.
type Example struct {
	Name   string
	Notice notice.Notice
}

// Examples returns one notice of each kind that people can receive, all of one
// incident, and edge cases.
func Examples() []Example {
	return []Example{
		{"open", opened(incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1})},
		{"open_again", opened(incident.Reason{Code: incident.Reopened, N: 1, At: clock("11:59")})},
		{"open_flapping", flapping()},
		{"remind", reminded()},
		{"resolve", resolved(incident.Reason{Code: incident.Recovered, N: 2, Of: 2})},
		{"no_longer_reported", resolved(incident.Reason{Code: incident.NoLongerReported, N: 2, Of: 2})},
		{"zoned", zoned()},
		{"silence_ended", silenceEnded()},
		{"overflow", overflow(incident.Open)},
		{"overflow_over", overflow(incident.Resolve)},
		{"came_and_went", cameAndWent()},
		{"digest", digest()},
		{"refused", refused()},
		{"restored", restored()},
		{"repeat", repeated()},
		{"silence_ended_unannounced", afterSilence()},
		{"bare", bare()},
		{"hostile", Hostile()},
		{"huge", Huge()},
	}
}

// examplePage is a link to a page that does not exist.
const examplePage = "https://pages.example.com/i/MTc2OTk0NzM4MCAyIGsxL2Vycm9yL3Byb2plY3Q9ZXhhbXBsZS1hcHAvaXNzdWU9NjUwNzM3NjkyNQ" +
	".OSkHs9rNnIdwqAYeGMUBRzwAcVJ2vbFKPnqWXoR0fLM"

func clock(hhmm string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", "2026-01-02 "+hhmm)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

// input is the open of an incident that Sentry reported.
func input() notice.Input {
	parts := []observation.Part{{Name: "project", Value: "example-app"}, {Name: "issue", Value: "6507376925"}}
	key, err := incident.Key("error", parts)
	if err != nil {
		panic(err)
	}
	return notice.Input{
		State: incident.State{
			Key: key, Episode: 2, Sequence: 1, Open: true, FailingStreak: 1,
			StreakStart: clock("12:03"), OpenedAt: clock("12:03"), LastNotified: clock("12:03"),
			Kind: "error", Parts: parts, Source: "sentry-checkout", Owner: "payments",
			Title: "Error: Tool is already registered", Summary: "Error: Tool is already registered",
			Evidence: observation.Evidence{
				FirstSeen: time.Date(2025, 4, 3, 22, 51, 19, 403e6, time.UTC), LastSeen: clock("12:02"), Count: 1250,
				Link: "https://example-org.sentry.io/issues/6507376925/", VendorID: "6507376925",
				Stage: "live", Deployment: "checkout-api@2026.1.2", CorrelationID: "c0ffee11-req-7",
				Samples: []string{"Object.fetch(index)", "at registerTool (index.js:41)\nat fetch (index.js:12)"},
			},
		},
		Observation: observation.Observation{IncidentKey: key, Source: "sentry-checkout", Tick: clock("12:03")},
		Action:      incident.Open, Policy: incident.DefaultPolicy(),
		Environment: "production", Owner: "payments", CostCenter: "CC-1042",
		OperatorAction: "Open the issue in Sentry, find the failing checkout step, and roll back or fix it " +
			"(https://runbooks.example.com/checkout).",
		Page: examplePage,
	}
}

func made(in notice.Input) notice.Notice {
	in.DeliveryID = delivery.ID(in.Environment, in.State.Key, in.State.Episode, in.State.Sequence, "example")
	return notice.New(in)
}

func opened(r incident.Reason) notice.Notice {
	in := input()
	in.Reason = r
	return made(in)
}

func flapping() notice.Notice {
	in := input()
	in.State.Flapping, in.Policy.FlapEpisodes, in.Policy.FlapWindow = true, 4, time.Hour
	in.Reason = incident.Reason{Code: incident.Flapping, N: 4, Window: time.Hour}
	return made(in)
}

func reminded() notice.Notice {
	in := input()
	in.Action, in.State.Sequence, in.State.Reminders = incident.Remind, 5, 4
	in.State.LastNotified, in.Observation.Tick = clock("14:08"), clock("14:08")
	in.State.Evidence.Count, in.State.Evidence.LastSeen = 1310, clock("14:07")
	in.Reason = incident.Reason{Code: incident.CooldownElapsed, N: 4}
	return made(in)
}

// afterSilence is the notice to destinations that a silence has kept it from so far.
func afterSilence() notice.Notice {
	in := input()
	in.Action, in.Unannounced, in.State.Sequence = incident.SilenceEnded, true, 3
	in.State.LastNotified, in.Observation.Tick = clock("14:00"), clock("14:00")
	in.Reason = incident.Reason{Code: incident.SilenceOver, By: "s-5f3a09c1"}
	return made(in)
}

func resolved(r incident.Reason) notice.Notice {
	in := input()
	in.Action, in.State.Sequence, in.State.Open = incident.Resolve, 2, false
	in.State.ResolvedAt, in.Observation.Tick = clock("12:20"), clock("12:20")
	in.Reason = r
	return made(in)
}

func repeated() notice.Notice {
	n := opened(incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1})
	n.MayBeRepeat = true
	return n
}

// bare is the notice of a source that maps only key and status.
func bare() notice.Notice {
	in := input()
	in.State.Title, in.State.Summary, in.State.Evidence = "", "", observation.Evidence{}
	in.Reason = incident.Reason{Code: incident.FailingStreakReached, N: 3, Of: 3}
	in.Policy.Cooldown = 0
	in.CostCenter, in.OperatorAction, in.Page = "", "", ""
	return made(in)
}
