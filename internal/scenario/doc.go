// Package scenario runs time lines through the whole of Ringonce in one process:
// polls, decisions and deliveries over a real store and strict local providers. It
// holds only tests: each states who is notified of what and when, and when nobody is.
package scenario
