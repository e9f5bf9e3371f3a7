// Package silence holds the rules that keep messages back for a while: whom a
// silence keeps quiet, and when. Nothing that is tracked changes by it; only
// who is told does.
package silence
