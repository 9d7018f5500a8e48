package main

import "runtime"

// roomyStack gives its goroutine a stack of 32 KiB at once. By itself it would
// come to that in four steps on the way down into a hook, each of which copies
// it frame by frame: a twentieth of what an empty program takes.
//
//go:noinline
func roomyStack(use bool) {
	if use { // never: only the size of this frame matters
		var room [24 << 10]byte
		runtime.KeepAlive(&room)
	}
}
