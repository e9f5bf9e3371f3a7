// Package archtest holds the tests that keep the packages in their layers:
// which may import which, that each says what it is for, and what a function
// must not link. It has no code of its own.
package archtest
