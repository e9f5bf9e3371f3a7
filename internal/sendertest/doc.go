// Package sendertest is the conformance suite of senders: the example messages that
// each one renders, and the rules that each must keep with any message and any
// answer. Every channel must pass Run.
package sendertest
