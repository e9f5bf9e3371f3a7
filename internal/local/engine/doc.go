// Package engine starts and stops the local DynamoDB engine: dynoxide, one native
// binary that serves the API of DynamoDB and DynamoDB Streams. Any other engine that
// serves that API can replace it through the SDK's AWS_ENDPOINT_URL_DYNAMODB and
// AWS_ENDPOINT_URL_DYNAMODB_STREAMS.
//
// Properties of its version 1.2.1: a stream has one shard, which never ends, whatever
// its description says; sequence numbers are small integers from 1 and continue over
// restarts; nothing is trimmed or expires, so every write to and read of a stream
// slows down as the streams grow; a table that is deleted and created again continues
// the old one's stream.
package engine
