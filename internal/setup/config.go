package setup

import (
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// DefaultConfig is the configuration's file if RINGONCE_CONFIG names none.
const DefaultConfig = "ringonce.yaml"

// ConfigPath returns the path of the configuration's file.
func ConfigPath(env Env) string {
	if path := env(ConfigVar); path != "" {
		return path
	}
	return DefaultConfig
}

// Config reads the configuration. The error holds every mistake, one per line; a
// configuration that `ringonce validate` accepts has none.
func Config(env Env) (*config.Config, error) {
	cfg, _, err := config.Load(ConfigPath(env), preset.FS)
	return cfg, err
}

// ConfigForSending reads what a function needs that neither polls nor decides; see
// config.LoadForSending.
func ConfigForSending(env Env) (*config.Config, error) {
	return config.LoadForSending(ConfigPath(env))
}
