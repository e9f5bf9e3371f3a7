package incident

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringonce/ringonce/internal/observation"
)

const (
	keyVersion = "k1"
	// maxValue bounds one value inside a key; a longer one ends in its hash.
	maxValue = 160
	// maxKey stays well below DynamoDB's limit of 2,048 bytes for a partition
	// key value, which its "Quotas" page gives.
	maxKey = 1024
)

// The kinds of incidents that polls report about a source itself. Configuration
// rejects a source whose keys could collide with these.
const (
	// KindHeartbeat means that a source cannot be read completely.
	KindHeartbeat = "heartbeat"
	// KindOverflow stands for many simultaneous failures that are not announced
	// individually.
	KindOverflow = "overflow"
)

// ErrKeyPart reports an identity that cannot be built: no parts, a part
// without a name or a value, or a name used twice.
var ErrKeyPart = errors.New("incident key")

// Key builds the durable identity of an incident from its kind and its named
// parts, in the order given: k1/error/project=checkout/issue=42.
//
// Separators inside a kind, name or value are percent-escaped, so two
// different part lists never give the same key. A long value keeps its head
// and ends in "~" and a hash of the whole; so does a long key.
func Key(kind string, parts []observation.Part) (string, error) {
	if kind == "" {
		return "", fmt.Errorf("%w: the kind is empty", ErrKeyPart)
	}
	if len(parts) == 0 {
		return "", fmt.Errorf("%w: there are no parts", ErrKeyPart)
	}
	var b strings.Builder
	b.WriteString(keyVersion + "/" + escape(kind))
	seen := make(map[string]bool, len(parts))
	for i, p := range parts {
		switch {
		case p.Name == "":
			return "", fmt.Errorf("%w: part %d has no name", ErrKeyPart, i+1)
		case p.Value == "":
			return "", fmt.Errorf("%w: part %q is missing or empty", ErrKeyPart, p.Name)
		case seen[p.Name]:
			return "", fmt.Errorf("%w: part %q is given twice", ErrKeyPart, p.Name)
		}
		seen[p.Name] = true
		b.WriteString("/" + escape(p.Name) + "=" + boundedValue(p.Value))
	}
	return boundedKey(b.String()), nil
}

func boundedValue(v string) string {
	if len(v) <= maxValue {
		return escape(v)
	}
	return escape(head(v, maxValue)) + "~" + shortHash(v)
}

func boundedKey(k string) string {
	if len(k) <= maxKey {
		return k
	}
	// A cut inside an escape is harmless: the hash distinguishes keys, the head
	// only helps a reader.
	return head(k, maxKey-40) + "~~" + shortHash(k)
}

// escape percent-escapes the separators of a key, "~" (which marks a hash), "%",
// white space and unprintable characters. Everything else stays readable.
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError || strings.ContainsRune("/=%~#", r) || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			_, size := utf8.DecodeRuneInString(s[i:])
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// head returns the first n bytes of s, or fewer to end at a rune boundary.
func head(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
