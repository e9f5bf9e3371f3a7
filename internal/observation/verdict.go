package observation

import "fmt"

// Verdict is what one source said about one incident key at one tick.
type Verdict string

// The three verdicts. Unknown is not a weak Failing or a weak Healthy: it is
// the absence of evidence, so it moves no streak and resolves nothing.
const (
	Failing Verdict = "failing"
	Healthy Verdict = "healthy"
	Unknown Verdict = "unknown"
)

// ParseVerdict parses a verdict as written in configuration and stored rows.
func ParseVerdict(s string) (Verdict, error) {
	switch v := Verdict(s); v {
	case Failing, Healthy, Unknown:
		return v, nil
	default:
		return "", fmt.Errorf("verdict %q: want failing, healthy or unknown", s)
	}
}
