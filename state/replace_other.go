//go:build !linux && !windows

package state

import "os"

func rename(from, to string) error { return os.Rename(from, to) }

func exchange(temp, path string) error { return os.Rename(temp, path) }
