// Package scenario plays time lines through the whole of Ringonce in one
// process: polls, decisions and deliveries over a real store and strict local
// providers. It holds only tests: each says who is told what, when, and when
// nobody is.
package scenario
