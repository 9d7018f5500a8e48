package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds what is kept of one line of a stream; the extension sends a
// few KB at most.
const maxLine = 1 << 20

// readLines calls take for each line that holds anything, until the end. Of a
// line over the limit take gets the beginning, marked as not whole.
func readLines(r io.Reader, take func(line []byte, whole bool)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	cut := false
	for {
		part, err := in.ReadSlice('\n')
		if room := maxLine - len(line); len(part) > room {
			part, cut = part[:room], true
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			take(text, !cut && (err == nil || text[len(text)-1] == '}'))
		}
		line, cut = line[:0], false
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
