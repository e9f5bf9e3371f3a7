// Package mapping is a local event source mapping: it reads a table's DynamoDB
// stream and calls a function with batches of its records, as Lambda does in
// AWS ("Process DynamoDB records with Lambda", AWS Lambda developer guide).
//
// Records are handled at least once and, per item, in order; those of a shard are
// where a mapping takes one batch of it at a time. Progress
// is kept in a Checkpoints file, so a restart goes on where the last run
// stopped. Where AWS leaves open what happens, this package does what is worse
// for the function: a batch whose retries are used up is given up whole, from
// the first record that failed.
//
// Unlike AWS, the shards of a stream take turns instead of running side by
// side. The local engine has one shard per table.
package mapping
