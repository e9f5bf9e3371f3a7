// Package operate holds tests of what operates a deployed stack, on the local stack
// with the real functions: that the heartbeat notices each part that stops, and that
// each role allows what its function does and no more.
package operate
