package stack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/template"
)

// Missing returns what Start would need and cannot find, each with where it was
// looked for, the remedy, and its flag; nil if nothing is missing. Otherwise a
// missing process would only be noticed with its first event.
func Missing(o Options) error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	var all []error
	names, err := functionNames(o)
	if errors.Is(err, fs.ErrNotExist) {
		all = append(all, fmt.Errorf("there is no %s in %s: start in a checkout of Ringonce, or name it with --template", o.Template, here))
	} else if err != nil {
		all = append(all, err)
	}
	all = append(all, missingFunctions(o.FunctionsDir, names))
	if o.AWS == nil {
		_, err := engine.Find(o.Engine, here)
		all = append(all, err)
	}
	return errors.Join(all...)
}

func functionNames(o Options) ([]string, error) {
	t, err := template.Load(o.Template)
	if err != nil {
		return nil, err
	}
	described, err := t.Stack(defaultStackName, nil)
	if err != nil {
		return nil, err
	}
	functions, err := readFunctions(described, defaultStackName)
	names := make([]string, 0, len(functions))
	for _, f := range functions {
		names = append(names, f.name)
	}
	return names, err
}

func missingFunctions(dir string, names []string) error {
	const remedy = "build them with `make local` in a checkout of Ringonce, or name their folder with --functions"
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("there are no functions in %s: %s", dir, remedy)
	}
	var missing []string
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name, "bootstrap")); err != nil {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s has no %s (NAME/bootstrap): %s", dir, strings.Join(missing, ", "), remedy)
}
