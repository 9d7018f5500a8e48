//go:build unix

// Command peak runs a program with its own input and prints the peak of its
// resident memory in KiB. It is a program of its own because Linux counts the
// memory of whoever starts a process as that of the process: it has to be small.
package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
)

func main() {
	pid, err := syscall.ForkExec(os.Args[1], os.Args[1:], &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 2, 2}})
	if err != nil {
		os.Exit(1)
	}
	var usage syscall.Rusage
	var status syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(pid, &status, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	kib := int64(usage.Maxrss)
	if runtime.GOOS == "darwin" {
		kib /= 1024 // it counts bytes
	}
	os.Stdout.WriteString(strconv.FormatInt(kib, 10) + "\n")
	os.Exit(status.ExitStatus())
}
