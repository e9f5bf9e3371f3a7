//go:build mockaws

package infra_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mock is moto's server, which plays AWS, and the AWS CLI that talks to it.
type mock struct {
	cli string
	env []string
}

var running = regexp.MustCompile(`Running on (http://127\.0\.0\.1:\d+)`)

// startMock starts a mock AWS of this test's own on a free port. The variable
// names the directory that make has installed it in.
func startMock(t *testing.T) *mock {
	t.Helper()
	bin := os.Getenv("RINGONCE_MOCK_AWS")
	if bin == "" {
		t.Fatal("RINGONCE_MOCK_AWS names no directory with moto_server and aws: run make deploy-mock")
	}
	m := &mock{cli: filepath.Join(bin, "aws"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "AWS_EC2_METADATA_DISABLED=true", "AWS_PAGER=", "NO_PROXY=*",
		"AWS_ACCESS_KEY_ID=mock", "AWS_SECRET_ACCESS_KEY=mock", "AWS_DEFAULT_REGION=eu-central-1", "AWS_MAX_ATTEMPTS=1",
	}}
	server := exec.Command(filepath.Join(bin, "moto_server"), "-H", "127.0.0.1", "-p", "0")
	server.Env = m.env
	output, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // killed
	})
	var told []string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		told = append(told, lines.Text())
		if found := running.FindStringSubmatch(lines.Text()); found != nil {
			m.env = append(m.env, "AWS_ENDPOINT_URL="+found[1])
			go drain(lines)
			return m
		}
	}
	t.Fatalf("the mock AWS does not start:\n%s", strings.Join(told, "\n"))
	return nil
}

// drain keeps the server from waiting for somebody to read its log.
func drain(lines *bufio.Scanner) {
	for lines.Scan() {
	}
}

// aws runs the AWS CLI and reads its answer, if it is to be read. The mock makes a
// whole stack before it answers. However long that takes, it is not asked again: it
// would be told to make what is there.
func (m *mock) aws(t *testing.T, answer any, arguments ...string) {
	t.Helper()
	cmd := exec.Command(m.cli, append([]string{"--output", "json", "--cli-read-timeout", "0", "--cli-connect-timeout", "0"}, arguments...)...)
	cmd.Env = m.env
	var problems strings.Builder
	cmd.Stderr = &problems
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("aws %s: %v\n%s", strings.Join(arguments, " "), err, problems.String())
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(output, answer); err != nil {
		t.Fatalf("aws %s: %v in %s", strings.Join(arguments, " "), err, output)
	}
}

// status asks for what CloudFormation says of a stack.
func (m *mock) status(t *testing.T, stack string) string {
	t.Helper()
	var answer struct {
		Stacks []struct{ StackStatus string }
	}
	m.aws(t, &answer, "cloudformation", "describe-stacks", "--stack-name", stack)
	return answer.Stacks[0].StackStatus
}

// physical maps the logical ids of a stack to what they are named in AWS.
func (m *mock) physical(t *testing.T, stack string) map[string]string {
	t.Helper()
	var answer struct {
		StackResourceSummaries []struct{ LogicalResourceId, PhysicalResourceId string }
	}
	m.aws(t, &answer, "cloudformation", "list-stack-resources", "--stack-name", stack)
	names := map[string]string{}
	for _, r := range answer.StackResourceSummaries {
		names[r.LogicalResourceId] = r.PhysicalResourceId
	}
	return names
}
