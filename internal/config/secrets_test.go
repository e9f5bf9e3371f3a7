package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustRead(path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return data
}

// secretShapes are credentials as people paste them.
var secretShapes = []*rapid.Generator[string]{
	rapid.StringMatching(`https://hooks\.slack\.com/services/T[0-9A-Z]{8}/B[0-9A-Z]{8}/[0-9A-Za-z]{24}`),
	rapid.StringMatching(`xoxb-[0-9]{10}-[0-9a-zA-Z]{20}`),
	rapid.StringMatching(`[a-f]{3}[0-9]{4}[0-9a-f]{25}`),
	rapid.StringMatching(`ghp_[0-9A-Za-z]{36}`),
	rapid.StringMatching(`eyJ[0-9A-Za-z]{20}\.eyJ[0-9A-Za-z]{20}\.[0-9A-Za-z_-]{20}`),
	rapid.StringMatching(`[a-z]{5,9}@[a-z]{5,9}\.example`),
	rapid.StringMatching(`https://[a-z]{6}:[a-z]{12}@[a-z]{6}\.example/`),
}

// TestNoSecretInAnyProblem puts a secret in place of each value and each name
// of a good file: whatever is said about it does not repeat it (case C7).
func TestNoSecretInAnyProblem(t *testing.T) {
	good := string(mustRead(testdata + "good/full.yaml"))
	lines := strings.Split(good, "\n")
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.OneOf(secretShapes...).Draw(t, "secret")
		n := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		damaged := make([]string, len(lines))
		copy(damaged, lines)
		damaged[n] = withSecret(t, lines[n], secret)
		problems := Read("ringonce.yaml", []byte(strings.Join(damaged, "\n")), testPresets()).Problems
		if text := problems.Error(); strings.Contains(text, secret) {
			t.Fatalf("line %d, %q, gives\n%s", n+1, damaged[n], text)
		}
	})
}

// withSecret replaces one word of a line.
func withSecret(t *rapid.T, line, secret string) string {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" {}[],:\"'", r) })
	if len(words) == 0 {
		return fmt.Sprintf("%q", secret)
	}
	word := rapid.SampledFrom(words).Draw(t, "word")
	return strings.Replace(line, word, fmt.Sprintf("%q", secret), 1)
}

// TestSecretsInTheirFields tries every shape in every field that takes a
// reference: refused, and not repeated.
func TestSecretsInTheirFields(t *testing.T) {
	for _, field := range []string{
		"ssm:/ringonce/slack-payments", "ssm:/ringonce/tracker-token", "env:LEGACY_PASSWORD", "file:/run/secrets/legacy",
	} {
		rapid.Check(t, func(t *rapid.T) {
			secret := rapid.OneOf(append(secretShapes, rapid.StringMatching(`[a-z]{12}`))...).Draw(t, "secret")
			data := strings.Replace(string(mustRead(testdata+"good/full.yaml")), field, secret, 1)
			problems := Read("ringonce.yaml", []byte(data), testPresets()).Problems
			if len(problems.Of(Mistake)) == 0 || strings.Contains(problems.Error(), secret) {
				t.Fatalf("in place of %s, the secret gives\n%s", field, problems)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	for value, want := range map[string]bool{
		"ssm:/ringonce/slack": true, "ssm:ringonce.slack": true, "env:TOKEN_2": true, "file:/run/secrets/a b": true, "file:token": true,
		"": false, "ssm:": false, "ssm:/": false, "ssm:/a//b": false, "ssm:/a b": false, "env:2TOKEN": false, "env:a-b": false,
		"file:": false, "file:a\nb": false, "https://x.example": false, "TOKEN": false, "SSM:/a": false, "vault:/a": false,
	} {
		if got := IsReference(value); got != want {
			t.Errorf("IsReference(%q) is %v", value, got)
		}
	}
}

func TestHarmlessTextsAreNoTokens(t *testing.T) {
	for _, text := range []string{
		"asia-northeast1-production", "application/json; charset=utf-8", "is:unresolved level:error", "basic authentication fails",
		"token validation failed in checkout", "project_id=1234567890", "2026-01-02T03:04:05Z", "eyJ",
	} {
		if holdsToken(text) {
			t.Errorf("%q is taken for a credential", text)
		}
	}
}

// TestTokensHoldTheirMarks: an expression is asked only where its mark is.
func TestTokensHoldTheirMarks(t *testing.T) {
	for _, token := range tokens {
		t.Run(token.mark, func(t *testing.T) {
			like := rapid.StringMatching(token.form().String())
			rapid.Check(t, func(t *rapid.T) {
				if text := like.Draw(t, "text"); !strings.Contains(text, token.mark) {
					t.Fatalf("%q is taken for a token and does not hold %q", text, token.mark)
				}
			})
		})
	}
}
