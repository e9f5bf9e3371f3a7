// Package stack runs what template.yaml describes on this machine: a local DynamoDB
// engine with its tables, each function as a process of its own, the event source
// mappings between them, and the schedules. Names, timeouts, environment variables,
// filters and retries are read from the template, their only definition.
package stack
