// Package memory keeps Ringonce's records in memory, with the semantics of the
// DynamoDB store: both pass the suite in storetest. It serves tests, simulations
// and storms. It is deterministic: answers are sorted where DynamoDB's order is
// not defined, and nothing depends on a clock or on chance.
//
// A Hook may fail any operation before or after it took effect. The feeds of
// inserts stand in for the streams of the two tables that have one.
package memory
