package source_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source"
)

func TestCheckAcceptsASoundSource(t *testing.T) {
	for _, url := range []string{"https://x.example/a", "http://localhost:8080/", "http://127.0.0.2/", "http://[::1]:9/", "HTTPS://x.example/"} {
		if faults := source.Check(plain(url)); len(faults) != 0 {
			t.Errorf("%s: %v", url, faults)
		}
	}
	src := plain("https://x.example/")
	src.Pagination, src.Map.Items = config.Pagination{Type: "page", Param: "p"}, ".first.limits[]"
	if faults := source.Check(src); len(faults) != 0 {
		t.Errorf("field names like jq's functions: %v", faults)
	}
	src = plain("http://internal.example/")
	src.Request.AllowHTTP = true
	if faults := source.Check(src); len(faults) != 0 {
		t.Errorf("allow_http: %v", faults)
	}
}

func TestCheckNamesTheField(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*config.Source)
		path   string
		says   string
	}{
		"no address":          {func(s *config.Source) { s.Request.URL = "" }, "request.url", "missing"},
		"no host":             {func(s *config.Source) { s.Request.URL = "https:///x" }, "request.url", "not an address"},
		"not an address":      {func(s *config.Source) { s.Request.URL = "https://a b/%zz" }, "request.url", "not an address"},
		"a parameter left":    {func(s *config.Source) { s.Request.URL = "https://${host}/" }, "request.url", "params"},
		"plain http":          {func(s *config.Source) { s.Request.URL = "http://x.example/" }, "request.url", "allow_http"},
		"another scheme":      {func(s *config.Source) { s.Request.URL = "file://x/etc/passwd" }, "request.url", "use https"},
		"password in address": {func(s *config.Source) { s.Request.URL = "https://u:p@x.example/" }, "request.url", "user name or password"},
		"method":              {func(s *config.Source) { s.Request.Method = "DELETE" }, "request.method", "GET or POST"},
		"timeout":             {func(s *config.Source) { s.Request.Timeout = -1 }, "request.timeout", "negative"},
		"two ways in":         {func(s *config.Source) { s.Request.Bearer, s.Request.BasicUser = "env:A", "b" }, "request.bearer", "one way"},
		"two headers": {func(s *config.Source) {
			s.Request.Bearer, s.Request.Headers = "env:A", map[string]string{"authorization": "x"}
		}, "request.headers.authorization", "one way"},
		"header name":           {func(s *config.Source) { s.Request.Headers = map[string]string{"a b": "x"} }, "request.headers.a b", "name of a header"},
		"header value":          {func(s *config.Source) { s.Request.Headers = map[string]string{"a": "x\r\ny: z"} }, "request.headers.a", "line break"},
		"reference to nothing":  {func(s *config.Source) { s.Request.Bearer = "ssm:" }, "request.bearer", "ssm:NAME"},
		"paging":                {func(s *config.Source) { s.Pagination.Type = "cursor" }, "pagination.type", "token or next_url"},
		"page without param":    {func(s *config.Source) { s.Pagination.Type = "page" }, "pagination.param", "query parameter"},
		"offset without more":   {func(s *config.Source) { s.Pagination.Type, s.Pagination.Param = "offset", "skip" }, "pagination.more", "jq program"},
		"token without next":    {func(s *config.Source) { s.Pagination.Type, s.Pagination.Param = "token", "t" }, "pagination.next", "jq program"},
		"next_url without next": {func(s *config.Source) { s.Pagination.Type = "next_url" }, "pagination.next", "jq program"},
		"broken page program":   {func(s *config.Source) { s.Pagination.Pages = ".a |" }, "pagination.pages", "jq program"},
		"broken canary":         {func(s *config.Source) { s.Canary.Item = ".a |" }, "canary.item", "jq program"},
		"private address":       {func(s *config.Source) { s.Request.URL = "https://10.0.0.1/x" }, "request.url", "private network"},
		"metadata service":      {func(s *config.Source) { s.Request.URL, s.Request.AllowPrivate = "https://169.254.169.254/x", true }, "request.url", "metadata service"},
		"limit's header":        {func(s *config.Source) { s.RateLimit.Reset = "X Reset" }, "rate_limit.reset", "name of a header"},
		"size_param alone":      {func(s *config.Source) { s.Pagination.SizeParam = "limit" }, "pagination.size", "size_param"},
		"size":                  {func(s *config.Source) { s.Pagination.Size = -1 }, "pagination.size", "10000"},
		"first":                 {func(s *config.Source) { s.Pagination.First = -1 }, "pagination.first", "0 or 1"},
		"max_pages":             {func(s *config.Source) { s.Pagination.MaxPages = 1001 }, "pagination.max_pages", "1000"},
		"max_bytes":             {func(s *config.Source) { s.Pagination.MaxBytes = 1 << 40 }, "pagination.max_bytes", "67108864"},
		"filter hides the size": {func(s *config.Source) {
			s.Pagination = config.Pagination{Type: "page", Param: "p"}
			s.Map.Items = ".list[] | select(.x)"
		}, "map.items", "map.verdicts"},
		"no items":             {func(s *config.Source) { s.Map.Items = "" }, "map.items", "missing"},
		"items":                {func(s *config.Source) { s.Map.Items = ".[" }, "map.items", "not a jq program"},
		"no status":            {func(s *config.Source) { s.Map.Status = "" }, "map.status", "missing"},
		"verdict word":         {func(s *config.Source) { s.Map.Verdicts["paused"] = "muted" }, "map.verdicts.paused", "failing, healthy or unknown"},
		"nothing fails":        {func(s *config.Source) { s.Map.Verdicts = map[string]string{"ok": "healthy"} }, "map.verdicts", "never open"},
		"no key":               {func(s *config.Source) { s.Map.Key = nil }, "map.key", "missing"},
		"part without a name":  {func(s *config.Source) { s.Map.Key[0].Name = "" }, "map.key[0].name", "missing"},
		"part named twice":     {func(s *config.Source) { s.Map.Key = append(s.Map.Key, s.Map.Key[0]) }, "map.key[1].name", "used twice"},
		"part without a value": {func(s *config.Source) { s.Map.Key[0].Value = "" }, "map.key[0].value", "missing"},
		"part of no type":      {func(s *config.Source) { s.Map.Key[0].Type = "" }, "map.key[0].type", "id"},
		"part's program": {func(s *config.Source) {
			s.Map.Key = append(s.Map.Key, config.KeyPart{Name: "b", Value: "nope(.)", Type: "id"})
		}, "map.key[1].value", "function not defined: nope/1"},
		"summary":  {func(s *config.Source) { s.Map.Summary = "|" }, "map.summary", "jq"},
		"evidence": {func(s *config.Source) { s.Map.Evidence.FirstSeen = "$x" }, "map.evidence.first_seen", "jq"},
	} {
		t.Run(name, func(t *testing.T) {
			src := plain("https://x.example/list")
			tt.change(&src)
			faults := source.Check(src)
			if len(faults) != 1 || faults[0].Path != tt.path || !strings.Contains(faults[0].String(), tt.says) {
				t.Fatalf("faults %v, want one at %s that says %q", faults, tt.path, tt.says)
			}
			if faults[0].What == "" || faults[0].Fix == "" {
				t.Errorf("%+v does not say what is wrong and what to do", faults[0])
			}
		})
	}
}
