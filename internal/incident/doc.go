// Package incident decides when an incident opens, needs a reminder or resolves.
// It holds the identity of an incident (Key), its durable State, the Policy that
// governs it, and Decide: a pure function of state, observation and policy that
// returns the new state, an Action and a named Reason.
//
// Time in this package is tick time: the scheduled time of a poll. No function
// reads a clock, so a replay of recorded observations decides as the live
// system did.
package incident
