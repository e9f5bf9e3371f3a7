// Command lambdazip packs files into the zip that Lambda unpacks. The same files give
// the same bytes, whenever, wherever and by whomever they are packed.
//
//	lambdazip OUT.zip FILE...
package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: lambdazip OUT.zip FILE...")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "lambdazip:", err)
		os.Exit(1)
	}
}

func pack(path string, files []string) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	w := zip.NewWriter(out)
	for _, f := range files {
		if err := add(w, f); err != nil {
			return err
		}
	}
	return w.Close()
}

// packed is the modification time of every file: the earliest that a zip can hold.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// add puts a file at the top of the zip. Of its mode only the executable bit is
// stored, since the rest depends on the builder's umask.
func add(w *zip.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	header := &zip.FileHeader{Name: filepath.Base(path), Method: zip.Deflate, Modified: packed}
	header.SetMode(0o644)
	if info.Mode()&0o111 != 0 {
		header.SetMode(0o755)
	}
	file, err := w.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, in)
	return err
}
