package adapters_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"panehook/adapters"
	"panehook/adapters/claude"
	"panehook/adapters/codex"
	"panehook/adapters/pi"
)

// BenchmarkTranslate reads all payloads of a recorded session.
func BenchmarkTranslate(b *testing.B) {
	for _, bench := range []struct {
		adapter   *adapters.Adapter
		recording string
	}{
		{&claude.Adapter, "claude-permission.jsonl"},
		{&codex.Adapter, "codex-approval.jsonl"},
		{&pi.Adapter, "pi-retry.jsonl"},
	} {
		b.Run(bench.adapter.Name, func(b *testing.B) {
			recording, err := os.ReadFile("../testdata/recordings/" + bench.recording)
			if err != nil {
				b.Fatal(err)
			}
			type call struct {
				Event   string
				Payload json.RawMessage
			}
			var calls []call
			for line := range strings.Lines(string(recording)) {
				var c call
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					b.Fatal(err)
				}
				if c.Event != "" {
					calls = append(calls, c)
				}
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c := calls[i%len(calls)]
				if r := bench.adapter.Translate(c.Event, c.Payload, true); r.Event.Name == "" {
					b.Fatal("no event")
				}
			}
		})
	}
}
