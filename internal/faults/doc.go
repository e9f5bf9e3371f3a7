// Package faults runs the whole story, poll to delivery, with something going
// wrong at every step of it: a process that dies, a store that refuses or whose
// answer is lost, a stream that drops, repeats or swaps its records, a worker
// that sleeps past its lease, and a service that misbehaves. It holds only
// tests. Every schedule is played from a seed, on a clock of its own, and
// judged by what the receiving services hold at the end.
package faults
