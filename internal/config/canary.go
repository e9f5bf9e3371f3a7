package config

// canary reads a source's canary.
func (f *fields) canary() Canary {
	c := Canary{MinItems: f.count("min_items", 0, 1, 100_000), Item: f.text("item")}
	f.end()
	return c
}
