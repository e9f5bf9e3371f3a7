// Package secret turns references in the configuration into secrets, and keeps
// them from being printed.
//
// A reference is ssm:NAME, a SecureString in the SSM Parameter Store; env:NAME, an
// environment variable; or file:PATH, a file. Values are cached for five minutes.
// Invalidate drops one: a caller whose secret is refused invalidates it, so that a
// rotated secret is picked up without a restart.
package secret
