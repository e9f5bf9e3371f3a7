package story

import "github.com/ringonce/ringonce/internal/incident"

// Steps returns the story, one step per tick.
func Steps() []Step {
	tool, both := []string{SentryTool}, []string{SentryTool, SentryTypeError}
	late := []string{SentryTypeError}
	api, host := []string{DatadogAPI}, []string{HostDown}
	return []Step{
		{Title: "All is quiet"},
		{Title: "A new error in checkout", World: World{Sentry: tool}, Told: tell(incident.Open, SentryTool)},
		{Title: "The identical answer again", World: World{Sentry: tool}},
		{Title: "One additional group, on Sentry's second page", World: World{Sentry: both}, Told: tell(incident.Open, SentryTypeError)},
		{Title: "Sentry says 429, Retry-After: 1", World: World{Sentry: both, SentryLimited: true}},
		{
			Title: "A payment monitor alerts; Slack answers 500 once, the mail goes out",
			World: World{Sentry: both, Datadog: api},
			Slack: []Fault{{Destination: "slack-payments", Status: 500}},
			Told:  tell(incident.Open, DatadogAPI),
		},
		{Title: "Sentry's second page fails: absence proves nothing", World: World{Sentry: both, SentryPage2Down: true, Datadog: api}},
		{
			Title:   "A host goes down, and every worker is killed",
			World:   World{Sentry: both, Datadog: api, Alertmanager: host},
			Restart: true,
			Told:    tell(incident.Open, HostDown),
		},
		{Title: "One error is gone; Alertmanager stops answering", World: World{Sentry: late, Datadog: api, AlertmanagerDown: true}},
		{Title: "Flap: the error is back; Alertmanager is still out", World: World{Sentry: both, Datadog: api, AlertmanagerDown: true}},
		{
			Title: "Gone again; Alertmanager out for the third poll",
			World: World{Sentry: late, Datadog: api, AlertmanagerDown: true},
			Told:  tell(incident.Open, AlertmanagerID),
		},
		{
			Title: "Gone for the second poll; Alertmanager answers, its host still down",
			World: World{Sentry: late, Datadog: api, Alertmanager: host},
			Told:  append(tell(incident.Resolve, SentryTool), tell(incident.Resolve, AlertmanagerID)...),
		},
		{Title: "The payment monitor is OK", World: World{Sentry: late, Alertmanager: host}},
		{
			Title: "OK for the second poll; Slack says 429, Retry-After: 2",
			World: World{Sentry: late, Alertmanager: host},
			Slack: []Fault{{Destination: "slack-payments", Status: 429, RetryAfter: 2}},
			Told:  tell(incident.Resolve, DatadogAPI),
		},
		{Title: "The host is up", World: World{Sentry: late}},
		{
			Title: "Up for the second poll; the other error has gone on for twelve minutes",
			World: World{Sentry: late},
			Told:  append(tell(incident.Resolve, HostDown), tell(incident.Remind, SentryTypeError)...),
		},
		{Title: "The schedule fires twice for one tick", World: World{Sentry: late}, Again: true},
		{Title: "The last error is gone", World: World{}},
		{Title: "Gone for the second poll", World: World{}, Told: tell(incident.Resolve, SentryTypeError)},
		{Title: "All is quiet again", World: World{}},
	}
}

func tell(a incident.Action, things ...string) []Telling {
	var told []Telling
	for _, thing := range things {
		told = append(told, Telling{Thing: thing, Action: a})
	}
	return told
}
