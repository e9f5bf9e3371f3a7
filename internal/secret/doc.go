// Package secret turns references in the configuration into secrets, and keeps
// them from being printed.
//
// A reference is ssm:NAME, a SecureString in the SSM Parameter Store; env:NAME,
// an environment variable; or file:PATH, a file. Values are kept for five
// minutes, and read again at once after Invalidate: whoever is refused with a
// secret invalidates it, so that a rotated one is taken up without a restart.
package secret
