package stack

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ringonce/ringonce/internal/local/mapping"
)

// readFailures reads what mapping.FileFailures wrote; a missing file means no
// failures.
func readFailures(path string) ([]mapping.Failure, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the local failure queue: %w", err)
	}
	defer file.Close()
	var all []mapping.Failure
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var f mapping.Failure
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("line %d of the local failure queue %s: %w", len(all)+1, path, err)
		}
		all = append(all, f)
	}
	return all, lines.Err()
}
