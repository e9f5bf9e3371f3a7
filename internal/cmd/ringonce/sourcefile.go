package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// wanted returns the source to try: one of the configuration, or one defined in a
// file of its own.
func wanted(c call, configPath, arg string) (config.Source, *config.Config, error) {
	configPath = definedIn(c, configPath, arg)
	if configPath == arg {
		return sourceInFile(arg)
	}
	cfg, _, err := config.Load(configPath, preset.FS)
	if err != nil {
		return config.Source{}, nil, err
	}
	src, ok := cfg.Source(arg)
	if !ok {
		return src, nil, fmt.Errorf("there is neither a file %q nor a source of that name%s; the sources of %s are %s", arg, suggestion(arg, sourceIDs(cfg)), configPath, strings.Join(sourceIDs(cfg), ", "))
	}
	return src, cfg, nil
}

// definedIn returns the file that defines a source: the argument itself, or the
// configuration.
func definedIn(c call, configPath, arg string) string {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return arg
	}
	if configPath == "" {
		return setup.ConfigPath(c.env)
	}
	return configPath
}

// The text around one source's definition that makes it a configuration.
const (
	around = `version: 1
environment: trial
owners: {nobody: {cost_center: none, destinations: [nowhere]}}
destinations: {nowhere: {channel: slack_webhook, webhook_url: "env:NOWHERE"}}
sources:
`
	aroundLines  = 5
	aroundIndent = 4
)

func sourceInFile(path string) (config.Source, *config.Config, error) {
	data, err := config.ReadFile(path)
	if err != nil {
		return config.Source{}, nil, err
	}
	text := strings.TrimSuffix(string(data), "\n")
	if has(text, "sources") {
		return config.Source{}, nil, fmt.Errorf("%s is a whole configuration: give --config %s and the id of one of its sources", path, path)
	}
	var b strings.Builder
	b.WriteString(around + "  -\n")
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.Repeat(" ", aroundIndent) + line + "\n")
	}
	for name, value := range map[string]string{"id": "trial", "owner": "nobody", "operator_action": "Nothing yet."} {
		if !has(text, name) {
			b.WriteString(strings.Repeat(" ", aroundIndent) + name + ": " + value + "\n")
		}
	}
	draft := config.Read(path, []byte(b.String()), preset.FS)
	if bad := draft.Problems.Of(config.Mistake); len(bad) > 0 {
		return config.Source{}, nil, inFile(bad, path)
	}
	return draft.Config.Sources[0], draft.Config, nil
}

// has reports whether a definition itself has a field.
func has(text, field string) bool {
	return strings.HasPrefix(text, field+":") || strings.Contains(text, "\n"+field+":")
}

// inFile moves problems to their lines in the definition's own file.
func inFile(problems config.Problems, path string) config.Problems {
	for i := range problems {
		p := &problems[i]
		p.Path = strings.TrimPrefix(strings.TrimPrefix(p.Path, "sources[0]"), ".")
		if p.File == path && p.Line > aroundLines {
			p.Line -= aroundLines + 1
			p.Column = max(1, p.Column-aroundIndent)
		}
	}
	return problems
}
