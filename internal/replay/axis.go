package replay

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// axis maps values from zero to the largest to positions from zero to length.
type axis struct {
	top    float64
	length float64
	ticks  []axisTick
}

type axisTick struct {
	At    float64
	Label string
}

// timeSteps are readable distances between ticks, in seconds.
var timeSteps = []float64{
	1, 5, 15, 30, 60, 2 * 60, 5 * 60, 10 * 60, 15 * 60, 30 * 60, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600,
	86400, 2 * 86400, 7 * 86400, 14 * 86400, 28 * 86400,
}

const maxTicks = 6

// newAxis returns an axis with a little room above the largest value.
func newAxis(largest, length float64, isTime bool) axis {
	step := numberStep(largest)
	if isTime {
		step = timeStep(largest)
	}
	a := axis{length: length, top: max(step, math.Ceil(largest/step)*step)}
	for n := 0; float64(n)*step <= a.top+step/2; n++ {
		v := float64(n) * step
		label := strconv.FormatFloat(v, 'f', -1, 64)
		if isTime {
			label = short(seconds(v))
		}
		a.ticks = append(a.ticks, axisTick{a.at(v), label})
	}
	return a
}

func (a axis) at(v float64) float64 { return math.Round(v/a.top*a.length*10) / 10 }

// numberStep returns 1, 2 or 5 times a power of ten, at least 1.
func numberStep(largest float64) float64 {
	for power := 1.0; ; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if largest <= m*power*maxTicks {
				return m * power
			}
		}
	}
}

func timeStep(largest float64) float64 {
	i := slices.IndexFunc(timeSteps, func(s float64) bool { return largest <= s*maxTicks })
	if i < 0 {
		return 86400 * numberStep(largest/86400)
	}
	return timeSteps[i]
}

// clock labels a time axis at every step, by the hour or by the day depending on its
// span.
func clock(first, last time.Time, length float64) []axisTick {
	span := last.Sub(first)
	step := time.Duration(timeStep(span.Seconds())) * time.Second
	layout := "15:04"
	switch {
	case step >= 24*time.Hour:
		layout = "2 Jan"
	case span > 24*time.Hour:
		layout = "2 Jan 15:04"
	}
	var ticks []axisTick
	for t := first.Truncate(step); t.Before(last); t = t.Add(step) {
		if t.Before(first) {
			continue
		}
		at := float64(t.Sub(first)) / float64(span) * length
		ticks = append(ticks, axisTick{math.Round(at*10) / 10, t.UTC().Format(layout)})
	}
	return ticks
}
