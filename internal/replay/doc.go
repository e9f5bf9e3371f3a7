// Package replay tests policies on history. It folds traces, or recorded
// observations, through incident.Decide, the function that decides in production,
// scores whom each policy would have notified and when, and charts the result. It
// sends nothing and takes no time from a clock: the same input gives the same bytes.
//
// It does not replay incidents that sweep ends because no source reports them any
// more (incident.Lapse): a trace does not record whether a silent source was
// answering.
package replay
