package memory

// LagIndexes lets the indexes lag behind their tables, as DynamoDB's do ("Data
// synchronization between tables and Global Secondary Indexes", Developer Guide). At
// each read of an index, late is called for each change that the index does not show
// yet, and returns whether it stays hidden; changes of one row appear in order. It is
// called with the Store locked, and must not call it.
func LagIndexes(late func() bool) Option { return func(s *Store) { s.late = late } }

// index is a secondary index.
type index[K comparable, V any] struct {
	rows map[K]V
	// late is as in LagIndexes; nil lags nothing. coming are the changes that the
	// index does not show yet.
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

// read returns what the index shows now.
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
