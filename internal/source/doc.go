// Package source reads what a vendor says. A source is declared, not coded:
// where to ask, how pages follow each other, and jq programs that turn one
// item into Ringonce's words. Fetch runs a declaration; Check finds its
// mistakes without asking anybody.
//
// Fetch never fails as a whole. What could not be read is a Problem in the
// listing, which is then incomplete, so that nobody takes a broken page for
// health.
package source
