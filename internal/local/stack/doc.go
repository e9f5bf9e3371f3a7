// Package stack runs what template.yaml describes on this machine: a local
// DynamoDB engine with its tables, each function as a process of its own, the
// event source mappings between them, and the schedules. Names, time limits,
// environment variables, filters and retries are read from the template, so
// that there is one definition of them.
package stack
