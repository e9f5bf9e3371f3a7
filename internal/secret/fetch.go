package secret

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/smithy-go"

	"github.com/ringonce/ringonce/internal/redact"
)

// batchSize is the most parameters of one GetParameters call.
const batchSize = 10

// result is the result of reading one reference.
type result struct {
	text string
	err  error
}

func (r *Resolver) fetch(ctx context.Context, reads map[string]*read) map[string]result {
	results := make(map[string]result, len(reads))
	var names []string
	for ref := range reads {
		scheme, name, _ := strings.Cut(ref, ":")
		switch {
		case name == "":
			results[ref] = result{err: ErrReference}
		case scheme == "env":
			results[ref] = r.fromEnv(ref, name)
		case scheme == "file":
			results[ref] = r.fromFile(ref, name)
		case scheme == "ssm":
			names = append(names, name)
		default:
			results[ref] = result{err: ErrReference}
		}
	}
	slices.Sort(names)
	for batch := range slices.Chunk(names, batchSize) {
		r.fromSSM(ctx, batch, results)
	}
	return results
}

func (r *Resolver) fromEnv(ref, name string) result {
	text, _ := r.opts.LookupEnv(name)
	if text == "" {
		return failure(ref, "the environment variable is not set or empty; set it for this process")
	}
	return result{text: text}
}

func (r *Resolver) fromFile(ref, path string) result {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.opts.Dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return failure(ref, fileWords(err))
	}
	if info.Mode().Perm()&0o004 != 0 {
		r.opts.Log.Warn("everybody on this machine can read a secret's file; chmod 600 it", "reference", ref)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return failure(ref, fileWords(err))
	}
	text := strings.TrimRight(string(content), "\r\n")
	if text == "" {
		return failure(ref, "the file is empty; write the secret into it")
	}
	return result{text: text}
}

func fileWords(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file; create it with the secret as its only line"
	case errors.Is(err, fs.ErrPermission):
		return "the file may not be read by this process; give it to the process's user"
	default:
		return "the file cannot be read"
	}
}

func (r *Resolver) fromSSM(ctx context.Context, names []string, results map[string]result) {
	for _, name := range names {
		results["ssm:"+name] = failure("ssm:"+name, "there is no such parameter in this account and region; create it as a SecureString")
	}
	if r.opts.Parameters == nil {
		fail(results, names, "parameters are read in AWS only; use env:NAME or file:PATH on this machine")
		return
	}
	out, err := r.opts.Parameters.GetParameters(ctx, &ssm.GetParametersInput{Names: names, WithDecryption: aws.Bool(true)})
	if err != nil {
		fail(results, names, "reading the parameter failed: "+ssmWords(err))
		return
	}
	for _, p := range out.Parameters {
		if aws.ToString(p.Value) != "" {
			results["ssm:"+aws.ToString(p.Name)] = result{text: aws.ToString(p.Value)}
		}
	}
}

// ssmWords returns AWS's error code, or fixed words where there was no answer.
func ssmWords(err error) string {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return redact.Error(err)
	}
	if strings.Contains(api.ErrorCode(), "AccessDenied") {
		return api.ErrorCode() + "; the function's role needs ssm:GetParameters on it, and kms:Decrypt if it has a key of its own"
	}
	return api.ErrorCode()
}

func fail(results map[string]result, names []string, what string) {
	for _, name := range names {
		results["ssm:"+name] = failure("ssm:"+name, what)
	}
}

func failure(ref, what string) result { return result{err: fmt.Errorf("secret %s: %s", ref, what)} }
