//go:build race

package faults_test

// The race detector makes a schedule ten times as slow, and schedules run one
// thing at a time: a tenth of them is enough to look for races in the code.
func init() { *pairs, *onEngine, nth = *pairs/10, *onEngine/10, 10 }
