package delivery

// Silence returns a new item as one that a silence keeps back: it is in the
// ledger, and never sent.
func (d Delivery) Silence(id string) Delivery {
	d.SilencedBy = id
	return d.final(Silenced, "kept back by silence "+id)
}
