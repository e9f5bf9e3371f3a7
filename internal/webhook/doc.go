// Package webhook notifies other programs: Render turns a notice into a JSON
// document, which the outbox freezes, and Sender signs and posts such a document and
// reports the outcome.
//
// A receiver can make each delivery count once: the request carries the
// delivery id as Idempotency-Key, and every retry of it carries the same key
// and the same bytes. The signature follows the scheme of Standard Webhooks
// (standardwebhooks.com), for which there are libraries in most languages.
package webhook
