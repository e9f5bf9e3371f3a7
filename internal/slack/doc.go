// Package slack notifies people through Slack, in two ways. Through incoming
// webhooks: Render turns a notice into the bytes that the outbox freezes, and Sender
// posts such bytes and reports the outcome. As a bot: RenderBot and Bot do the same
// with Slack's Web API, which returns a message's timestamp. So a bot posts an
// incident's messages in one thread, updates the first message to the present state,
// and can look for a message that may have arrived.
//
// What Slack documents and this package relies on: text objects and their
// limits (docs.slack.dev, "Text object", "Section block", "Header block"), the
// three characters to escape ("Formatting message text"), and the plain-text
// answers of a webhook ("Sending messages using incoming webhooks").
package slack
