package dynamo

// SetVerdictsPage lets a test have a long history with few rows.
func (s *Store) SetVerdictsPage(rows int32) { s.verdictsPage = rows }
