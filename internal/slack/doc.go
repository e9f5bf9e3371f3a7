// Package slack tells people through Slack, in two ways. Through incoming
// webhooks: Render turns a notice into the bytes that the outbox freezes, and
// Sender posts such bytes and says what became of them. And as a bot:
// RenderBot and Bot do the same with Slack's Web API, which gives a message a
// name, so that an incident's messages stand in one thread, its first message
// shows how things are now, and a message that may have arrived can be looked
// for.
//
// What Slack documents and this package relies on: text objects and their
// limits (docs.slack.dev, "Text object", "Section block", "Header block"), the
// three characters to escape ("Formatting message text"), and the plain-text
// answers of a webhook ("Sending messages using incoming webhooks").
package slack
