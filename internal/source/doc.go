// Package source polls a vendor. A source is declared, not coded: a request, how its
// pages follow each other, and jq programs that map each item to an observation.
// Fetch runs a declaration; Check finds its mistakes without sending a request.
//
// Fetch never fails as a whole. What could not be read is a Problem in the listing,
// which is then incomplete, so that a failed page is never taken for health.
package source
