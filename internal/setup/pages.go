package setup

// The environment variables for incident pages.
const (
	// PageSecretVar is a reference to the secret that signs links; empty for no
	// pages.
	PageSecretVar = "RINGONCE_PAGE_SECRET"
	// PageURLVar is the address that serves the pages, and PageDaysVar how many days
	// a link is valid.
	PageURLVar  = "RINGONCE_PAGE_URL"
	PageDaysVar = "RINGONCE_PAGE_DAYS"
)
