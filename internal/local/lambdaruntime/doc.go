// Package lambdaruntime runs a Lambda function's own bootstrap binary on this
// machine. It serves the Lambda Runtime API on loopback and starts the binary
// as a child process, so that the process which handles an event is the one
// that handles it in AWS. The protocol is AWS's "Using the Lambda runtime API
// for custom runtimes", version 2018-06-01.
//
// As in AWS, a process handles one invocation at a time and is reused for the next
// one, a process that exceeds its timeout is killed, and the invocation after a death
// starts a new process. Unlike AWS, an invocation beyond the concurrency limit waits
// instead of being refused.
package lambdaruntime
