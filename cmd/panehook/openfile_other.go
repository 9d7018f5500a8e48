//go:build !unix

package main

import "os"

func openPlain(path string, flags int) (*os.File, error) { return os.OpenFile(path, flags, 0o600) }
