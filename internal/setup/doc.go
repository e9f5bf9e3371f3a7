// Package setup is what the mains of all functions do before their first
// event: it reads the environment and the configuration, starts the log and
// prepares the AWS clients. Each start of a function pays for what is in here.
package setup

// Env reads an environment variable: os.Getenv, or a test's own.
type Env func(string) string

// The environment variables that functions read, besides the AWS SDK's own.
const (
	ConfigVar   = "RINGONCE_CONFIG"
	LogLevelVar = "RINGONCE_LOG_LEVEL"
	// ConfigurationSetVar names the configuration set that mails are sent with;
	// none if it is empty.
	ConfigurationSetVar = "RINGONCE_SES_CONFIGURATION_SET"
)
