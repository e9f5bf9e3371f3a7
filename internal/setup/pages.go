package setup

// The environment variables about incident pages.
const (
	// PageSecretVar refers to what their links are signed with; empty is no pages.
	PageSecretVar = "RINGONCE_PAGE_SECRET"
	// PageURLVar is where they are served, and PageDaysVar how many days a link
	// is valid.
	PageURLVar  = "RINGONCE_PAGE_URL"
	PageDaysVar = "RINGONCE_PAGE_DAYS"
)
