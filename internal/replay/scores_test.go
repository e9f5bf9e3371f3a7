package replay

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestUnbeaten(t *testing.T) {
	num := func(vs ...float64) []value {
		var row []value
		for _, v := range vs {
			if math.IsNaN(v) {
				row = append(row, value{})
				continue
			}
			row = append(row, value{v, true})
		}
		return row
	}
	none := math.NaN()
	for _, c := range []struct {
		name string
		rows [][]value
		want []bool
	}{
		{"one beats the other", [][]value{num(1, 2), num(1, 3)}, []bool{true, false}},
		{"each is better at something", [][]value{num(1, 3), num(2, 2), num(3, 1)}, []bool{true, true, true}},
		{"alike", [][]value{num(1, 1), num(1, 1)}, []bool{true, true}},
		{"what one lacks is left out", [][]value{num(none, 2), num(1, 3)}, []bool{true, false}},
		{"and is no merit", [][]value{num(none, 3), num(1, 2)}, []bool{false, true}},
		{"nothing in common", [][]value{num(none, 2), num(1, none)}, []bool{true, true}},
		{"alone", [][]value{num(5)}, []bool{true}},
	} {
		if got := unbeaten(c.rows); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// Percentiles stay within 2 % of the truth, the mean and the maximum exact.
func TestDurations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secs := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 40_000_000), rapid.Int64Range(10_000, 10_100)), 1, 200).Draw(t, "seconds")
		var d Durations
		var sum int64
		for _, s := range secs {
			d.add(time.Duration(s) * time.Second)
			sum += s
		}
		slices.Sort(secs)
		if d.Count() != int64(len(secs)) || d.Max() != time.Duration(secs[len(secs)-1])*time.Second {
			t.Fatalf("count %d, max %s", d.Count(), d.Max())
		}
		if want := time.Duration(sum) * time.Second / time.Duration(len(secs)); d.Mean() != want {
			t.Fatalf("mean %s, want %s", d.Mean(), want)
		}
		for _, share := range []float64{0.5, 0.95, 1} {
			want := float64(secs[int(math.Ceil(share*float64(len(secs))))-1])
			if got := d.Percentile(share).Seconds(); got < want || got > want*1.02+1 {
				t.Fatalf("percentile %g: got %g, want %g", share, got, want)
			}
		}
	})
}

func TestEmptyDurations(t *testing.T) {
	var d Durations
	text, err := d.MarshalJSON()
	if err != nil || string(text) != "null" || d.Mean() != 0 || d.Percentile(0.5) != 0 {
		t.Errorf("%s, %v, mean %s", text, err, d.Mean())
	}
}

// However many times are added, a few thousand buckets hold them.
func TestDurationsAreBounded(t *testing.T) {
	var d Durations
	for n := range 300_000 {
		d.add(time.Duration(n*137) * time.Second)
	}
	if len(d.buckets) > 2500 {
		t.Errorf("%d buckets", len(d.buckets))
	}
}

func TestBill(t *testing.T) {
	p := Pricing{
		Currency: "EUR", PerMessage: map[string]float64{"ses": 0.1, "sms": 0.07},
		Channels: map[string][]string{"ops": {"sms", "ses", "ses"}}, Default: []string{"slack_webhook"},
	}
	lines, total := p.bill(&Tally{Notices: map[string]int{"ops": 3, "dev": 2}})
	want := []Notification{{"dev", "slack_webhook", 2, 0}, {"ops", "ses", 6, 0.6}, {"ops", "sms", 3, 0.21}}
	if !slices.Equal(lines, want) || total != 0.81 {
		t.Errorf("got %v, %v; want %v, 0.81", lines, total, want)
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 59 * time.Second: "59s", time.Minute: "1m", 61 * time.Second: "1m1s", time.Hour: "1h", 90 * time.Minute: "1h30m",
		24 * time.Hour: "1d", 50 * time.Hour: "2d2h", 1500 * time.Millisecond: "2s", 59*time.Minute + 59*time.Second: "59m59s",
		59*time.Minute + 59*time.Second + 999*time.Millisecond: "1h",
	} {
		if got := short(d); got != want {
			t.Errorf("%d: got %s, want %s", d, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// Every score has a place on the terminal.
func TestEveryScoreHasAHeading(t *testing.T) {
	for _, s := range Scores() {
		if headings[s.Name] == "" || s.Meaning == "" {
			t.Errorf("%s: heading %q, meaning %q", s.Name, headings[s.Name], s.Meaning)
		}
	}
	if len(headings) != len(Scores()) {
		t.Errorf("%d headings for %d scores", len(headings), len(Scores()))
	}
}
