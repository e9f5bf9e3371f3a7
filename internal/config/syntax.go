package config

import (
	"bytes"
	"strconv"
	"strings"
)

// syntax reports a syntax error of the YAML library. Its errors read "yaml: line 3:
// what is wrong"; the only one that quotes the file is about an anchor.
func (r *reader) syntax(file string, data []byte, err error) {
	at := Place{File: file}
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	if anchor, ok := strings.CutPrefix(what, "unknown anchor '"); ok {
		anchor = strings.TrimSuffix(anchor, "' referenced")
		r.fail(placeOf(file, data, "*"+anchor), "", "an alias (*name) is used before its anchor (&name)",
			"define the anchor further up, or quote a text that starts with *")
		return
	}
	if rest, ok := strings.CutPrefix(what, "line "); ok {
		number, text, found := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); found && err == nil {
			at.Line, what = line, text
		}
	}
	r.fail(at, "", "this is not YAML: "+what, "check indentation, colons and quotes here and in the line above")
}

// placeOf finds the first occurrence of a text in a file.
func placeOf(file string, data []byte, text string) Place {
	i := bytes.Index(data, []byte(text))
	if i < 0 {
		return Place{File: file}
	}
	before := data[:i]
	return Place{file, 1 + bytes.Count(before, []byte("\n")), i - bytes.LastIndexByte(before, '\n')}
}
