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
	// AWS, if set, reaches tables on another server: no engine is started, and Env
	// must hold AWS_ENDPOINT_URL_DYNAMODB if it is needed.
	AWS *aws.Config
	// StateDir stores rows, checkpoints and failures over restarts. If it is empty, a
	// temporary directory is used, and the rows are in memory.
	StateDir string
	// StackName begins the names of the stack's tables and functions; empty is
	// "ringonce".
	StackName string
	// Pages is the loopback address that serves incident pages, with a link in each
	// message; empty for none. Links are signed with the secret that
	// RINGONCE_PAGE_SECRET in Env refers to, or with one of the state directory's
	// own.
	Pages string
	// Env is added to every function's environment, as KEY=value, and overrides the
	// template's.
	Env []string
	// Output receives what the functions print, and Problem what goes wrong with the
	// stack itself; both may be called concurrently. Either may be nil.
	Output  func(lambdaruntime.Line)
	Problem func(error)
	// PollEvery and Backoff are those of mapping.Config.
	PollEvery time.Duration
	Backoff   func(failures int) time.Duration
}

const defaultStackName = "ringonce"
