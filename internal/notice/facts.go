package notice

import "github.com/ringonce/ringonce/internal/incident"

// facts returns the known facts that a person needs to assess and find the incident.
func (n Notice) facts() []Fact {
	e := n.Evidence
	all := []Fact{
		n.period(),
		{"Seen", n.seen()},
		{"Owner", n.whose()},
		{"Source", n.Source},
		{"Stage", e.Stage},
		{"Deployment", e.Deployment},
		{"Correlation id", e.CorrelationID},
		{"Id at the source", e.VendorID},
	}
	known := all[:0]
	for _, f := range all {
		if f.Value = OneLine(f.Value); f.Value != "" {
			known = append(known, f)
		}
	}
	return known
}

func (n Notice) period() Fact {
	if n.Since.IsZero() {
		return Fact{}
	}
	switch n.Action {
	case incident.Resolve, ActionRestored:
		return Fact{"Lasted", Duration(n.Until.Sub(n.Since)) + ": " + n.clock().span(n.Since, n.Until)}
	case incident.Remind, incident.SilenceEnded:
		return Fact{"Since", n.clock().full(n.Since) + ", for " + Duration(n.Tick.Sub(n.Since))}
	default:
		return Fact{"Since", n.clock().full(n.Since)}
	}
}

// seen says how often and when the failure was seen, by the vendor's clock and count.
func (n Notice) seen() string {
	var s string
	switch e := n.Evidence; {
	case n.Kind == incident.KindOverflow:
		s = count(int(e.Count), "new failure") + " at once"
	case e.Count == 1:
		s = "once"
	case e.Count > 1:
		s = thousands(e.Count) + " times"
	}
	if at := n.Evidence.FirstSeen; !at.IsZero() {
		s = join(s, "first "+n.clock().full(at))
	}
	if at := n.Evidence.LastSeen; !at.IsZero() {
		s = join(s, "last "+n.clock().full(at))
	}
	return s
}

func (n Notice) whose() string {
	if n.CostCenter == "" {
		return n.Owner
	}
	return n.Owner + " (cost center " + n.CostCenter + ")"
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}
