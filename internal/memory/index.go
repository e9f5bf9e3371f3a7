package memory

// LagIndexes lets the indexes be behind their tables, as DynamoDB's are ("Data
// synchronization between tables and Global Secondary Indexes", Developer Guide).
// Late is asked, at each read of an index, about each change that has not come to it
// yet, whether it is still on its way; changes of one row come in their order. It is
// called with the Store locked, and must not call it.
func LagIndexes(late func() bool) Option { return func(s *Store) { s.late = late } }

// index is what a secondary index holds.
type index[K comparable, V any] struct {
	rows map[K]V
	// late is as in LagIndexes; nil lags nothing. coming is what is on its way.
	late   func() bool
	coming []change[K, V]
}

type change[K comparable, V any] struct {
	key  K
	row  V
	gone bool
}

func newIndex[K comparable, V any](late func() bool) *index[K, V] {
	return &index[K, V]{rows: make(map[K]V), late: late}
}

func (x *index[K, V]) put(key K, row V) { x.come(change[K, V]{key: key, row: row}) }

func (x *index[K, V]) drop(key K) { x.come(change[K, V]{key: key, gone: true}) }

func (x *index[K, V]) come(c change[K, V]) {
	if x.late == nil {
		x.apply(c)
		return
	}
	x.coming = append(x.coming, c)
}

func (x *index[K, V]) apply(c change[K, V]) {
	if c.gone {
		delete(x.rows, c.key)
		return
	}
	x.rows[c.key] = c.row
}

// read returns what has come to the index by now.
func (x *index[K, V]) read() map[K]V {
	held := make(map[K]bool)
	waiting := x.coming[:0]
	for _, c := range x.coming {
		if held[c.key] || x.late() {
			held[c.key] = true
			waiting = append(waiting, c)
			continue
		}
		x.apply(c)
	}
	x.coming = waiting
	return x.rows
}
