package config

import "time"

// timeZone reads the IANA name of a time zone. A function that writes no times for
// people is built without the time zone database; there every name is accepted.
func (f *fields) timeZone(name string) string {
	zone := f.text(name)
	if zone == "" || zoneKnown(zone) || !zoneKnown("Europe/Berlin") {
		return zone
	}
	f.fail(name, "there is no time zone "+show(zone), "write an IANA name such as Europe/Berlin, or UTC")
	return ""
}

// zoneKnown excludes Local, which differs from machine to machine.
func zoneKnown(zone string) bool {
	_, err := time.LoadLocation(zone)
	return err == nil && zone != "Local"
}
