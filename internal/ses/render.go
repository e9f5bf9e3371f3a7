package ses

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/wire"
)

// mail is the frozen message.
type mail struct {
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"`
	// Thread is the local part of the message id that all mails of an episode refer
	// to. No mail has that id: SES gives every mail its own.
	Thread string `json:"thread"`
}

// Lengths of the parts of a mail, in characters. Mail allows more; the limits keep a
// notice readable.
const (
	maxSubject = 160
	maxSummary = 8000
	maxFact    = 400
	maxSample  = 2000
	maxSamples = 8000

	summaryLines = 60
	sampleLines  = 30
)

// Render turns a notice into a frozen mail. Equal notices give equal bytes.
func Render(n notice.Notice) []byte {
	w := shorten(n.Words())
	return wire.JSON(mail{Subject: subject(n), Text: plainText(w), HTML: html(w), Thread: thread(n)})
}

// subject returns a subject whose base is the same throughout an episode. Mail
// programs ignore "Re:" when they compare subjects (RFC 5256, section 2.1), and some
// require it to thread.
func subject(n notice.Notice) string {
	base := notice.Plain.Clip(n.Subject(), 1, maxSubject)
	if follows := n.Action == incident.Remind || n.Action == incident.Resolve || n.Action == incident.SilenceEnded || n.Action == notice.ActionRestored; !follows || n.Unannounced {
		return base
	}
	return "Re: " + base
}

// thread derives the thread's id, so that every message of an episode has the same
// one without asking a store, and that of another stage, in the same mailbox, has
// another.
func thread(n notice.Notice) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s|%d:%s|%d", len(n.Environment), n.Environment, len(n.IncidentKey), n.IncidentKey, n.Episode))
	return "t1-" + hex.EncodeToString(sum[:10])
}

func shorten(w notice.Words) notice.Words {
	clip := notice.Plain.Clip
	w.Summary = clip(w.Summary, summaryLines, maxSummary)
	facts := make([]notice.Fact, len(w.Facts))
	for i, f := range w.Facts {
		facts[i] = notice.Fact{Label: f.Label, Value: clip(f.Value, 1, maxFact)}
	}
	w.Facts = facts
	samples := make([]string, len(w.Samples))
	for i, s := range w.Samples {
		samples[i] = clip(s, sampleLines, maxSample)
	}
	kept, more := notice.Plain.Fit(samples, maxSamples)
	if more > 0 {
		kept = append(kept[:len(kept):len(kept)], fmt.Sprintf("+%d more from the source", more))
	}
	w.Samples = kept
	return w
}
