package delivery

// Silence returns a new item as silenced: it is in the ledger but never sent.
func (d Delivery) Silence(id string) Delivery {
	d.SilencedBy = id
	return d.final(Silenced, "kept back by silence "+id)
}
