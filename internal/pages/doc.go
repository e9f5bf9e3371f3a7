// Package pages makes and checks the links to incident pages. A link gives anyone who has
// it access to one episode of one incident until it expires. It is signed with
// HMAC-SHA256 under a secret that only the functions know. Links belong in messages, not
// in logs.
package pages
