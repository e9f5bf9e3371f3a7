// Package delivery holds the outbox item (one action for one destination) and its
// ledger: the item's states, its attempts, and the pure rules for how an outcome
// changes it and in which order items are sent.
package delivery
