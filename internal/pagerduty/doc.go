// Package pagerduty notifies PagerDuty through its Events API, version 2: Render
// turns a notice into the event that the outbox freezes, and Sender sends such an
// event and reports the outcome.
//
// An episode of an incident is one alert: its open and its reminders trigger it and
// its resolve resolves it, all under one deduplication key. PagerDuty merges a
// repeated event into the alert that the key names, so a repeat does no harm as long
// as no trigger follows the resolve; the order of an episode's messages guarantees
// that.
package pagerduty
