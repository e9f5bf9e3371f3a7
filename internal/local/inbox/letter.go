package inbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/mail"
	"regexp"
	"slices"
	"strings"
)

// The limits of SendEmail ("MessageHeader" and "MessageTag" in the API reference of
// SES, and its service quotas). Of the two documented lengths of a header's value,
// the older applies.
const (
	maxRecipients  = 50
	maxHeaders     = 15
	maxHeaderName  = 126
	maxHeaderValue = 870
)

var (
	headerName  = regexp.MustCompile(`^[!-9;-@A-~]+$`)
	headerValue = regexp.MustCompile(`^[ -~]+$`)
	tagText     = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)
	sevenBit    = regexp.MustCompile(`^[ -~]+$`)
)

// ownHeaders are set by SES itself, some of them from other parts of a request.
var ownHeaders = []string{
	"bcc", "cc", "content-transfer-encoding", "content-type", "date", "dkim-signature", "from", "message-id",
	"mime-version", "reply-to", "return-path", "sender", "subject", "to",
}

// sendEmail is the part of a SendEmail request that this inbox understands.
type sendEmail struct {
	FromEmailAddress     string
	ConfigurationSetName string
	ReplyToAddresses     []string
	Destination          struct{ ToAddresses, CcAddresses, BccAddresses []string }
	EmailTags            []pair
	Content              struct {
		Simple *struct {
			Subject content
			Body    struct{ Text, HTML *content }
			Headers []pair
		}
	}
}

type pair struct{ Name, Value string }

type content struct{ Data, Charset string }

// readLetter reads a request as SES would, or returns SES's exception for it.
func readLetter(r *http.Request, body []byte) (*Letter, *refusal) {
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") {
		return nil, &refusal{http.StatusForbidden, "MissingAuthenticationTokenException", "the request is not signed"}
	}
	var req sendEmail
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&req); err != nil {
		return nil, bad("the body is not a SendEmail request: %v", err)
	}
	if req.Content.Simple == nil {
		return nil, bad("this inbox takes simple messages only")
	}
	l, err := req.letter()
	if err != nil {
		return nil, bad("%v", err)
	}
	return l, nil
}

func bad(format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, "BadRequestException", fmt.Sprintf(format, args...)}
}

func (q sendEmail) letter() (*Letter, error) {
	simple := q.Content.Simple
	l := &Letter{From: q.FromEmailAddress, Headers: map[string]string{}, Tags: map[string]string{}}
	l.To = slices.Concat(q.Destination.ToAddresses, q.Destination.CcAddresses, q.Destination.BccAddresses)
	if simple.Body.Text != nil {
		l.Text = simple.Body.Text.Data
	}
	if simple.Body.HTML != nil {
		l.HTML = simple.Body.HTML.Data
	}
	for _, check := range []error{
		l.checkAddresses(), l.setSubject(simple.Subject.Data), l.setHeaders(simple.Headers), l.setTags(q.EmailTags),
	} {
		if check != nil {
			return nil, check
		}
	}
	if l.Text == "" && l.HTML == "" {
		return nil, fmt.Errorf("the message has no body")
	}
	return l, nil
}

func (l *Letter) checkAddresses() error {
	if _, err := mail.ParseAddress(l.From); err != nil || !sevenBit.MatchString(l.From) {
		return fmt.Errorf("the From address is not valid")
	}
	if n := len(l.To); n == 0 || n > maxRecipients {
		return fmt.Errorf("%d recipients: want 1 to %d", n, maxRecipients)
	}
	for i, to := range l.To {
		if _, err := mail.ParseAddress(to); err != nil || !sevenBit.MatchString(to) {
			return fmt.Errorf("recipient %d is not an address, or not 7-bit and not encoded", i+1)
		}
	}
	return nil
}

func (l *Letter) setSubject(raw string) error {
	if !sevenBit.MatchString(raw) {
		return fmt.Errorf("the subject is empty, has a line break, or is not 7-bit and not encoded")
	}
	var err error
	if l.Subject, err = new(mime.WordDecoder).DecodeHeader(raw); err != nil {
		return fmt.Errorf("the subject is not well encoded")
	}
	return nil
}

func (l *Letter) setHeaders(headers []pair) error {
	if len(headers) > maxHeaders {
		return fmt.Errorf("%d headers: at most %d", len(headers), maxHeaders)
	}
	for _, h := range headers {
		_, twice := l.Headers[h.Name]
		switch {
		case len(h.Name) > maxHeaderName || !headerName.MatchString(h.Name) || twice:
			return fmt.Errorf("a header's name is not valid or is given twice")
		case len(h.Value) > maxHeaderValue || !headerValue.MatchString(h.Value):
			return fmt.Errorf("the value of header %s is not valid", h.Name)
		case slices.Contains(ownHeaders, strings.ToLower(h.Name)):
			return fmt.Errorf("header %s may not be set", h.Name)
		}
		l.Headers[h.Name] = h.Value
	}
	return nil
}

func (l *Letter) setTags(tags []pair) error {
	for _, t := range tags {
		if !tagText.MatchString(t.Name) || !tagText.MatchString(t.Value) {
			return fmt.Errorf("a message tag has characters other than letters, digits, _ and -")
		}
		l.Tags[t.Name] = t.Value
	}
	return nil
}

// deliveryID returns the id in the tags or, for a mail without tags, in the text.
func (l *Letter) deliveryID() string {
	for _, v := range l.Tags {
		if id := lastID(v); id != "" {
			return id
		}
	}
	return lastID(l.Text)
}
