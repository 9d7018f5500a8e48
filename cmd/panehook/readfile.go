package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Here are read the files that others write or name, so that anything may stand
// at their paths. Only plain files count, and nothing waits for another kind.
// State files are package state's, all but the logs.

// openRegular opens a file for reading and nothing else that may stand there,
// and tells what it is.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	f, err := openPlain(path, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, nil, fmt.Errorf("%s is not a plain file", path)
	}
	return f, info, nil
}

// readWhole returns a file's bytes, never nil, and what it is.
func readWhole(path string) ([]byte, fs.FileInfo, error) {
	in, info, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, nil, err
	}
	return append([]byte{}, data...), info, nil
}

// readSmall reads a file up to a limit.
func readSmall(path string, limit int64) ([]byte, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

const (
	headSize = 32 << 10
	tailSize = 256 << 10
)

// fileEnds reads the first and the last part of a file that an agent writes,
// of at most headSize and tailSize. A pipe or a device is not read at all.
func fileEnds(path string) (head, tail []byte, err error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	// No more than it says that it has: a file of the system's that says 0 may
	// make its reader wait.
	head = make([]byte, min(info.Size(), headSize))
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	tail, err = readTail(f, info.Size())
	return head, tail, err
}

// readTail reads the last part of a file, at most tailSize of it.
func readTail(f *os.File, size int64) ([]byte, error) {
	tail := make([]byte, min(size, tailSize))
	n, err := f.ReadAt(tail, size-int64(len(tail)))
	if err != nil && err != io.EOF {
		return nil, err
	}
	return tail[:n], nil
}
