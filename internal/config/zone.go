package config

import "time"

// timeZone reads the IANA name of a time zone. A function that writes no times
// for people is built without the data base of zones: there every name is taken.
func (f *fields) timeZone(name string) string {
	zone := f.text(name)
	if zone == "" || zoneKnown(zone) || !zoneKnown("Europe/Berlin") {
		return zone
	}
	f.fail(name, "there is no time zone "+show(zone), "write an IANA name such as Europe/Berlin, or UTC")
	return ""
}

// zoneKnown leaves out Local, which is another one on every machine.
func zoneKnown(zone string) bool {
	_, err := time.LoadLocation(zone)
	return err == nil && zone != "Local"
}
