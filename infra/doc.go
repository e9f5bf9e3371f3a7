// Package infra holds what is deployed beside the code: the example
// configuration and its schema. It has no code, only the tests that keep them,
// the template and the README true to each other.
package infra
