// Package ses tells people by mail through Amazon SES, API version 2: Render
// turns a notice into the bytes that the outbox freezes, and Sender sends such
// bytes and says what became of them.
//
// The frozen bytes hold no address. Sender and recipients come from
// configuration with each send, so they are in no row, and one message per
// recipient needs nothing else frozen: the same payload is sent to each alone.
package ses
