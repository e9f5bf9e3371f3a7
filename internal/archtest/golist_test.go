package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/ringonce/ringonce/"

// listed is what go list says of one package of this module.
type listed struct {
	ImportPath string
	Doc        string
	Imports    []string
	Deps       []string
}

var list = sync.OnceValues(func() ([]listed, error) {
	if err := lookAtSources(); err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,Deps", "./...")
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.Join(err, errors.New(stderr.String()))
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

// lookAtSources makes go test's cache depend on every source file, which it
// would not know of: it is another process, go list, that reads them.
func lookAtSources() error {
	for _, tree := range []string{"../../internal", "../../functions"} {
		err := filepath.WalkDir(tree, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			_, err = os.Stat(path)
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// packages lists the packages of this module.
func packages(t *testing.T) []listed {
	t.Helper()
	all, err := list()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if len(all) < 10 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	return all
}

func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range packages(t) {
		if strings.TrimSpace(p.Doc) == "" {
			t.Errorf("%s does not say what it is for: give one file a package comment", p.ImportPath)
		}
	}
}

// TestFunctionsLinkOnlyWhatTheyUse: only poll runs jq programs. Linked into
// the others, the interpreter would cost size and start-up for nothing.
func TestFunctionsLinkOnlyWhatTheyUse(t *testing.T) {
	const jq = "github.com/itchyny/gojq"
	without := []string{"functions/decide", "functions/deliver", "functions/sweep", "functions/page", "internal/setup"}
	for _, p := range packages(t) {
		if name := strings.TrimPrefix(p.ImportPath, module); slices.Contains(without, name) && slices.Contains(p.Deps, jq) {
			t.Errorf("%s links %s", name, jq)
		}
	}
}
