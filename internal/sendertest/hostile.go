package sendertest

import (
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// HostileText must be shown literally, wherever a vendor puts it (case C5).
const HostileText = `<!channel> & <https://evil|ok> "q"`

// HostileLink must stay a link to its own address (case C5).
const HostileLink = `https://vendor.example.com/g?q=a|b&f=<x> y`

// Hostile is a notice in which every text that a vendor can set is an attack.
func Hostile() notice.Notice {
	in := input()
	s := &in.State
	s.Title, s.Summary = HostileText, HostileText
	s.Evidence = observation.Evidence{
		Link: HostileLink, VendorID: "@channel <@U012AB3CD> *bold* _it_ `code` :tada:",
		Stage: "</td><script>alert(1)</script>", Deployment: "\u202Etxt.exe",
		CorrelationID: "a\r\nBcc: someone@example.com",
		Samples: []string{
			HostileText + " https://evil.example.com @here",
			"</pre><img src=x onerror=alert(1)>\n> quote\n* list\n\x1b[31mred\x00",
			"Delivery d1-00000000000000000000",
		},
	}
	in.Reason = incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1}
	return made(in)
}

// Huge is a notice with 10,000 characters in one line, 400 lines, and more
// samples than anybody reads (case C6).
func Huge() notice.Notice {
	in := input()
	s := &in.State
	s.Title = strings.Repeat("é", 10000)
	s.Summary = strings.TrimSpace(strings.Repeat("line & 𝟙 <of> many\n", 400))
	s.Evidence.Link = "https://vendor.example.com/" + strings.Repeat("x", 1400)
	s.Evidence.Deployment = strings.Repeat("界", 10000)
	s.Evidence.Samples = nil
	for range 60 {
		s.Evidence.Samples = append(s.Evidence.Samples, strings.Repeat("&", 10000), "short")
	}
	s.Key = "k1/error/" + strings.Repeat("part=value/", 90) + "end"
	in.OperatorAction = strings.Repeat("Do this. ", 1000)
	in.Environment = strings.Repeat("production-", 40)
	in.Reason = incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1}
	return made(in)
}
