package config

import (
	"io/fs"
	"strconv"

	"github.com/ringonce/ringonce/internal/incident"
)

// Version is the version of the file's format that this package reads.
const Version = 1

// builder turns a file into a Config.
type builder struct {
	r       *reader
	fs      fs.FS
	presets map[string]*preset
	cfg     *Config
	pos     *Positions
	// defaults is the built-in policy with the file's policy: over it; owners is what
	// each owner makes of it.
	defaults ruling
	owners   map[string]ruling
	// used records what is referred to; anything else gets a warning.
	used map[string]bool
	// sending skips what only polling and deciding need; see LoadForSending.
	sending bool
}

// Read reads as much of a configuration as is valid.
func Read(name string, data []byte, presets fs.FS) Draft {
	return read(&reader{}, name, data, presets)
}

func read(r *reader, name string, data []byte, presets fs.FS) Draft {
	return newBuilder(r, name, presets).read(name, data)
}

func newBuilder(r *reader, name string, presets fs.FS) *builder {
	return &builder{
		r: r, fs: presets, presets: map[string]*preset{}, owners: map[string]ruling{}, used: map[string]bool{},
		cfg: &Config{Owners: map[string]Owner{}, Destinations: map[string]Destination{}},
		pos: &Positions{file: name, sources: map[string]sourcePosition{}},
	}
}

func (b *builder) read(name string, data []byte) Draft {
	if tree := b.r.parseTree(name, data); tree != nil {
		b.pos.root = tree
		b.root(b.r.fields(tree, "", Place{File: name, Line: 1, Column: 1}))
	}
	if !b.sending {
		b.cfg.Hash = hash(data, b.presets)
	}
	problems := b.r.problems.Sorted(name)
	b.pos.warnings = problems.Of(Warning)
	return Draft{Config: b.cfg, Positions: b.pos, Problems: problems}
}

// root reads the whole file. The order matters: what is referred to is read before
// what refers to it.
func (b *builder) root(f *fields) {
	b.version(f)
	b.cfg.Environment = f.label("environment", f.requiredText("environment", "name the stage that every message shows, such as environment: production"), maxLabel)
	b.cfg.Retention = f.child("retention").retention()
	b.cfg.Delivery = f.child("delivery").delivery()
	b.cfg.Redact = f.redact()
	b.defaults = f.child("policy").policy(ruling{policy: incident.DefaultPolicy()}, LayerPolicy)
	destinations := f.named("destinations", "name at least one channel to send to")
	for _, d := range destinations {
		read := d.destination()
		b.cfg.Destinations[d.id] = read
		b.addRecipients(read)
	}
	b.fallbacks(destinations)
	b.shared(destinations)
	owners := f.named("owners", "name at least one owner, who pays and acts")
	for _, o := range owners {
		b.cfg.Owners[o.id] = b.owner(o)
	}
	if b.sending {
		f.known = append(f.known, "sources", "silences")
	} else {
		b.sources(f)
		b.silences(f)
	}
	b.cfg.Prices = f.child("prices").prices()
	f.end()
	b.unused("destinations", "no owner sends to it", destinations)
	b.unused("owners", "no source belongs to it", owners)
}

func (b *builder) version(f *fields) {
	n := f.scalar("version")
	switch {
	case n == nil:
		f.missing("version", "write version: "+strconv.Itoa(Version)+" at the top")
	case n.text != strconv.Itoa(Version):
		f.fail("version", show(n.text)+" is not a known version", "this Ringonce reads version "+strconv.Itoa(Version))
	}
}

// unused warns of names that nothing refers to: often one side of a spelling mistake,
// or a channel that everybody believes is in use.
func (b *builder) unused(kind, why string, all []*named) {
	for _, n := range all {
		if !b.used[kind+"."+n.id] {
			b.r.warn(n.at, n.path, why, "use it or remove it")
		}
	}
}
