// Package slack tells people through Slack incoming webhooks: Render turns a
// notice into the bytes that the outbox freezes, and Sender posts such bytes
// and says what became of them.
//
// What Slack documents and this package relies on: text objects and their
// limits (docs.slack.dev, "Text object", "Section block", "Header block"), the
// three characters to escape ("Formatting message text"), and the plain-text
// answers of a webhook ("Sending messages using incoming webhooks").
package slack
