// Package pages makes and checks the links to incident pages. A link shows one
// episode of one incident until it expires, to whoever has it: it is signed with
// HMAC-SHA256 under a secret that only the functions know, and belongs into
// messages, not into logs.
package pages
