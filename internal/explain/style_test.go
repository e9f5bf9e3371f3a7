package explain

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

// colours are the variables of one of the style sheet's sets, in its order: by
// day, by night, on paper.
func colours(t *testing.T, set int) map[string]string {
	t.Helper()
	sets := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(style, -1)
	if len(sets) != 3 {
		t.Fatalf("%d sets of colours, want 3", len(sets))
	}
	found := map[string]string{}
	for _, v := range regexp.MustCompile(`--(\w+):(#[0-9a-f]+)`).FindAllStringSubmatch(sets[set][1], -1) {
		found[v[1]] = v[2]
	}
	return found
}

// luminance and contrast are those of "Web Content Accessibility Guidelines 2.2".
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	if len(colour) == 4 {
		colour = string([]byte{'#', colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]})
	}
	weights, sum := []float64{0.2126, 0.7152, 0.0722}, 0.0
	for i, w := range weights {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatalf("colour %q: %v", colour, err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += w * c
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text and drawing have enough contrast in the light, dark and print styles.
func TestColoursStandOut(t *testing.T) {
	for set, name := range []string{"day", "night", "paper"} {
		c := colours(t, set)
		for _, x := range []struct {
			over, under string
			least       float64
		}{
			{"ink", "paper", 7},
			{"soft", "paper", 4.5},
			{"act", "paper", 4.5},
			{"failing", "paper", 4.5},
			{"on", "failing", 4.5},
			{"on", "healthy", 4.5},
			{"on", "soft", 4.5},
			{"failing", "wash", 3},
			{"healthy", "wash", 3},
			{"act", "wash", 3},
			{"remind", "wash", 3},
		} {
			if got := contrast(t, c[x.over], c[x.under]); got < x.least {
				t.Errorf("by %s, %s on %s has a contrast of %.1f, want %.1f", name, x.over, x.under, got, x.least)
			}
		}
	}
}
