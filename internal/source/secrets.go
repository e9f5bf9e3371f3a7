package source

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
)

// credentials are a request's headers with its secrets filled in.
type credentials struct {
	header http.Header
	// refs are the references behind the headers; secrets are their values.
	refs    []string
	secrets []string
}

// isReference reports whether a value is a reference to a secret rather than a
// literal.
func isReference(v string) bool {
	for _, scheme := range []string{"ssm:", "env:", "file:"} {
		if strings.HasPrefix(v, scheme) {
			return true
		}
	}
	return false
}

func (c *Client) resolve(ctx context.Context, r config.Request) (credentials, error) {
	cr := credentials{header: make(http.Header)}
	cr.header.Set("User-Agent", "ringonce")
	cr.header.Set("Accept", "application/json")
	if r.Body != "" {
		cr.header.Set("Content-Type", "application/json")
	}
	for name, value := range r.Headers {
		v, err := c.value(ctx, &cr, value)
		if err != nil {
			return cr, fmt.Errorf("headers.%s: %w", name, err)
		}
		cr.header.Set(name, v)
	}
	return cr, c.authorize(ctx, &cr, r)
}

func (c *Client) authorize(ctx context.Context, cr *credentials, r config.Request) error {
	if r.Bearer != "" {
		token, err := c.value(ctx, cr, r.Bearer)
		if err != nil {
			return fmt.Errorf("bearer: %w", err)
		}
		cr.secrets = append(cr.secrets, token)
		cr.header.Set("Authorization", "Bearer "+token)
	}
	if r.BasicUser != "" || r.BasicPassword != "" {
		user, err := c.value(ctx, cr, r.BasicUser)
		if err != nil {
			return fmt.Errorf("basic_user: %w", err)
		}
		password, err := c.value(ctx, cr, r.BasicPassword)
		if err != nil {
			return fmt.Errorf("basic_password: %w", err)
		}
		pair := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
		cr.secrets = append(cr.secrets, password, pair)
		cr.header.Set("Authorization", "Basic "+pair)
	}
	return nil
}

// value returns a literal unchanged and resolves a reference.
func (c *Client) value(ctx context.Context, cr *credentials, v string) (string, error) {
	if !isReference(v) {
		return v, nil
	}
	if c.opts.Secrets == nil {
		return "", fmt.Errorf("%s refers to a secret, but no secrets can be read here", v)
	}
	secret, err := c.opts.Secrets.Resolve(ctx, v)
	if err != nil {
		if strings.Contains(err.Error(), v) {
			return "", err // it says which
		}
		return "", fmt.Errorf("read %s: %w", v, err)
	}
	if secret == "" {
		return "", fmt.Errorf("%s is empty; store the secret there", v)
	}
	if strings.ContainsAny(secret, "\r\n") {
		return "", errors.New(v + " holds a line break, which a header cannot carry; store it without")
	}
	cr.refs = append(cr.refs, v)
	cr.secrets = append(cr.secrets, secret)
	return secret, nil
}

// refused invalidates the secrets that the vendor did not accept.
func (f *fetch) refused() {
	for _, ref := range f.auth.refs {
		f.client.opts.Secrets.Invalidate(ref)
	}
}
