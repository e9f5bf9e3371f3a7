// Package ses sends mail through Amazon SES, API version 2: Render turns a notice
// into the bytes that the outbox freezes, and Sender sends such bytes and reports the
// outcome.
//
// The frozen bytes hold no address. Sender and recipients come from the configuration
// at each send, so that no row holds them, and the same payload serves every
// recipient, each in a message of its own.
package ses
