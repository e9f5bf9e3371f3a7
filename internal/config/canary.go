package config

// canary reads what every good answer of a source holds.
func (f *fields) canary() Canary {
	c := Canary{MinItems: f.count("min_items", 0, 1, 100_000), Item: f.text("item")}
	f.end()
	return c
}
