package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Claim is what a link lets its holder see: one episode of one incident, until a
// time.
type Claim struct {
	Key     string
	Episode int
	// Expires is the first second at which the link opens nothing.
	Expires time.Time
}

const (
	// folder is where all pages are; there is nothing else.
	folder = "/i/"
	// purpose keeps a secret that somebody uses twice from signing one thing as
	// another.
	purpose = "ringonce incident page 1\n"
	// maxPath is more than the longest key needs, which has 1,024 bytes.
	maxPath = 2048
)

// coding has one form for each value: Strict refuses bits that nobody reads.
var coding = base64.RawURLEncoding.Strict()

// path signs a claim: "/i/CLAIM.SIGNATURE". No character of it needs quoting
// anywhere.
func (c Claim) path(key []byte) string {
	said := c.text()
	return folder + coding.EncodeToString([]byte(said)) + "." + coding.EncodeToString(mac(key, said))
}

// text is what is signed. The incident's key comes last, whatever it holds.
func (c Claim) text() string {
	return strconv.FormatInt(c.Expires.Unix(), 10) + " " + strconv.Itoa(c.Episode) + " " + c.Key
}

func mac(key []byte, said string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(purpose + said))
	return h.Sum(nil)
}

// signed is a path taken apart; nothing in it is to be believed yet.
type signed struct {
	said  string
	mac   []byte
	claim Claim
}

// open takes a path apart. Only the one form that path writes is taken.
func open(path string) (signed, bool) {
	rest, ok := strings.CutPrefix(path, folder)
	if !ok || len(path) > maxPath {
		return signed{}, false
	}
	said, sum, _ := strings.Cut(rest, ".")
	text, err := coding.DecodeString(said)
	if err != nil {
		return signed{}, false
	}
	s := signed{said: string(text)}
	if s.mac, err = coding.DecodeString(sum); err != nil {
		return signed{}, false
	}
	s.claim, ok = parse(s.said)
	// The decoder skips line ends; written anew they are gone.
	again := folder + coding.EncodeToString(text) + "." + coding.EncodeToString(s.mac)
	return s, ok && again == path
}

// parse reads what text wrote, and nothing that text would write otherwise.
func parse(said string) (Claim, bool) {
	fields := strings.SplitN(said, " ", 3)
	if len(fields) != 3 || fields[2] == "" {
		return Claim{}, false
	}
	expires, err1 := strconv.ParseInt(fields[0], 10, 64)
	episode, err2 := strconv.Atoi(fields[1])
	c := Claim{Key: fields[2], Episode: episode, Expires: time.Unix(expires, 0).UTC()}
	return c, err1 == nil && err2 == nil && episode > 0 && c.text() == said
}

// by reports whether one of the keys has signed. It takes as long whichever it
// was, and however much of the signature was right.
func (s signed) by(keys [][]byte) bool {
	found := false
	for _, key := range keys {
		if hmac.Equal(mac(key, s.said), s.mac) {
			found = true
		}
	}
	return found
}
