//go:build unix

package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The number of a closed file is soon that of another, which a second Close
// must not close.
func TestClosingTwiceClosesNoOtherFile(t *testing.T) {
	dir := t.TempDir()
	first, err := openFile(filepath.Join(dir, "first"), os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := openFile(filepath.Join(dir, "second"), os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closing again: %v", err)
	}
	if _, err := second.Write([]byte("x")); err != nil {
		t.Errorf("the other file: %v", err)
	}
}
