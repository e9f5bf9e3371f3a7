package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/secret"
)

// case C7: a secret prints as *** in every way that Go prints.
func TestSecretIsNeverPrinted(t *testing.T) {
	const value = "xoxb-hunter2"
	s := secret.Secret(value)
	holder := struct {
		S  secret.Secret
		P  *secret.Secret
		M  map[string]secret.Secret
		In any
	}{s, &s, map[string]secret.Secret{"k": s}, s}

	printed := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%10.3s"} {
		printed[verb] = fmt.Sprintf(verb, s)
		printed[verb+" of a struct"] = fmt.Sprintf(verb, holder)
	}
	printed["String"], printed["GoString"] = s.String(), s.GoString()
	asJSON, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	printed["JSON"] = string(asJSON)
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var b bytes.Buffer
		slog.New(handler(&b)).Info("x", "secret", s, "holder", holder, slog.Group("g", "s", s))
		printed["slog "+name] = b.String()
	}
	printed["error"] = fmt.Errorf("x %w", fmt.Errorf("y %v", s)).Error()

	for how, text := range printed {
		if strings.Contains(text, value) || strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", value)) {
			t.Errorf("%s prints it: %s", how, text)
		}
		if !strings.Contains(text, "***") {
			t.Errorf("%s does not say that there is one: %s", how, text)
		}
	}
	if s.Reveal() != value {
		t.Errorf("Reveal: %q", s.Reveal())
	}
}
