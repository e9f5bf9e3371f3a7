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

// prefix marks a signing secret in base64, as the libraries of Standard Webhooks
// expect it.
const prefix = "whsec_"

// minSecret is the least length of a signing secret in bytes; the scheme asks for 24
// to 64, and a short secret could be guessed.
const minSecret = 16

// sign returns the value of the signature header: one signature for each secret, so
// that a receiver that knows the old or the new secret of a rotation accepts it. The
// signed text is "ID.SECONDS.BODY". It returns false for an invalid secret.
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

// keyOf returns the bytes of a secret: its decoded base64, or the text itself.
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
