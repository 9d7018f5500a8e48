package codex

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

func TestSHA256(t *testing.T) {
	for size := range 300 {
		data := bytes.Repeat([]byte{byte(size), 'x', 0xff}, size)[:size]
		if got, want := sha256Sum(data), sha256.Sum256(data); got != want {
			t.Errorf("%d bytes: got %x, want %x", size, got, want)
		}
	}
}
