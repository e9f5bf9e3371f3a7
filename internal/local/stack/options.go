package stack

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/local/lambdaruntime"
)

// Options say what to run and where.
type Options struct {
	// Template is the path of template.yaml.
	Template string
	// FunctionsDir holds NAME/bootstrap for each function of the template.
	FunctionsDir string
	// Engine is the DynamoDB engine's binary; empty is the one installed under
	// .tools.
	Engine string
	// AWS, when set, reaches tables that somebody else serves: no engine is
	// started, and Env must hold AWS_ENDPOINT_URL_DYNAMODB where it is needed.
	AWS *aws.Config
	// StateDir keeps rows, checkpoints and failures over restarts. Empty is a
	// temporary directory, and the rows in memory.
	StateDir string
	// StackName is what the stack's tables and functions are named after; empty
	// is "ringonce".
	StackName string
	// Pages is the loopback address on which incident pages are served, with a
	// link in each message; empty is no pages. Their links are signed with what
	// RINGONCE_PAGE_SECRET in Env refers to, or with a secret of the state's own.
	Pages string
	// Env is added to every function's environment, as KEY=value, over what the
	// template says.
	Env []string
	// Output receives what the functions print, and Problem what goes wrong with
	// the stack itself; both may be called from several goroutines at once.
	// Either may be nil.
	Output  func(lambdaruntime.Line)
	Problem func(error)
	// PollEvery and Backoff are those of mapping.Config.
	PollEvery time.Duration
	Backoff   func(failures int) time.Duration
}

const defaultStackName = "ringonce"
