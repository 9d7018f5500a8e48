package claude

import (
	"strings"

	"github.com/tidwall/gjson"

	"panehook/adapters"
)

// consult takes the last answer from the end of the transcript, for a Stop
// that does not hold it. The transcript runs up to 100 ms behind the hooks, so
// it is only the second choice.
func consult(r *adapters.Reading, _, tail []byte) {
	if r.Event.Activity != "" {
		return
	}
	for line := range strings.Lines(string(tail)) {
		record := gjson.Parse(line)
		if record.Get("type").Str != "assistant" || record.Get("isSidechain").Bool() {
			continue
		}
		record.Get("message.content").ForEach(func(_, part gjson.Result) bool {
			if text := adapters.Clean(adapters.TextIn(part, "text")); text != "" {
				r.Event.Activity = text
			}
			return true
		})
	}
}
