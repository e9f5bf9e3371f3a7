package config

// SourceOf returns the configured source of an id under which polls report: that of
// the source itself, or of what it reports about itself.
func (c *Config) SourceOf(id string) (Source, bool) {
	src, _ := c.lookup(id)
	if src == nil {
		return Source{}, false
	}
	return *src, true
}
