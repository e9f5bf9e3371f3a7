// Package mapping is a local event source mapping: it reads a table's DynamoDB stream
// and invokes a function with batches of its records, as Lambda does in AWS ("Process
// DynamoDB records with Lambda", AWS Lambda developer guide).
//
// Records are handled at least once and, per item, in order; where a mapping runs one
// batch of a shard at a time, the shard's records are too. Progress is stored in a
// Checkpoints file, so that a restart continues where the last run stopped. Where AWS
// leaves the behaviour open, this package chooses what is worse for the function:
// when the retries of a batch are used up, it gives up the whole batch from the first
// record that failed.
//
// Unlike AWS, the shards of a stream take turns instead of running side by
// side. The local engine has one shard per table.
package mapping
