package silence

import (
	"fmt"
	"sync"
	"time"
)

// zones remembers the time zones that were looked up: each is a file.
var zones sync.Map

// Zone looks a time zone up by its IANA name. It needs the time zone data base,
// of the system or of the package time/tzdata.
func Zone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	// LoadLocation takes both of these for something else.
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("%q names no time zone: write an IANA name such as Europe/Berlin, or UTC", name)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("there is no time zone %q: write an IANA name such as Europe/Berlin, or UTC", name)
	}
	zones.Store(name, z)
	return z, nil
}

// ZonesKnown reports whether there is a time zone data base at all. A function
// that reads the configuration but never asks for the time is built without.
func ZonesKnown() bool {
	_, err := Zone("Europe/Berlin")
	return err == nil
}

// moments are the first and the last moment at which a clock in the zone shows
// a reading, which is given as if it were UTC: two when the clocks are put back,
// one on all other days. In the hour that is left out when they are put forward
// it is the change itself.
func moments(reading time.Time, zone *time.Location) (first, last time.Time) {
	// The offsets on both sides of any change near by: no zone changes twice in
	// two days.
	before, after := offset(reading.Add(-26*time.Hour), zone), offset(reading.Add(26*time.Hour), zone)
	early, late := reading.Add(-max(before, after)), reading.Add(-min(before, after))
	earlyIs, lateIs := shows(early, reading, zone), shows(late, reading, zone)
	switch {
	case earlyIs && lateIs:
		return early, late
	case earlyIs:
		return early, early
	case lateIs:
		return late, late
	}
	// late is past the change by as much as the reading is into the gap.
	change, _ := late.In(zone).ZoneBounds()
	return change.UTC(), change.UTC()
}

func offset(at time.Time, zone *time.Location) time.Duration {
	_, seconds := at.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}

func shows(at, reading time.Time, zone *time.Location) bool {
	return at.Add(offset(at, zone)).Equal(reading)
}
