// Package operate holds the tests of what a deployed stack is operated by, on
// the local stack with the real functions: that the heartbeat misses each part
// that stops, and that each role allows what its function does and no more.
package operate
