package config

// rateLimit reads the names of a vendor's own rate-limit headers.
func (f *fields) rateLimit() RateLimit {
	l := RateLimit{Reset: f.text("reset"), Remaining: f.text("remaining")}
	if l.Remaining != "" && l.Reset == "" {
		f.missing("reset", "name the header that says until when there are none left, such as X-RateLimit-Reset")
	}
	f.end()
	return l
}
