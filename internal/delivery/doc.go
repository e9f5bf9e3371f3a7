// Package delivery holds the outbox item, one action for one destination, and
// its ledger: the states it goes through, the attempts made, and the pure
// rules for what an outcome does to it and what may be sent before what.
package delivery
