// Package replay tries policies on history. It folds traces, or recorded
// observations, through incident.Decide, the very function that decides live,
// scores what each policy would have told whom and when, and draws it. It sends
// nothing and reads no clock for a result: the same input gives the same bytes.
//
// What sweep ends because nobody speaks for it any more (incident.Lapse) is not
// replayed: a trace does not tell whether a silent source was answering.
package replay
