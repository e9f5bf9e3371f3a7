// Package memory stores Ringonce's records in memory, with the semantics of the
// DynamoDB store: both pass the suite in storetest. It serves tests, simulations and
// load tests. It is deterministic: results are sorted where DynamoDB's order is
// undefined, and nothing depends on a clock or on randomness.
//
// A Hook may make any operation fail before or after it takes effect. The feeds of
// inserts replace the streams of the two tables that have one.
package memory
