//go:build !linux && !darwin

package main

import (
	"errors"
	"os"
)

// canDraw tells whether watch can take over a terminal of this system.
const canDraw = false

// isTerminal tells whether f is a console, or another device: none of them
// brings a payload.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// terminalSize is not known here.
func terminalSize(*os.File) (width, height int) { return 0, 0 }

type terminalMode struct{}

func rawMode(*os.File) (*terminalMode, error) { return nil, errors.ErrUnsupported }

func restoreMode(*os.File, *terminalMode) {}

func quitSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func screenSignals() []os.Signal { return nil }

func isResize(os.Signal) bool   { return false }
func isSuspend(os.Signal) bool  { return false }
func isContinue(os.Signal) bool { return false }

func stopSelf() {}

func canBeContinued() bool { return false }
