package dynamo

import "time"

// SetVerdictsPage lets a test have a long history with few rows.
func (s *Store) SetVerdictsPage(rows int32) { s.verdictsPage = rows }

// SetNow lets a test say when rows expire.
func (s *Store) SetNow(now time.Time) { s.now = func() time.Time { return now } }
