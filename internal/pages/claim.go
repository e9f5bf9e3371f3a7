package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Claim is what a link grants: access to one episode of one incident until a time.
type Claim struct {
	Key     string
	Episode int
	// Expires is the first second at which the link is invalid.
	Expires time.Time
}

const (
	// folder is the path prefix of all pages.
	folder = "/i/"
	// purpose is part of the signed text, so that a secret that is also used elsewhere
	// does not make signatures interchangeable.
	purpose = "ringonce incident page 1\n"
	// maxPath is enough for the longest key, which has 1,024 bytes.
	maxPath = 2048
)

// coding has exactly one encoding per value: Strict rejects non-zero trailing bits.
var coding = base64.RawURLEncoding.Strict()

// path returns the signed path of a claim, "/i/CLAIM.SIGNATURE". None of its characters
// needs escaping in markup.
func (c Claim) path(key []byte) string {
	text := c.text()
	return folder + coding.EncodeToString([]byte(text)) + "." + coding.EncodeToString(mac(key, text))
}

// text returns the signed text. The incident's key comes last, since it may contain
// spaces.
func (c Claim) text() string {
	return strconv.FormatInt(c.Expires.Unix(), 10) + " " + strconv.Itoa(c.Episode) + " " + c.Key
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(purpose + text))
	return h.Sum(nil)
}

// signed is a parsed path whose signature is not verified yet.
type signed struct {
	text  string
	mac   []byte
	claim Claim
}

// open parses a path. It accepts only the exact form that Claim.path writes.
func open(path string) (signed, bool) {
	rest, ok := strings.CutPrefix(path, folder)
	if !ok || len(path) > maxPath {
		return signed{}, false
	}
	encoded, sum, _ := strings.Cut(rest, ".")
	text, err := coding.DecodeString(encoded)
	if err != nil {
		return signed{}, false
	}
	s := signed{text: string(text)}
	if s.mac, err = coding.DecodeString(sum); err != nil {
		return signed{}, false
	}
	s.claim, ok = parse(s.text)
	// The decoder ignores line ends, so compare with the canonical encoding.
	again := folder + coding.EncodeToString(text) + "." + coding.EncodeToString(s.mac)
	return s, ok && again == path
}

// parse parses the output of Claim.text. It rejects any other form.
func parse(text string) (Claim, bool) {
	fields := strings.SplitN(text, " ", 3)
	if len(fields) != 3 || fields[2] == "" {
		return Claim{}, false
	}
	expires, err1 := strconv.ParseInt(fields[0], 10, 64)
	episode, err2 := strconv.Atoi(fields[1])
	c := Claim{Key: fields[2], Episode: episode, Expires: time.Unix(expires, 0).UTC()}
	return c, err1 == nil && err2 == nil && episode > 0 && c.text() == text
}

// by reports whether one of the keys made the signature, in time that depends neither on
// which one nor on how much of the signature is right.
func (s signed) by(keys [][]byte) bool {
	found := false
	for _, key := range keys {
		if hmac.Equal(mac(key, s.text), s.mac) {
			found = true
		}
	}
	return found
}
