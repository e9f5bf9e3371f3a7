// Page is the optional Lambda function behind a function URL: it serves the page of
// one incident to anyone who has a signed link from one of its messages.
package main

import (
	"os"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/pages"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
)

func main() { setup.Main(wire, setup.Observations, setup.Incidents, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	vault := secrets.New(b.AWS, b.Log)
	checker := &pages.Checker{Secret: os.Getenv(setup.PageSecretVar), Secrets: vault, Now: setup.Now}
	secrets.Load(vault, []string{checker.Secret}, b.Log)
	store := b.Store()
	b.Serve(b.Counted(handler{b.Log, checker, &explain.Explainer{Store: store, Config: b.Config}, setup.Now, store}.handle))
	return nil
}
