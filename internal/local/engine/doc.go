// Package engine starts and stops the local DynamoDB engine: dynoxide, one native
// binary that speaks DynamoDB's and DynamoDB Streams' real API. Nothing else
// about it is special; anything that answers that API can take its place through
// the SDK's AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS.
//
// What to know of its version 1.2.1: a stream has one shard, which never ends,
// whatever its description says; sequence numbers are small integers from 1 and
// go on over restarts; nothing is trimmed or expires, so that each write and each
// read of a stream takes longer as the streams grow; a table that is deleted and
// made again continues the old one's stream.
package engine
