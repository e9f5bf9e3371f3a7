// Package setup does what the mains of all functions do before their first event: it
// reads the environment and the configuration, starts the log and prepares the AWS
// clients. Everything here adds to each function's cold start.
package setup

// Env reads an environment variable: os.Getenv, or a test's own.
type Env func(string) string

// The environment variables that functions read, besides the AWS SDK's own.
const (
	ConfigVar   = "RINGONCE_CONFIG"
	LogLevelVar = "RINGONCE_LOG_LEVEL"
	// ConfigurationSetVar is the SES configuration set that mails are sent with;
	// empty for none.
	ConfigurationSetVar = "RINGONCE_SES_CONFIGURATION_SET"
)
