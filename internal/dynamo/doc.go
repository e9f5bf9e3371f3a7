// Package dynamo stores Ringonce's records in four DynamoDB tables. It turns domain
// values into rows that a person can read in the console, and DynamoDB's errors into
// the domain's errors; it decides nothing itself.
//
//	Observations  incident_key, observation_id (tick#source)
//	Incidents     incident_key, record ("state" or "decision#<seq>")
//	              sparse index active: active (shard), incident_key
//	Outbox        incident_key, slot (episode#sequence#destination)
//	              sparse index due: due_shard, due_at
//	Operations    kind, id: poll#<source> by tick, gate by destination,
//	              usage#<month> by its parts, policy by hash
//
// Times are UTC text of fixed width, so that text order is time order: ticks to
// the second, all others to the millisecond. The attribute expires_at is
// DynamoDB's time to live, in epoch seconds; no condition reads it.
package dynamo
