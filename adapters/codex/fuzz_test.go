package codex

import (
	"testing"

	"panehook/adapters/adaptertest"
)

func FuzzTranslate(f *testing.F) { adaptertest.Fuzz(f, &Adapter) }

func TestPrefixes(t *testing.T) { adaptertest.Prefixes(t, &Adapter) }

func TestSafeCopies(t *testing.T) { adaptertest.SafeCopies(t, &Adapter) }
