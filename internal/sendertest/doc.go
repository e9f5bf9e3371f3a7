// Package sendertest is what every sender is held to: the examples that its
// messages are looked at by, and the rules that it must keep with any message
// and any answer. A channel passes Run, or it is not a channel.
package sendertest
