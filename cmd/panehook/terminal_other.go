//go:build !linux && !darwin

package main

import "os"

// terminalSize is not known here.
func terminalSize(*os.File) (width, height int) { return 0, 0 }
