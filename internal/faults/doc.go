// Package faults runs the whole pipeline, poll to delivery, with a fault at every
// step: a process that dies, a store that refuses or whose answer is lost, a stream
// that drops, repeats or reorders its records, a worker that sleeps past its lease,
// and a service that misbehaves. It holds only tests. Every schedule of faults runs
// from a seed, on a clock of its own, and is judged by what the receiving services
// hold at the end.
package faults
