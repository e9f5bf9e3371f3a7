package silence

import (
	"fmt"
	"sync"
	"time"
)

// zones caches the loaded time zones, each of which is a file.
var zones sync.Map

// Zone returns the time zone with an IANA name. It needs the time zone database of the
// system or of the package time/tzdata.
func Zone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	// LoadLocation would return UTC or the system's zone for these.
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

// ZonesKnown reports whether a time zone database is available. Functions that read the
// configuration but need no local times are built without one.
func ZonesKnown() bool {
	_, err := Zone("Europe/Berlin")
	return err == nil
}

// moments returns the first and last moment at which clocks in the zone show a reading,
// which is given as if in UTC. They differ only in an hour that a clock change repeats.
// For a reading in a skipped hour, both are the moment of the change.
func moments(reading time.Time, zone *time.Location) (first, last time.Time) {
	// The offsets before and after any change nearby: no zone changes twice within two
	// days.
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
	// late is as far past the change as the reading is past the start of the gap.
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
