package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// prefix marks a signing secret that is written in base64, as the libraries of
// Standard Webhooks want it.
const prefix = "whsec_"

// minSecret is the least length of a signing secret in bytes; the scheme asks
// for 24 to 64, and a short one could be found by trying.
const minSecret = 16

// sign makes the value of the signature header: one signature for each secret,
// so that a receiver that knows the old or the new one of a rotation accepts.
// What is signed is "ID.SECONDS.BODY". It returns false for a secret that will
// not do.
func sign(secrets, id string, at time.Time, body []byte) (string, bool) {
	var signatures []string
	for _, s := range strings.Fields(secrets) {
		key, ok := keyOf(s)
		if !ok {
			return "", false
		}
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.", id, seconds(at))
		mac.Write(body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(signatures, " "), len(signatures) > 0
}

// keyOf is the bytes of a secret: what its base64 says, or itself.
func keyOf(secret string) ([]byte, bool) {
	key := []byte(secret)
	if coded, ok := strings.CutPrefix(secret, prefix); ok {
		var err error
		if key, err = base64.StdEncoding.DecodeString(coded); err != nil {
			return nil, false
		}
	}
	return key, len(key) >= minSecret
}

func seconds(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
