package redact

import (
	"strings"
	"sync"
)

// form is the form that the value of a setting must have to be removed.
type form uint8

const (
	// none is the form for a name that means no secret.
	none form = iota
	// password and secret are any value; a password may hold any character.
	password
	secret
	// pass is any value but a count or an outcome: pass=3, first_pass=ok.
	pass
	// random is a value that is long and not a word.
	random
	// routing is a key of PagerDuty, 32 letters and digits ("Events API v2"): the
	// routing keys of message brokers are names.
	routing
	// checkDigits are 3 or 4, a card's; once are 4 to 8, a person's ("otp").
	checkDigits
	once
	// social is a United States social security number.
	social
)

// names are the ends of settings' names, in lower case and without separators. "pass"
// is not among them, since "bypass" is a word.
var names = []struct {
	form  form
	words []string
}{
	{password, []string{"password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "requirepass"}},
	{secret, []string{
		"authorization", "token", "secret", "apikey", "accesskey", "privatekey", "applicationkey", "secretkey", "encryptionkey",
		"signingkey", "accountkey", "signature",
	}},
	{random, []string{
		"appkey", "licensekey", "licencekey", "sharedkey", "masterkey", "storagekey", "consumerkey", "authkey", "subscriptionkey",
		"sshkey", "hmackey", "hmac", "sessionkey", "deploykey", "ingestkey", "ingestionkey", "writekey", "pingkey", "adminkey",
		"credential", "credentials", "creds", "auth", "jwt", "bearer", "sessid", "connectsid", "aspnetsessionid", "jsessionid",
		"gitlabsession", "laravelsession",
	}},
	{routing, []string{"routingkey", "integrationkey", "servicekey"}},
	{checkDigits, []string{"cvv", "cvc", "cardsecuritycode"}},
	{once, []string{"otp", "onetimecode", "verificationcode", "mfacode"}},
	{social, []string{"ssn", "socialsecuritynumber"}},
}

type ending struct {
	text string
	form form
}

// byLast finds the endings by their last letter.
var byLast = sync.OnceValue(func() *[128][]ending {
	var t [128][]ending
	for _, n := range names {
		for _, w := range n.words {
			last := w[len(w)-1]
			t[last] = append(t[last], ending{w, n.form})
		}
	}
	return &t
})

// tails are suffixes that a secret's name may have after its ending.
var tails = []string{
	"confirmation", "confirm", "hash", "digest", "value", "string", "plaintext", "plain", "base64", "encoded", "encrypted",
	"old", "new", "current", "previous",
}

// maxName is how much of a name is checked, in bytes.
const maxName = 48

// formOf returns the form of the value of a setting with this name.
func formOf(raw string) form {
	if bare := strings.TrimLeft(raw, "-"); passName(bare) {
		return pass
	}
	var buf [maxName]byte
	name := string(plainBytes(buf[:0], raw))
	for range 3 {
		if f := endingOf(name); f != none || name == "" {
			return f
		}
		shorter := strings.TrimRight(name, "0123456789")
		shorter = withoutTail(shorter)
		if shorter == name {
			return none
		}
		name = shorter
	}
	return none
}

func withoutTail(name string) string {
	for _, t := range tails {
		if name != "" && t[len(t)-1] == name[len(name)-1] && strings.HasSuffix(name, t) {
			return name[:len(name)-len(t)]
		}
	}
	return name
}

// Named reports whether a field, by its name, holds a secret: routing_key, dbPass.
func Named(name, value string) bool { return formOf(name).isSecret(value, true) }

// endingOf returns the form for a name's longest known ending.
func endingOf(name string) form {
	if name == "" || name[len(name)-1] >= 128 {
		return none
	}
	found, longest := none, 0
	for _, e := range byLast()[name[len(name)-1]] {
		if len(e.text) > longest && strings.HasSuffix(name, e.text) && (e.form < checkDigits || apartEnding(name, e.text)) {
			found, longest = e.form, len(e.text)
		}
	}
	return found
}

// apartEnding keeps a short ending from matching within a longer word: only nothing,
// or a word for a card or a user, may precede it.
func apartEnding(name, text string) bool {
	switch strings.TrimSuffix(name, text) {
	case "", "card", "user", "customer", "totp", "sms", "email", "login":
		return true
	default:
		return len(text) > 5
	}
}

// plainBytes reduces api_key, apiKey and API-Key to one spelling.
func plainBytes(to []byte, name string) []byte {
	for i := max(0, len(name)-maxName); i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			to = append(to, c|0x20)
		case strings.IndexByte("_-.[] ", c) < 0:
			to = append(to, c)
		}
	}
	return to
}

// plainName is plainBytes for a text of any length.
func plainName(name string) string { return string(plainBytes(nil, name)) }

// passName distinguishes pass, db_pass and dbPass from bypass and compass.
func passName(name string) bool {
	n := len(name) - len("pass")
	switch {
	case n < 0 || !strings.EqualFold(name[n:], "pass"):
		return false
	case n == 0, strings.IndexByte("_-.", name[n-1]) >= 0:
		return true
	case name[n] == 'P':
		return name[n-1] >= 'a' && name[n-1] <= 'z'
	default:
		head := strings.ToLower(name[max(0, n-5):n])
		for _, of := range []string{"db", "user", "admin", "root", "store", "key"} {
			if strings.HasSuffix(head, of) {
				return true
			}
		}
		return false
	}
}

// affixed distinguishes an identifier, such as db_password or dbPassword, from a
// word.
func affixed(name string) bool {
	name = strings.TrimLeft(name, "-")
	for i := 1; i < len(name); i++ {
		if strings.IndexByte("_-.", name[i]) >= 0 || name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			return true
		}
	}
	return false
}
