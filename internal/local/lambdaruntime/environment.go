package lambdaruntime

import (
	"path/filepath"
	"strings"
)

// The region and the account of local functions. AWS has never assigned the account.
const (
	defaultRegion = "us-east-1"
	account       = "000000000000"
)

// ARN returns the function's local ARN.
func (f *Function) ARN() string {
	return "arn:aws:lambda:" + f.region() + ":" + account + ":function:" + f.Name
}

func (f *Function) region() string {
	if r, ok := lookup(f.Env, "AWS_REGION"); ok {
		return r
	}
	return defaultRegion
}

// environment returns the variables of one process: Lambda's own ("Defined
// runtime environment variables" in the AWS Lambda developer guide) around the
// function's. Later entries win.
func (f *Function) environment(binary, runtimeAPI string) []string {
	env := []string{
		"PATH=/usr/local/bin:/usr/bin:/bin",
		"TZ=:UTC",
		"AWS_REGION=" + f.region(),
		"AWS_DEFAULT_REGION=" + f.region(),
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512",
	}
	if !bringsCredentials(f.Env) {
		// An engine on loopback accepts any credentials but requires some.
		env = append(env, "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local")
	}
	env = append(env, f.Env...)
	return append(env,
		"AWS_LAMBDA_RUNTIME_API="+runtimeAPI,
		"AWS_LAMBDA_FUNCTION_NAME="+f.Name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/"+f.Name,
		"AWS_LAMBDA_LOG_STREAM_NAME=local",
		"_HANDLER="+filepath.Base(binary),
		"LAMBDA_TASK_ROOT="+filepath.Dir(binary),
	)
}

// bringsCredentials reports whether the environment sets the AWS credentials to use,
// as it does if mail is sent through the real SES.
func bringsCredentials(env []string) bool {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"} {
		if v, ok := lookup(env, name); ok && v != "" {
			return true
		}
	}
	return false
}

func lookup(env []string, name string) (value string, found bool) {
	for _, entry := range env {
		if key, v, _ := strings.Cut(entry, "="); key == name {
			value, found = v, true
		}
	}
	return value, found
}
